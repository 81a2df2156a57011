"""What gunicorn refuses before the application sees it, in the form of the application."""

import socket
from collections.abc import Callable

import pytest
from real_server import HEALTH, JSON, Reply, Server, post, read, request

CHUNKED = "Transfer-Encoding: chunked"

MALFORMED = {
    "no HTTP": (b"GARBAGE\r\n\r\n", 400),
    "no Host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "a path in Host": (b"GET /healthz HTTP/1.1\r\nHost: a/b@c\r\n\r\n", 400),
    "an empty Host": (b"GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 400),
    "two Hosts": (request("GET /healthz", "Host: y"), 400),
    "a version from the future": (b"GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n", 400),
    "a long path": (request("GET /" + "a" * 5000), 414),
    "a long header": (request("GET /healthz", "X: " + "a" * 9000), 431),
    "many headers": (request("GET /healthz", *["X: a"] * 150), 431),
    "two lengths": (post(b"{}", "Content-Length: 3"), 400),
    "a signed length": (request("POST /v1/attention", "Content-Length: +2", body=b"{}"), 400),
    "a length and chunks": (post(b"{}", CHUNKED), 400),
    "an unknown coding": (request("POST /v1/attention", "Transfer-Encoding: xchunked"), 501),
    "an unknown expectation": (request("POST /v1/attention", "Expect: more"), 417),
}
# These reach the application, and fail when it reads.
MALFORMED_BODIES = {
    "a chunk size in words": b"zz\r\n{}\r\n0\r\n\r\n",
    "a chunk longer than its size": b"2\r\n{}XX0\r\n\r\n",
    "an endless chunk size": b"1" * 9000,
}

malformed = pytest.mark.parametrize("data", [data for data, _ in MALFORMED.values()], ids=MALFORMED)
malformed_body = pytest.mark.parametrize("body", MALFORMED_BODIES.values(), ids=MALFORMED_BODIES)


@pytest.mark.parametrize(("data", "status"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_request_has_its_status(server: Server, data: bytes, status: int) -> None:
    assert server.send(data).status == status


@malformed
def test_a_refusal_is_problem_details(server: Server, data: bytes) -> None:
    reply = server.send(data)
    assert list(reply.problem) == ["type", "title", "status", "detail", "errors"]
    assert reply.problem["status"] == reply.status


@malformed
def test_a_page_of_any_origin_can_read_a_refusal(server: Server, data: bytes) -> None:
    assert server.send(data).headers["access-control-allow-origin"] == "*"


def test_a_refusal_carries_a_request_id(server: Server) -> None:
    assert len(server.send(b"GARBAGE\r\n\r\n").headers["x-request-id"]) == 16


def test_a_refusal_says_that_the_connection_ends(server: Server) -> None:
    assert server.send(b"GARBAGE\r\n\r\n").headers["connection"] == "close"


@pytest.fixture(scope="module")
def refusal_to_a_list(start: Callable[..., Server]) -> Reply:
    return start(CORS_ORIGINS="https://lms.example").send(b"GARBAGE\r\n\r\n")


def test_with_a_list_of_origins_a_refusal_names_none(refusal_to_a_list: Reply) -> None:
    assert "access-control-allow-origin" not in refusal_to_a_list.headers


def test_with_a_list_of_origins_a_refusal_varies_by_origin(refusal_to_a_list: Reply) -> None:
    assert refusal_to_a_list.headers["vary"] == "Origin"


def test_http_1_0_needs_no_host(server: Server) -> None:
    assert server.send(b"GET /healthz HTTP/1.0\r\n\r\n").status == 200


@pytest.mark.parametrize("host", ["localhost:8000", "[::1]:8000", "xn--bcher-kva.example"])
def test_an_ordinary_host_is_let_through(server: Server, host: str) -> None:
    assert server.send(HEALTH.replace(b"Host: x", f"Host: {host}".encode())).status == 200


def test_a_client_cannot_move_the_application_by_a_header(server: Server) -> None:
    moved = HEALTH.replace(b"Host: x", b"Host: x\r\nSCRIPT_NAME: /x")
    assert server.send(moved).status == 200


@malformed_body
def test_a_malformed_body_is_400(server: Server, body: bytes) -> None:
    reply = server.send(request("POST /v1/attention", JSON, CHUNKED, body=body))
    assert reply.problem["status"] == 400


@malformed_body
def test_a_malformed_body_that_nobody_reads_adds_no_second_reply(
    server: Server, body: bytes
) -> None:
    assert server.send(request("POST /nowhere", JSON, CHUNKED, body=body)).status == 404


def test_a_body_shorter_than_its_length_is_400(server: Server) -> None:
    with server.connect() as client:
        client.sendall(post(b'{"Q": [[1]]}', length=20))
        client.shutdown(socket.SHUT_WR)
        assert "shorter" in read(client).problem["detail"]


def test_a_reply_to_a_broken_body_says_that_the_connection_ends(server: Server) -> None:
    body = MALFORMED_BODIES["a chunk size in words"]
    reply = server.send(request("POST /v1/attention", JSON, CHUNKED, body=body))
    assert reply.headers["connection"] == "close"
