"""Transformer blocks over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.block_members import block_of, frame_of, place_of, shared_of
from service.api.contract import operation
from service.api.members import made
from service.engine.block.drawn import draw
from service.engine.block.stack import stack
from service.engine.errors import EngineError
from service.engine.sources import Tokens
from service.schemas.block import BlockRequest
from service.schemas.block_reply import StackTrace
from service.schemas.lecture.demos import examples_of

bp = Blueprint("block", __name__)


@bp.post("/block")
@operation(StackTrace, BlockRequest, tag="transformer", examples=examples_of("/v1/block"))
def compute_block(**request: Any) -> dict[str, Any]:
    """Transformer blocks: attention, add & norm, MLP, one block or several, up to a tiny GPT.

    Send X and blocks; or token_ids, embedding and blocks, for logits and the next word; or a seed
    and sizes, for random matrices, which are part of the reply.
    """
    drawn = draw(**request)
    request |= drawn
    try:
        document = stack(
            [block_of(block) for block in request.get("blocks", ())],
            shared_of(request),
            request.get("X"),
            frame_of(request),
            made(Tokens, request.get("context")),
            request.get("tokens"),
            request.get("features"),
        )
    except EngineError as error:
        raise type(error)(place_of(error.field, request), error.message) from None
    return document | {"drawn": drawn} if drawn else document
