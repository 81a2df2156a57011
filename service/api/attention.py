"""Attention over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.sources import Tokens
from service.engine.trace import Trace
from service.schemas import replies
from service.schemas.attention import EXAMPLES, AttentionRequest

bp = Blueprint("attention", __name__)


@bp.post("/attention")
@operation(replies.Trace, AttentionRequest, examples=EXAMPLES)
def compute_attention(
    mask: dict[str, Any] | None = None, context: dict[str, Any] | None = None, **request: Any
) -> Trace:
    """Scaled dot-product attention, step by step."""
    return attention(
        mask=Mask(**mask) if mask else None,
        context=Tokens(**context) if context else None,
        **request,
    )
