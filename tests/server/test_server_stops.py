"""SIGTERM, as a container gets it."""

import time
from collections.abc import Callable

import pytest
from real_server import Server, attention, post, read, request


@pytest.fixture
def fresh(start: Callable[..., Server]) -> Server:
    return start()


def test_an_idle_server_stops_at_once_with_code_0(fresh: Server) -> None:
    asked = time.monotonic()
    assert fresh.stop() == 0
    assert time.monotonic() - asked < 3


def test_a_request_on_its_way_is_still_answered(fresh: Server) -> None:
    body = attention(4)
    with fresh.connect() as client:
        client.sendall(post(b"", "Connection: close", length=len(body)))
        time.sleep(0.3)
        fresh.process.terminate()
        time.sleep(0.3)
        client.sendall(body)
        assert read(client).status == 200


def test_a_stalled_client_does_not_hold_up_the_stop(start: Callable[..., Server]) -> None:
    server = start(STALL_TIMEOUT="60")
    with server.connect() as client:
        client.sendall(post(b"", length=20))
        time.sleep(0.3)
        asked = time.monotonic()
        assert server.stop() == 0
    assert time.monotonic() - asked < 10


def test_an_idle_connection_does_not_hold_up_the_stop(fresh: Server) -> None:
    with fresh.connect() as client:
        client.sendall(request("HEAD /healthz"))
        client.recv(1 << 16)
        asked = time.monotonic()
        assert fresh.stop() == 0
    assert time.monotonic() - asked < 5
