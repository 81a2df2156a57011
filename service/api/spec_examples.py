"""What the contract shows as replies: the service is asked, so none can be wrong."""

from typing import Any, NamedTuple

from service.api.dispatch import Service
from service.api.problems import MEDIA_TYPE
from service.schemas.example import Example


class ProblemOf(NamedTuple):
    """A problem that operations share; `provoked` are the arguments of a request that gets it."""

    name: str
    description: str
    provoked: dict[str, Any] | None = None


_JSON = "application/json"

PROBLEMS = {
    400: ProblemOf(
        "NotJson",
        "The body is not JSON in UTF-8, or not complete.",
        {"data": '{"X": [[NaN]]}', "content_type": _JSON},
    ),
    404: ProblemOf("NotFound", "There is nothing under this path."),
    408: ProblemOf("TooSlow", "The body did not come in time."),
    413: ProblemOf("TooLarge", "The body is larger than the service takes."),
    415: ProblemOf(
        "WrongType",
        "The body is not declared as application/json.",
        {"data": "X=1", "content_type": "application/x-www-form-urlencoded"},
    ),
    422: ProblemOf(
        "Unusable",
        "The request is well-formed but cannot be used; errors say where and why.",
        {"json": {"Q": [[1, 2]], "K": [[3, -1, 0], [0, 1, 1]], "V": [[1], [2]]}},
    ),
    500: ProblemOf("Failed", "The service failed; its log says why, under X-Request-Id."),
}


def reply_to(app: Service, path: str, method: str, example: Example) -> Any:
    """What the service replies to an example."""
    reply = app.test_client().open(
        path.format(**example.path), method=method, query_string=example.query, json=example.body
    )
    if reply.status_code != 200:
        raise ValueError(f"{method} {path}, example {example.name}: {reply.text}")
    return reply.json


def problems(app: Service) -> dict[int, tuple[str, dict[str, Any]]]:
    """The problems as shared responses, by status."""
    return {status: (problem.name, _response(app, problem)) for status, problem in PROBLEMS.items()}


def _response(app: Service, problem: ProblemOf) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": {"$ref": "#/components/schemas/Problem"}}
    if problem.provoked:
        content["example"] = app.test_client().post("/v1/attention", **problem.provoked).json
    return {
        "description": problem.description,
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}},
        "content": {MEDIA_TYPE: content},
    }
