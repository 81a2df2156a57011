"""Writes openapi.yaml: `python -m service.api.openapi`.

Everything in it is said once, elsewhere: operations beside their views, types and descriptions in
the schemas, replies by the service itself. This needs the development dependencies; the service
only serves the file.
"""

import tomllib
from typing import Any

from apispec import APISpec

from service.api.dispatch import Service
from service.api.openapi_file import PATH
from service.api.openapi_operations import TEACHER, operation_object, routes
from service.api.openapi_schemas import MATRICES, Plugin, reference
from service.api.openapi_text import paragraphs
from service.api.openapi_yaml import to_yaml
from service.api.spec_examples import problems
from service.schemas import replies

# Tokens need a key, and what is made with it stands nowhere in the contract.
ENVIRONMENT = {"ENVIRONMENT": "development"}

TITLE = "Attention, step by step"

ABOUT = """\
Attention and the rest of a transformer on the caller's own numbers, with every intermediate step:
named, shaped, labelled, with the rule that says which cells each cell was made from, and on demand
the arithmetic of any cell. The service keeps nothing: the same request gives the same reply.

Every matrix is a list of rows. In a request, null or an empty list for an optional member counts
as leaving it out. An unknown member is refused; a reply may grow new ones. NaN and Infinity are
never sent and never taken; −∞, a blocked cell, is null. Every error is a Problem, whose errors
say where in the request the fault is and what to change. A path that is not there is a 404, and a
method that a path does not have is a 405 with Allow.
"""

TAGS = {
    "attention": "Attention, step by step, on your own numbers.",
    "transformer": "The rest of a transformer: normalisation, positions, blocks, counts.",
    "quiz": "Questions, and the grading of answers.",
    "examples": "The lecture's demos as ready requests.",
    "service": "The state of the service.",
}

REQUEST_ID = {
    "description": "Names the request in the service's log: yours if you sent one, else a new one.",
    "schema": {"type": "string"},
}

CHALLENGE = {
    "description": "Bearer: what the credential is sent as.",
    "schema": {"type": "string"},
}

SECURITY = {
    "type": "http",
    "scheme": "bearer",
    "description": "A teacher's credential, for reveal, rules of one's own choice, and tokens for"
    " a learner.",
}

NOT_STORED = {
    "description": "no-store: the reply may hold a token or a key.",
    "schema": {"type": "string"},
}

RETRY_AFTER = {
    "description": "After how many seconds to try again.",
    "schema": {"type": "integer", "format": "int64"},
}


def contract(app: Service) -> dict[str, Any]:
    """The contract of an application as an OpenAPI document."""
    project = tomllib.loads((PATH.parent / "pyproject.toml").read_text())["project"]
    spec = APISpec(TITLE, project["version"], "3.1.0", plugins=[Plugin()])
    for name, schema in MATRICES.items():
        spec.components.schema(name, schema)
    reference(spec, replies.Problem)
    paths: dict[str, Any] = {}
    for route in routes(app):
        paths.setdefault(route.path, {})[route.method] = operation_object(app, spec, route)
    found = [operation for methods in paths.values() for operation in methods.values()]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "version": project["version"],
            "description": "\n\n".join(paragraphs(ABOUT)),
            "license": {"name": "MIT License", "identifier": project["license"]},
        },
        "servers": [{"url": "http://localhost:8000", "description": "The container as it comes."}],
        "security": [],
        "tags": [
            {"name": tag, "description": about}
            for tag, about in TAGS.items()
            if any(tag in operation["tags"] for operation in found)
        ],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(spec.components.schemas.items())),
            "responses": {
                name: problem
                for status, (name, problem) in problems(app).items()
                if any(str(status) in operation["responses"] for operation in found)
            },
            "headers": {
                "X-Request-Id": REQUEST_ID,
                "Retry-After": RETRY_AFTER,
                "WWW-Authenticate": CHALLENGE,
                "Cache-Control": NOT_STORED,
            },
            "securitySchemes": {TEACHER: SECURITY},
        },
    }


def generate(app: Service) -> str:
    """The contract of an application as text."""
    return to_yaml(contract(app))


def main() -> None:
    """Write the contract of the service as it now is."""
    from service.app import create_app

    PATH.touch()  # the service does not start without one, not even to write the first
    PATH.write_text(generate(create_app(ENVIRONMENT)))


if __name__ == "__main__":
    main()
