"""POST /v1/positions."""

from marshmallow import fields

from service.schemas import replies
from service.schemas.attention import EVEN, POSITION
from service.schemas.bounds import Range
from service.schemas.fields import Choice, Labels, Number, Text, Whole
from service.schemas.lecture.demos import examples_of
from service.schemas.matrices import Matrix
from service.schemas.trace import TraceRequest

EXAMPLES = examples_of("/v1/positions")

_SIZE = Range(1, 1 << 22)


class PositionsRequest(TraceRequest):
    """What to encode, and how; each kind takes some of the members."""

    kind = Choice(
        "sinusoidal takes n and d_model, or x; rotary takes x; alibi takes n_heads and n.",
        ("sinusoidal", "rotary", "alibi"),
        required=True,
    )
    n = Whole("How many tokens, or queries.", validate=_SIZE)
    d_model = Whole("How many numbers an encoding has.", validate=_SIZE)
    x = Matrix("Vectors to add the encoding to, or to rotate: n × d_model.")
    base = Number("Default 10,000.", validate=Range(min=0, min_inclusive=False))
    offset = Whole("The position of the first token. Default 0.", validate=POSITION)
    dims = Whole("rotary: only the first so many dimensions.", validate=EVEN)
    pairing = Choice(
        "rotary: half_split pairs dimension i with i + dims/2, interleaved 2i with 2i + 1."
        " Default half_split.",
        ("half_split", "interleaved"),
    )
    n_heads = Whole("alibi: how many heads.", validate=Range(1, 512))
    n_k = Whole("alibi: how many keys; n if left out.", validate=_SIZE)
    tokens = Labels("A label for each token.")
    features = Labels("A label for each dimension.")


class PositionsConventions(replies.ShownConventions):
    """What was used, defaults included."""

    kind = Text("sinusoidal, rotary or alibi.", required=True)
    base = Number("Of the frequencies.")
    offset = Whole("The position of the first token.", required=True)
    dims = Whole("How many dimensions were turned.")
    pairing = Text("half_split or interleaved.")


class PositionsTrace(replies.Trace):
    """positions, frequencies, angles and the encoding; or x rotated; or slopes and biases."""

    conventions = fields.Nested(PositionsConventions, required=True)
