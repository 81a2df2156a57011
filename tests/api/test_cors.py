"""Who may call the service from a browser, and read its replies, its errors included."""

from typing import Any

import pytest
from every_request import EVERY
from flask.testing import FlaskClient

from service.app import create_app

LMS, SHOP, EVIL = "https://lms.example", "https://shop.example:8443", "https://evil.example"
LISTED = create_app({"CORS_ORIGINS": f"{LMS} {SHOP}"}).test_client()
ORIGIN, VARY = "Access-Control-Allow-Origin", "Vary"

ATTENTION = EVERY["attention"]
REPLIES: dict[str, tuple[int, str, str, dict[str, Any]]] = {
    "200": (200, "POST", ATTENTION.path, {"json": ATTENTION.body}),
    "a large 200": (
        200,
        "POST",
        "/v1/attention",
        {"json": {name: [[1.0, 0.5]] * 300 for name in "QKV"}},
    ),
    "200 of a probe": (200, "GET", "/healthz", {}),
    "200 of the contract": (200, "GET", "/openapi.yaml", {}),
    "400": (400, "POST", ATTENTION.path, {"data": "{", "content_type": "application/json"}),
    "404": (404, "GET", "/nowhere", {}),
    "404 of an example": (404, "GET", "/v1/examples/nothing", {}),
    "405": (405, "GET", ATTENTION.path, {}),
    "413": (
        413,
        "POST",
        ATTENTION.path,
        {"data": b" " * (3 << 20), "content_type": "application/json"},
    ),
    "415": (415, "POST", ATTENTION.path, {"data": "{}"}),
    "422": (422, "POST", ATTENTION.path, {"json": {}}),
    "204 of options": (204, "OPTIONS", ATTENTION.path, {}),
}
replies = pytest.mark.parametrize(
    ("status", "method", "path", "sent"), REPLIES.values(), ids=REPLIES
)


def call(
    client: FlaskClient, reply: tuple[int, str, str, dict[str, Any]], origin: str | None
) -> Any:
    status, method, path, sent = reply
    headers = {"Origin": origin} if origin else {}
    response = client.open(path, method=method, headers=headers, **sent)
    assert response.status_code == status
    return response


def preflight(client: FlaskClient, origin: str, path: str = ATTENTION.path) -> Any:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, x-request-id",
    }
    return client.options(path, headers=headers)


def words(value: str) -> set[str]:
    return {word.strip().lower() for word in value.split(",")}


# Any origin, the default


@replies
@pytest.mark.parametrize("origin", [LMS, EVIL, "null", None])
def test_by_default_any_page_may_read_any_reply(
    client: FlaskClient,
    origin: str | None,
    status: int,
    method: str,
    path: str,
    sent: dict[str, Any],
) -> None:
    response = call(client, (status, method, path, sent), origin)
    assert response.headers.getlist(ORIGIN) == ["*"]


def test_by_default_a_reply_does_not_vary_by_origin(client: FlaskClient) -> None:
    assert VARY not in client.get("/healthz", headers={"Origin": LMS}).headers


def test_no_reply_allows_credentials(client: FlaskClient) -> None:
    response = client.get("/healthz", headers={"Origin": LMS})
    assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.parametrize("setting", ["", " "])
def test_an_empty_list_of_origins_means_any(setting: str) -> None:
    client = create_app({"CORS_ORIGINS": setting}).test_client()
    assert client.get("/healthz", headers={"Origin": EVIL}).headers[ORIGIN] == "*"


# A list of origins


@replies
@pytest.mark.parametrize("origin", [LMS, SHOP])
def test_a_listed_origin_is_named_in_any_reply(
    origin: str, status: int, method: str, path: str, sent: dict[str, Any]
) -> None:
    response = call(LISTED, (status, method, path, sent), origin)
    assert response.headers.getlist(ORIGIN) == [origin]


UNLISTED = {
    "another": EVIL,
    "none": None,
    "null": "null",
    "a star": "*",
    "one that begins alike": LMS + ".evil.example",
    "one with a port": LMS + ":8080",
    "one without TLS": LMS.replace("https", "http"),
    "both": f"{LMS} {SHOP}",
    "capitals": LMS.upper(),
}


@pytest.mark.parametrize("origin", UNLISTED.values(), ids=UNLISTED)
def test_no_other_origin_is_allowed(origin: str | None) -> None:
    assert (
        ORIGIN not in LISTED.get("/healthz", headers={"Origin": origin} if origin else {}).headers
    )


@replies
@pytest.mark.parametrize("origin", [EVIL, None])
def test_no_reply_names_an_origin_that_did_not_ask(
    origin: str | None, status: int, method: str, path: str, sent: dict[str, Any]
) -> None:
    assert ORIGIN not in call(LISTED, (status, method, path, sent), origin).headers


@replies
@pytest.mark.parametrize("origin", [LMS, EVIL, None])
def test_with_a_list_every_reply_varies_by_origin(
    origin: str | None, status: int, method: str, path: str, sent: dict[str, Any]
) -> None:
    response = call(LISTED, (status, method, path, sent), origin)
    assert words(response.headers[VARY]) == {"origin"}


def test_a_fault_of_the_service_can_be_read_and_varies_by_origin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = create_app({"CORS_ORIGINS": LMS})
    monkeypatch.delattr(app.operations[ATTENTION.path], "view")
    headers = {"Origin": LMS}
    response = app.test_client().post(ATTENTION.path, json=ATTENTION.body, headers=headers)
    assert response.status_code == 500
    assert (response.headers[ORIGIN], words(response.headers[VARY])) == (LMS, {"origin"})


# Preflights


@pytest.mark.parametrize("path", [asked.path for asked in EVERY.values()], ids=EVERY)
def test_a_preflight_allows_a_post_of_json_with_a_request_id(
    client: FlaskClient, path: str
) -> None:
    response = preflight(client, LMS, path)
    assert (response.status_code, response.data) == (204, b"")
    assert response.headers[ORIGIN] == "*"
    assert "post" in words(response.headers["Access-Control-Allow-Methods"])
    assert {"content-type", "x-request-id"} <= words(
        response.headers["Access-Control-Allow-Headers"]
    )


def test_a_preflight_is_kept_for_a_day(client: FlaskClient) -> None:
    assert preflight(client, LMS).headers["Access-Control-Max-Age"] == "86400"


def test_a_preflight_to_nowhere_succeeds_so_that_the_page_can_read_the_404(
    client: FlaskClient,
) -> None:
    assert preflight(client, LMS, "/nowhere").status_code == 204


def test_a_preflight_from_a_listed_origin_is_allowed_by_name() -> None:
    assert preflight(LISTED, SHOP).headers[ORIGIN] == SHOP


def test_a_preflight_from_another_origin_is_not_allowed() -> None:
    assert ORIGIN not in preflight(LISTED, EVIL).headers


@pytest.mark.parametrize("origin", [LMS, EVIL])
def test_with_a_list_a_preflight_varies_by_origin(origin: str) -> None:
    assert words(preflight(LISTED, origin).headers[VARY]) == {"origin"}


# What a page may read


@replies
def test_a_page_may_read_the_request_id_of_any_reply(
    client: FlaskClient, status: int, method: str, path: str, sent: dict[str, Any]
) -> None:
    response = call(client, (status, method, path, sent), LMS)
    assert "x-request-id" in words(response.headers["Access-Control-Expose-Headers"])


def test_a_page_of_a_listed_origin_may_read_the_request_id() -> None:
    response = LISTED.get("/nowhere", headers={"Origin": LMS})
    assert "x-request-id" in words(response.headers["Access-Control-Expose-Headers"])
