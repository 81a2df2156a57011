"""Two requests compared over HTTP."""

from typing import Any

import orjson
from flask import Blueprint
from marshmallow import ValidationError

from service.api import attention, layernorm, mask, move, multihead, positions
from service.api.contract import Operation, operation
from service.api.view import chosen, take_view
from service.api.writer import traces_of
from service.engine.difference import difference
from service.engine.errors import EngineError
from service.engine.trace import Trace
from service.schemas.compare import EXAMPLES, CompareReply, CompareRequest

bp = Blueprint("compare", __name__)

OPERATIONS: dict[str, Operation] = {
    "attention": attention.compute_attention,
    "mask": mask.apply_mask,
    "multihead": multihead.compute_multihead,
    "layernorm": layernorm.compute_layernorm,
    "positions": positions.encode_positions,
    "move": move.move_embedding,
}


@bp.post("/compare")
@operation(CompareReply, CompareRequest, tag="transformer", examples=EXAMPLES)
def compare_requests(operation: str, before: Any, after: Any) -> dict[str, Any]:
    """Two requests of one operation, and only the cells that changed, step by step.

    A mask taken off, another order, one number edited, another convention: whatever the two
    bodies have different.
    """
    earlier, later = (
        traces(OPERATIONS[operation], name, body)
        for name, body in (("before", before), ("after", after))
    )
    shared = [name for name in earlier if name in later]
    return {
        "traces": [{"trace": name, **difference(earlier[name], later[name])} for name in shared],
        "conventions": [
            {"trace": name, **change}
            for name in shared
            for change in changes(earlier[name].conventions, later[name].conventions)
        ],
    }


def traces(of: Operation, name: str, body: Any) -> dict[str, Trace]:
    """The traces of one of the two requests by path, with the steps that it asks for."""
    assert of.body is not None
    try:
        arguments = of.body.load(body)
        view = take_view(arguments)
        document = of.view(**arguments)
    except ValidationError as error:
        raise ValidationError({name: error.messages}) from None
    except EngineError as error:
        field = f"{name}/{error.field}".rstrip("/")
        raise type(error)(field, f"{name}: {error.message}") from None
    return {
        path: trace if view.steps is None else trace._replace(steps=chosen(trace, view))
        for path, trace in traces_of(document)
    }


def changes(before: dict[str, Any], after: dict[str, Any], of: str = "") -> list[dict[str, str]]:
    """The conventions that differ, by their dotted names, with both values as JSON."""
    found = []
    for name in {**before, **after}:
        a, b = before.get(name), after.get(name)
        if a == b:
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            found += changes(a, b, f"{of}{name}.")
        else:
            found.append({"name": f"{of}{name}", "before": told(a), "after": told(b)})
    return found


def told(value: Any) -> str:
    """A convention as JSON; empty where it is not there."""
    return "" if value is None else orjson.dumps(value).decode()
