"""The mask as the wire has it."""

from service.schemas.base import Request
from service.schemas.bounds import Range
from service.schemas.fields import Choice, Flag, Whole
from service.schemas.matrices import BooleanMatrix, Booleans, MaskedMatrix

_BROADCAST = "n_q × n_k, or 1 × n_k or n_q × 1, which are broadcast."


class Mask(Request):
    """Which key a query may see: where every given part allows it."""

    causal = Flag("Hide every key that comes after the query. Default false.")
    alignment = Choice(
        "The corner from which the diagonal of causal and window starts, where there are more"
        " keys than queries, or fewer. Default upper_left.",
        ("upper_left", "lower_right"),
    )
    window = Whole(
        "How many keys back may be seen, the token itself included; without causal, as many"
        " ahead. Leave it out for no limit.",
        validate=Range(min=1),
    )
    keep = BooleanMatrix(f"true: may be seen. {_BROADCAST}")
    block = BooleanMatrix(f"true: hidden, the opposite of keep. {_BROADCAST}")
    keep_keys = Booleans("For each key whether it may be seen, as for padding.")
    bias = MaskedMatrix(f"Added to the scores; null is −∞, which hides. {_BROADCAST}")
