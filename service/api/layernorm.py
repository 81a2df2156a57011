"""Add & norm over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.engine.layernorm import layernorm
from service.engine.trace import Trace
from service.schemas.layernorm import LayerNormRequest, LayerNormTrace
from service.schemas.lecture.demos import examples_of

bp = Blueprint("layernorm", __name__)


@bp.post("/layernorm")
@operation(
    LayerNormTrace, LayerNormRequest, tag="transformer", examples=examples_of("/v1/layernorm")
)
def compute_layernorm(**request: Any) -> Trace:
    """Add & norm: LayerNorm or RMSNorm, post or pre, with the statistics of each stage."""
    return layernorm(**request)
