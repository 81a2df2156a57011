"""What every refusal has in common, checked in one place."""

import json
from http import HTTPStatus
from typing import Any

TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}


def assert_problem(response: Any, status: int, pointer: str | None, sentence: str) -> None:
    """The response is this problem, and its first error is at this place (None: it names none)."""
    assert_is_problem(response, status)
    problem = response.get_json()
    if pointer is None:
        assert (problem["detail"], problem["errors"]) == (sentence, [])
    else:
        assert problem["errors"][0] == {"pointer": pointer, "detail": sentence}
        assert problem["detail"] in (sentence, f"{pointer}: {sentence}")


def assert_is_problem(response: Any, status: int) -> None:
    """The response has this status and the form of every problem, whatever it says."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    assert response.headers["X-Request-Id"]
    problem = json.loads(response.data)
    assert list(problem) == ["type", "title", "status", "detail", "errors"]
    assert problem["type"] == "about:blank"
    assert problem["status"] == status
    assert problem["title"] == TITLES.get(status, HTTPStatus(status).phrase)
    assert problem["detail"]
    assert all(list(error) == ["pointer", "detail"] for error in problem["errors"])
    assert "Traceback" not in response.text
    assert "<html" not in response.text.lower()
