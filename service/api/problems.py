"""Every error as a problem detail (RFC 9457): one shape, made here and nowhere else."""

import logging
from collections.abc import Iterator
from http import HTTPStatus
from itertools import islice
from typing import Any

import orjson
from flask import Flask, Response, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from service.api.body import NotJson
from service.engine.errors import EngineError
from service.schemas.fields import MOST_PROBLEMS

MEDIA_TYPE = "application/problem+json"
UNUSABLE = HTTPStatus.UNPROCESSABLE_ENTITY

# RFC 9110's words, which Python has from 3.13 on.
TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
MOST_CHARACTERS = 2_000

log = logging.getLogger(__name__)


def body(status: int, detail: str, errors: list[dict[str, str]]) -> dict[str, Any]:
    """`errors` says, for each fault, where it is (a JSON pointer) and what to change."""
    errors = [{**error, "detail": shortened(error["detail"])} for error in errors]
    return {
        "type": "about:blank",
        "title": TITLES.get(status) or HTTPStatus(status).phrase,
        "status": status,
        "detail": shortened(detail),
        "errors": errors,
    }


def shortened(detail: str) -> str:
    """A sentence, cut where it repeats what is longer than anybody reads."""
    return detail if len(detail) <= MOST_CHARACTERS else f"{detail[:MOST_CHARACTERS]}…"


def problem(status: int, detail: str, errors: list[dict[str, str]] | None = None) -> Response:
    """A problem as a response."""
    text = orjson.dumps(body(status, detail, errors or []))
    return Response(text, status, content_type=MEDIA_TYPE)


def pointer(*path: object) -> str:
    """A JSON pointer in its fragment form."""
    return "#" + "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def flatten(messages: Any, path: tuple[object, ...] = ()) -> Iterator[dict[str, str]]:
    """marshmallow's messages, nested by place, as a list of pointers and details."""
    if isinstance(messages, dict):
        for key, nested in messages.items():
            yield from flatten(nested, (*path, key))
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield {"pointer": pointer(*path), "detail": str(message)}


def refused(error: ValidationError) -> Response:
    """422 for a body that is not what the operation takes."""
    errors = list(islice(flatten(error.messages), MOST_PROBLEMS))
    first = errors[0]
    return problem(UNUSABLE, f"{first['pointer']}: {first['detail']}", errors)


def unusable(error: EngineError) -> Response:
    """422 for a body whose parts do not fit together, or whose result does not fit a float64."""
    path = error.field.split("/") if error.field else ()
    return problem(UNUSABLE, error.message, [{"pointer": pointer(*path), "detail": error.message}])


def unparsable(error: NotJson) -> Response:
    """400 for a body that is not JSON, with the place where reading it ended."""
    detail = str(error.description)
    return problem(400, detail, [{"pointer": pointer(*error.place), "detail": detail}])


def http_error(error: HTTPException) -> Response:
    """Any other refusal; its own headers, such as Allow, stay."""
    given = error.get_response()
    status = given.status_code
    response = problem(status, _detail(error, status))
    for name, value in given.headers:
        if not name.startswith("Content-"):
            response.headers.add(name, value)
    return response


def _detail(error: HTTPException, status: int) -> str:
    """What to change; werkzeug's own words where they say it."""
    if type(error) is NotFound and error.description == NotFound.description:
        return "There is nothing here. /openapi.yaml has the paths, /v1/examples the bodies."
    if isinstance(error, MethodNotAllowed):
        return f"This path takes {', '.join(sorted(error.valid_methods or ()))}."
    return error.description or HTTPStatus(status).phrase


def crash(error: Exception, request_id: str) -> Response:
    """500, without detail: the log has it, under the request's id."""
    log.error("request %s failed", request_id, exc_info=error)
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "The service failed. The fault is logged under this reply's X-Request-Id.",
    )


def answer(error: Exception, environ: dict[str, Any]) -> Response:
    """The problem that an exception stands for."""
    if isinstance(error, ValidationError):
        return refused(error)
    if isinstance(error, EngineError):
        return unusable(error)
    if isinstance(error, NotJson):
        return unparsable(error)
    if isinstance(error, HTTPException):
        return http_error(error)
    return crash(error, environ.get("service.request_id", ""))


def register(app: Flask) -> None:
    """Make every error of the app a problem."""
    app.register_error_handler(Exception, lambda error: answer(error, request.environ))
