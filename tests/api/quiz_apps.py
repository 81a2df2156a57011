"""The service with secrets of its own, and what its quiz is asked."""

import json
from typing import Any

from flask.testing import FlaskClient

from service.app import create_app

# Of nobody's service: made for these tests.
KEY = "xYxxD0Pq3EcHA9vJkvyjF1bDuL4JTFoZ2kMoybEqlQ0="
OTHER_KEY = "N1vIZ0jd9kyUO7a4fqQ5hy0lqmx4gPCJZy4pW3Wc2c4="
CREDENTIAL = "test-only-Wf3uYp2kQ8sLx6Zr"
TEACHER = {"Authorization": f"Bearer {CREDENTIAL}"}

NDJSON = "application/x-ndjson"


def quiz_client(**environment: str) -> FlaskClient:
    given = {"QUIZ_SECRETS": KEY, "TEACHER_CREDENTIALS": CREDENTIAL, **environment}
    return create_app(given).test_client()


def text(typed: str) -> dict[str, Any]:
    return {"kind": "text", "text": typed}


def drawn(
    client: FlaskClient, headers: dict[str, str] = TEACHER, **wanted: Any
) -> list[dict[str, Any]]:
    """A set that a teacher draws, or whoever sends other headers."""
    response = client.post("/v1/quiz/draw", json=wanted, headers=headers)
    assert response.status_code == 200, response.text
    questions: list[dict[str, Any]] = response.get_json()["questions"]
    return questions


def batch(client: FlaskClient, *lines: Any) -> list[dict[str, Any]]:
    """The replies to lines, each a value or a text that is none."""
    body = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
    response = client.post("/v1/quiz/grade/batch", data=body, content_type=NDJSON)
    assert response.status_code == 200, response.text
    assert response.content_type == NDJSON
    return [json.loads(line) for line in response.data.splitlines()]
