"""POST /v1/mask."""

from marshmallow import fields

from service.schemas import replies
from service.schemas.attention import FULLY_MASKED_ROWS, Context
from service.schemas.bounds import Range
from service.schemas.fields import Choice, Flag, Labels, Object, Text, Whole
from service.schemas.mask import Mask
from service.schemas.matrices import Matrix
from service.schemas.trace import TraceRequest

MAX_SIDE = 1 << 20


class MaskEffectRequest(TraceRequest):
    """A mask, and the scores that it acts on."""

    scores = Matrix("n_q × n_k scores, as softmax would get them; all 0 if left out.")
    n_q = Whole("How many queries there are, without scores.", validate=Range(1, MAX_SIDE))
    n_k = Whole("How many keys; n_q if left out.", validate=Range(1, MAX_SIDE))
    mask = Object("Which key a query may see; all if left out.", Mask())
    fully_masked_rows = Choice(FULLY_MASKED_ROWS, ("zeros", "uniform"), load_default="zeros")
    tokens = Labels("A label for each query, and for each key where there are as many.")
    context = Object("Only its tokens are used: a label for each key.", Context())


class MaskRow(replies.Reply):
    """One query, read out."""

    token = Text("Its label, or its number.", required=True)
    sees = Labels("The keys that it may see.", required=True)
    guesses = Text("The token after it, which it has to guess.", required=True, allow_none=True)
    cheats = Flag("Whether it may see a key that comes after it.", required=True)


class MaskTrace(replies.Trace):
    """scores, hidden, masked, weights, weights_unmasked, and each row read out."""

    rows = fields.List(fields.Nested(MaskRow), required=True)
