"""A mask by itself over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.engine.mask import Mask
from service.engine.mask_effect import mask_effect
from service.engine.sources import Tokens
from service.engine.trace import Trace
from service.schemas.lecture.demos import examples_of
from service.schemas.mask_effect import MaskEffectRequest, MaskTrace

bp = Blueprint("mask", __name__)


@bp.post("/mask")
@operation(MaskTrace, MaskEffectRequest, tag="attention", examples=examples_of("/v1/mask"))
def apply_mask(
    mask: dict[str, Any] | None = None, context: dict[str, Any] | None = None, **request: Any
) -> Trace:
    """A mask, its effect on given scores, and what each row sees and has to guess."""
    return mask_effect(
        mask=Mask(**mask) if mask else None,
        context=Tokens(**context) if context else None,
        **request,
    )
