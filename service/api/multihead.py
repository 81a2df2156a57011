"""Several heads over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.api.members import attended, made
from service.engine.heads import Head
from service.engine.mask import Mask
from service.engine.multihead import multihead
from service.engine.positions.alibi import Slopes
from service.engine.sources import Weights
from service.schemas.lecture.demos import examples_of
from service.schemas.multihead import MultiheadRequest, MultiheadTrace

bp = Blueprint("multihead", __name__)


@bp.post("/multihead")
@operation(MultiheadTrace, MultiheadRequest, tag="attention", examples=examples_of("/v1/multihead"))
def compute_multihead(
    heads: list[dict[str, Any]] | None = None,
    alibi: dict[str, Any] | None = None,
    **request: Any,
) -> dict[str, Any]:
    """Several heads, each with its own trace and update, and their sum."""
    own = [_head(i, **head) for i, head in enumerate(heads)] if heads else None
    return multihead(heads=own, alibi=made(Slopes, alibi), **attended(request))


def _head(i: int, name: str | None = None, mask: dict[str, Any] | None = None, **W: Any) -> Head:
    return Head(name or f"head {i + 1}", Weights(**W), made(Mask, mask))
