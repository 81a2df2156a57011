"""POST /v1/multihead."""

from marshmallow import fields

from service.schemas import replies
from service.schemas.attention import POSITION, ScoreRequest
from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.fields import Object, Objects, Text, Whole
from service.schemas.mask import Mask
from service.schemas.matrices import Matrix, Vector

MAX_HEADS = 512


class Head(Request):
    """One head with matrices of its own; heads may differ in d_k and d_v."""

    name = Text("What to call it; head 1, head 2 … if left out.")
    W_Q = Matrix("d_k × d_model for the layout out_in.", required=True)
    W_K = Matrix("d_k × d_model, or d_k × d_context.", required=True)
    W_V = Matrix("d_v × d_model, or d_v × d_context.", required=True)
    W_O = Matrix("d_model × d_v. All heads have one, or none has.")
    mask = Object("This head's own mask, in place of the shared one.", Mask())


class AlibiSlopes(Request):
    """ALiBi with a slope for each head."""

    slopes = Vector("One for each head; the published series if left out.")
    offset = Whole("The position of the first query; keys begin at 0.", validate=POSITION)


class MultiheadRequest(ScoreRequest):
    """Heads with their own matrices, or packed matrices and n_heads."""

    X = Matrix("Embeddings, n_q × d_model.", required=True)
    heads = Objects(
        "The heads, each with its own matrices.", Head(), validate=Length(max=MAX_HEADS)
    )
    n_heads = Whole(
        "How many heads the packed matrices hold, as contiguous blocks of d_k outputs.",
        validate=Range(min=1, max=MAX_HEADS),
    )
    n_kv_heads = Whole(
        "With grouped heads, how many W_K and W_V hold; query head i uses head"
        " i // (n_heads / n_kv_heads). n_heads if left out.",
        validate=Range(min=1, max=MAX_HEADS),
    )
    alibi = Object("Lower each head's scores with the distance.", AlibiSlopes())
    W_Q = Matrix("Packed: (n_heads · d_k) × d_model for the layout out_in.")
    W_K = Matrix("Packed: (n_kv_heads · d_k) × d_model.")
    W_V = Matrix("Packed: (n_kv_heads · d_v) × d_model.")
    W_O = Matrix("Packed: d_model × (n_heads · d_v).")


class HeadTrace(replies.Reply):
    """A head's own steps, which end with the update that it proposes."""

    name = Text("The head's name.", required=True)
    trace = fields.Nested(replies.Trace, required=True)


class MultiheadTrace(replies.Reply):
    """Each head's trace, and what they say together."""

    heads = fields.List(fields.Nested(HeadTrace), required=True)
    combined = fields.Nested(
        replies.Trace,
        required=True,
        metadata={"description": "concat, update (the sum of the heads' updates) and output."},
    )
