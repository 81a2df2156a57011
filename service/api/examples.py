"""The lecture's demos as ready request bodies, over HTTP."""

from difflib import get_close_matches
from typing import Any

from flask import Blueprint
from werkzeug.exceptions import NotFound

from service.api.contract import operation
from service.schemas.example import Demo, Example
from service.schemas.examples_reply import ExampleList, ExampleReply
from service.schemas.lecture.demos import DEMOS

bp = Blueprint("examples", __name__)

BY_ID = {demo.id: demo for demo in DEMOS}


@bp.get("/examples")
@operation(ExampleList, examples=[Example("all", "The list")])
def list_examples() -> dict[str, Any]:
    """The lecture's demos."""
    return {"examples": [_entry(demo) for demo in DEMOS]}


@bp.get("/examples/<id>")
@operation(
    ExampleReply,
    examples=[Example("calculator", "A demo", path={"id": "calculator"})],
    path={"id": "A demo's id, as the list has it."},
)
def get_example(id: str) -> dict[str, Any]:
    """One demo, as a body that can be posted unchanged to the path that it names."""
    if id not in BY_ID:
        near = get_close_matches(id, BY_ID, n=1)
        said = f" Did you mean {near[0]}?" if near else ""
        raise NotFound(f"There is no example {id}.{said} Known: {', '.join(BY_ID)}.")
    return {**_entry(BY_ID[id]), "body": BY_ID[id].body}


def _entry(demo: Demo) -> dict[str, str]:
    return {"id": demo.id, "title": demo.title, "method": "POST", "path": demo.path}
