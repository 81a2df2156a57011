"""What the contract shows as replies: the service is asked, so none can be wrong."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from service.api.contract import JSON, Operation
from service.api.dispatch import Service
from service.api.problems import MEDIA_TYPE
from service.schemas.example import Example


class ProblemOf(NamedTuple):
    """A problem that operations share; `provoked` is a request that gets it, as Flask opens it."""

    name: str
    description: str
    provoked: dict[str, Any] | None = None
    headers: tuple[str, ...] = ("X-Request-Id",)


_POST = {"path": "/v1/attention", "method": "POST"}
_JSON = {**_POST, "content_type": "application/json"}

PROBLEMS = {
    400: ProblemOf(
        "NotJson",
        "The body is not JSON in UTF-8, or not complete.",
        {**_JSON, "data": '{"X": [[NaN]]}'},
    ),
    401: ProblemOf(
        "NotATeacher",
        "What was asked for takes a teacher's credential.",
        {
            "path": "/v1/quiz/grade",
            "method": "POST",
            "json": {
                "items": [{"question": "heads-gpt3", "answer": {"kind": "text", "text": "96"}}],
                "reveal": True,
            },
        },
        ("X-Request-Id", "WWW-Authenticate"),
    ),
    404: ProblemOf(
        "NotFound", "There is nothing of this name.", {"path": "/v1/examples/calculater"}
    ),
    408: ProblemOf("TooSlow", "The body did not come in time."),
    413: ProblemOf(
        "TooLarge",
        "The body is larger than the service takes.",
        {**_JSON, "data": b" " * (1 << 23)},
    ),
    415: ProblemOf(
        "WrongType",
        "The body is not declared as application/json.",
        {**_POST, "data": "X=1", "content_type": "application/x-www-form-urlencoded"},
    ),
    422: ProblemOf(
        "Unusable",
        "The request is well-formed but cannot be used; errors say where and why.",
        {**_POST, "json": {"Q": [[1, 2]], "K": [[3, -1, 0], [0, 1, 1]], "V": [[1], [2]]}},
    ),
    500: ProblemOf("Failed", "The service failed; its log says why, under X-Request-Id."),
    503: ProblemOf(
        "Busy",
        "Too many requests wait for their turn, or the service lacks a setting that this takes.",
        None,
        ("X-Request-Id", "Retry-After"),
    ),
}


def reply_to(app: Service, path: str, method: str, operation: Operation, example: Example) -> Any:
    """What the service replies to an example, as the contract shows it."""
    reply = app.test_client().open(
        path.format(**example.path),
        method=method,
        query_string=example.query,
        data=body_of(operation, example),
        content_type=operation.media,
    )
    if reply.status_code != 200:
        raise ValueError(f"{method} {path}, example {example.name}: {reply.text}")
    return reply.text if operation.media != JSON else stood_in(reply.json, operation.stand_ins)


def body_of(operation: Operation, example: Example) -> bytes | None:
    """The bytes that an example sends."""
    if example.body is None:
        return None
    if operation.media == JSON:
        return orjson.dumps(example.body)
    return b"".join(orjson.dumps(line) + b"\n" for line in example.body)


def stood_in(node: Any, stand_ins: Mapping[str, Any]) -> Any:
    """A reply with something fixed for each member that is never twice the same."""
    if isinstance(node, list):
        return [stood_in(one, stand_ins) for one in node]
    if isinstance(node, dict):
        return {k: stand_ins.get(k) or stood_in(v, stand_ins) for k, v in node.items()}
    return node


def problems(app: Service) -> dict[int, tuple[str, dict[str, Any]]]:
    """The problems as shared responses, by status."""
    return {status: (problem.name, _response(app, problem)) for status, problem in PROBLEMS.items()}


def _response(app: Service, problem: ProblemOf) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": {"$ref": "#/components/schemas/Problem"}}
    if problem.provoked:
        content["example"] = app.test_client().open(**problem.provoked).json
    return {
        "description": problem.description,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in problem.headers},
        "content": {MEDIA_TYPE: content},
    }
