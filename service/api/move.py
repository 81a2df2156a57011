"""An embedding moved, over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.engine.move import move
from service.engine.trace import Trace
from service.schemas.lecture.demos import examples_of
from service.schemas.move import MoveRequest, MoveTrace

bp = Blueprint("move", __name__)


@bp.post("/move")
@operation(MoveTrace, MoveRequest, tag="attention", examples=examples_of("/v1/move"))
def move_embedding(**request: Any) -> Trace:
    """An embedding moved by weighted values, and the weights that would reach a target."""
    return move(**request)
