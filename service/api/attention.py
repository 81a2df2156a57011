"""Attention over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.api.members import attended, made
from service.engine.one_head import attention
from service.engine.positions.alibi import Alibi
from service.engine.trace import Trace
from service.schemas import replies
from service.schemas.attention import EXAMPLES, AttentionRequest

bp = Blueprint("attention", __name__)


@bp.post("/attention")
@operation(replies.Trace, AttentionRequest, examples=EXAMPLES)
def compute_attention(alibi: dict[str, Any] | None = None, **request: Any) -> Trace:
    """Scaled dot-product attention, step by step."""
    return attention(alibi=made(Alibi, alibi), **attended(request))
