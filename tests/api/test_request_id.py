"""X-Request-Id: the caller's own comes back, anything else is replaced, and no reply lacks one."""

import re

import pytest
from every_request import EVERY
from flask.testing import FlaskClient

OWN = ["lesson-5", "a", "x" * 128, "550e8400-e29b-41d4-a716-446655440000", "!~[]{}:;,/"]
UNFIT = ["", " ", "a b", "x" * 129, "ü", "a\tb"]
FRESH = re.compile("[0-9a-f-]{8,128}")

REPLIES = {
    "a trace": ("POST", EVERY["attention"].path, EVERY["attention"].body, 200),
    "a refusal": ("POST", "/v1/attention", {}, 422),
    "a path that is not there": ("GET", "/nowhere", None, 404),
    "a method that is not allowed": ("GET", "/v1/attention", None, 405),
    "a probe": ("GET", "/healthz", None, 200),
    "the contract": ("GET", "/openapi.yaml", None, 200),
    "options": ("OPTIONS", "/v1/attention", None, 204),
}


@pytest.mark.parametrize("own", OWN)
def test_a_callers_id_comes_back(client: FlaskClient, own: str) -> None:
    response = client.get("/healthz", headers={"X-Request-Id": own})
    assert response.headers.getlist("X-Request-Id") == [own]


@pytest.mark.parametrize("unfit", UNFIT)
def test_an_id_that_does_not_fit_a_log_is_replaced(client: FlaskClient, unfit: str) -> None:
    response = client.get("/healthz", headers={"X-Request-Id": unfit})
    assert FRESH.fullmatch(response.headers["X-Request-Id"])


@pytest.mark.parametrize(("method", "path", "body", "status"), REPLIES.values(), ids=REPLIES)
def test_every_reply_has_one_id(
    client: FlaskClient, method: str, path: str, body: object, status: int
) -> None:
    response = client.open(path, method=method, json=body if method == "POST" else None)
    assert response.status_code == status
    (fresh,) = response.headers.getlist("X-Request-Id")
    assert FRESH.fullmatch(fresh)


def test_each_request_gets_an_id_of_its_own(client: FlaskClient) -> None:
    ids = {client.get("/healthz").headers["X-Request-Id"] for _ in range(100)}
    assert len(ids) == 100
