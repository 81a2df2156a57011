"""The scaling laboratory over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.engine.scaling_experiments import scaling_experiments
from service.schemas.lecture.demos import examples_of
from service.schemas.softmax import SoftmaxReply, SoftmaxRequest

bp = Blueprint("softmax", __name__)


@bp.post("/softmax")
@operation(SoftmaxReply, SoftmaxRequest, tag="attention", examples=examples_of("/v1/softmax"))
def compare_scaling(**request: Any) -> dict[str, Any]:
    """Softmax of raw and of scaled scores, of given vectors or scores, or of random ones.

    Send Q and K, or scores: one experiment. Or send a seed: for each width in d_k one drawn query
    with its keys, and over many draws what becomes of the scores, raw and scaled.
    """
    return scaling_experiments(**request)
