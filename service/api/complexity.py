"""Table 1 over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.api.exact import with_exact
from service.engine.complexity import complexity
from service.schemas.complexity import ComplexityReply, ComplexityRequest
from service.schemas.lecture.demos import examples_of

bp = Blueprint("complexity", __name__)


@bp.post("/complexity")
@operation(
    ComplexityReply, ComplexityRequest, tag="transformer", examples=examples_of("/v1/complexity")
)
def compare_layers(**request: Any) -> dict[str, Any]:
    """Work, sequential steps and longest path of attention and its rivals, and the n² price."""
    return with_exact(complexity(**request))
