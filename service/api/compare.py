"""Two requests compared over HTTP."""

from typing import Any

import orjson
from flask import Blueprint
from marshmallow import ValidationError

from service.api import attention, layernorm, mask, move, multihead, positions
from service.api.contract import Operation, operation
from service.api.view import View, chosen, take_view
from service.api.writer import traces_of
from service.engine.difference import Difference, difference
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
        "traces": [told(name, difference(earlier[name], later[name])) for name in shared],
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
    return {path: shown(trace, view) for path, trace in traces_of(document)}


def shown(trace: Trace, view: View) -> Trace:
    """The trace with the steps that were asked for."""
    return trace._replace(steps=chosen(trace, view))


def told(path: str, found: Difference) -> dict[str, Any]:
    """What became of the steps of a trace, as it is replied."""
    changed = []
    for step, cells, largest in found.changed:
        one: dict[str, Any] = {"step": step, "cells": [cell._asdict() for cell in cells]}
        changed.append(one if largest is None else {**one, "largest": largest})
    return {"trace": path, **found._asdict(), "changed": changed}


def changes(before: dict[str, Any], after: dict[str, Any], of: str = "") -> list[dict[str, str]]:
    """The conventions that differ, by their dotted names, with both values as JSON."""
    found = []
    for name in dict.fromkeys((*before, *after)):
        a, b = before.get(name), after.get(name)
        if isinstance(a, dict) and isinstance(b, dict):
            found += changes(a, b, f"{of}{name}.")
        elif a != b:
            texts = ("" if x is None else orjson.dumps(x).decode() for x in (a, b))
            found.append(
                {"name": f"{of}{name}", **dict(zip(("before", "after"), texts, strict=True))}
            )
    return found
