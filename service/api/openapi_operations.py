"""The operations of the contract, from what is declared beside their views."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from apispec import APISpec
from marshmallow import Schema

from service.api.contract import JSON, Operation
from service.api.dispatch import Service
from service.api.openapi_schemas import query_parameters, reference
from service.api.openapi_text import camel_case, paragraphs
from service.api.openapi_yaml import shown
from service.api.spec_examples import PROBLEMS, body_of, reply_to
from service.schemas.example import Example

TEACHER = "teacher"


class Route(NamedTuple):
    """Where an operation is found."""

    path: str
    method: str
    tag: str
    operation: Operation


def routes(app: Service) -> Iterator[Route]:
    """The operations of an application, in the order in which they were registered."""
    for endpoint, view in app.view_functions.items():
        if isinstance(view, Operation):
            for rule in app.url_map.iter_rules(endpoint):
                path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
                for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                    tag = view.tag or endpoint.partition(".")[0]
                    yield Route(path, method.lower(), tag, view)


def operation_object(app: Service, spec: APISpec, route: Route) -> dict[str, Any]:
    """One operation of the contract."""
    path, method, tag, operation = route
    summary, *description = paragraphs(operation.__doc__)
    found: dict[str, Any] = {
        "operationId": camel_case(operation.__name__),
        "tags": [tag],
        "summary": summary.removesuffix("."),
    }
    if description:
        found["description"] = "\n\n".join(description)
    if parameters := _parameters(spec, path, operation):
        found["parameters"] = parameters
    if operation.body:
        requests = {one.name: _example(one, _sent(operation, one)) for one in operation.examples}
        content = _content(spec, operation, type(operation.body), requests)
        found["requestBody"] = {"required": True, "content": content}
    replies = {
        one.name: _example(one, reply_to(app, path, method, operation, one))
        for one in operation.examples
    }
    if operation.secured:
        found["security"] = [{}, {TEACHER: []}]
    found["responses"] = {
        "200": {
            "description": paragraphs(operation.reply.__doc__)[0],
            "headers": {
                name: {"$ref": f"#/components/headers/{name}"} for name in _headers(operation)
            },
            "content": _content(spec, operation, operation.reply, replies),
        },
        **{str(status): _problem(status) for status in statuses(path, operation)},
    }
    return found


def _parameters(spec: APISpec, path: str, operation: Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "in": "path",
            "name": name,
            "description": operation.path[name],
            "required": True,
            "schema": {"type": "string"},
        }
        for name in re.findall(r"\{(\w+)\}", path)
    ]
    if operation.query:
        found += query_parameters(spec, type(operation.query))
    for parameter in found:
        values = {one.name: one.path | one.query for one in operation.examples}
        name = parameter["name"]
        parameter["examples"] = {
            one: {"value": value[name]} for one, value in values.items() if name in value
        }
    return found


def _content(
    spec: APISpec, operation: Operation, schema: type[Schema], examples: dict[str, Any]
) -> dict[str, Any]:
    """What a body is. Of a body of lines OpenAPI 3.1 has only the whole, a text; 3.2 calls the
    schema of one line itemSchema."""
    named = reference(spec, schema)
    if operation.media == JSON:
        return {JSON: {"schema": named, "examples": examples}}
    about = f"Lines of JSON, each a {schema.__name__}."
    text = {"type": "string", "format": "binary", "description": about}
    return {operation.media: {"schema": text, "x-itemSchema": named, "examples": examples}}


def _example(example: Example, value: Any) -> dict[str, Any]:
    return {"summary": example.summary, "value": shown(value)}


def _sent(operation: Operation, example: Example) -> Any:
    return (
        example.body if operation.media == JSON else (body_of(operation, example) or b"").decode()
    )


def _headers(operation: Operation) -> list[str]:
    return ["X-Request-Id", *(["Cache-Control"] if operation.secured else [])]


def _problem(status: int) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{PROBLEMS[status].name}"}


def statuses(path: str, operation: Operation) -> list[int]:
    """The errors that an operation can reply with."""
    found = {500}
    if operation.body:
        found |= {400, 408, 413, 415}
    if operation.body and operation.media == JSON:
        found |= {422, 503}  # of lines, each has its own problem
    if operation.query:
        found |= {422}
    if operation.secured:
        found |= {401}
    if "{" in path:
        found |= {404}
    return sorted(found)
