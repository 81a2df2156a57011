"""Positions by themselves over HTTP."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.engine.errors import EngineError
from service.engine.positions.encode import alibi, rotary, sinusoidal
from service.engine.positions.rotary import Rotary
from service.engine.trace import Trace
from service.schemas.positions import EXAMPLES, PositionsRequest, PositionsTrace

bp = Blueprint("positions", __name__)

# What each kind takes, and what it cannot do without.
TAKES: dict[str, tuple[set[str], set[str]]] = {
    "sinusoidal": ({"n", "d_model", "x", "base", "offset", "tokens", "features"}, set()),
    "rotary": ({"x", "base", "offset", "dims", "pairing", "tokens", "features"}, {"x"}),
    "alibi": ({"n", "n_heads", "n_k", "offset"}, {"n", "n_heads"}),
}


@bp.post("/positions")
@operation(PositionsTrace, PositionsRequest, tag="transformer", examples=EXAMPLES)
def encode_positions(kind: str, **request: Any) -> Trace:
    """Sinusoidal encodings, rotary embeddings or ALiBi, step by step."""
    check_members(kind, request)
    encoders: dict[str, Callable[..., Trace]] = {"sinusoidal": sinusoidal, "alibi": alibi}
    if kind == "rotary":
        how = {name: request.pop(name) for name in Rotary._fields if name in request}
        return rotary(how=Rotary(**how), **request)
    return encoders[kind](**request)


def check_members(kind: str, request: dict[str, Any]) -> None:
    """Raise EngineError for a member that this kind does not take, or one that it needs."""
    takes, needs = TAKES[kind]
    for name in request:
        if name not in takes:
            raise EngineError(name, f"{kind} takes no {name}; it takes {', '.join(sorted(takes))}.")
    for name in sorted(needs - request.keys()):
        raise EngineError(name, f"{name} is missing; {kind} needs it.")
