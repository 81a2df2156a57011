"""Clients that stall, drip, linger or do not read: each is given up in time, and stops no one."""

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest
from real_server import HEALTH, JSON, Server, attention, post, read, request

HALF_BODY = post(b'{"Q": [[1]', length=2000)
HALVES = {
    "head": b"GET /healthz HT",
    "body": HALF_BODY,
    "chunk": request("POST /v1/attention", JSON, "Transfer-Encoding: chunked", body=b"ff\r\n{"),
}
halves = pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)


@halves
def test_half_a_request_is_408_after_its_time(server: Server, half: bytes) -> None:
    reply = server.send(half)
    assert (reply.problem["status"], round(reply.seconds)) == (408, 1)


@halves
def test_a_byte_now_and_then_gains_no_time(server: Server, half: bytes) -> None:
    with server.connect() as client:
        start = time.monotonic()
        client.sendall(half)
        client.settimeout(0.2)
        while time.monotonic() < start + 5:
            try:
                client.recv(1)
            except TimeoutError:
                client.sendall(b"a")
            else:
                break
    assert time.monotonic() - start < 2


def test_a_slow_but_steady_body_is_heard(server: Server) -> None:
    body = attention(4) + b" " * 40_000
    with server.connect() as client:
        start = time.monotonic()
        client.sendall(post(b"", "Connection: close", length=len(body)))
        for place in range(0, len(body), 5000):
            time.sleep(0.25)
            client.sendall(body[place : place + 5000])
        reply = read(client, start)
    assert (reply.status, reply.seconds > 2) == (200, True)


def test_more_silent_connections_than_threads_keep_no_request_waiting(
    start: Callable[..., Server],
) -> None:
    """A connection that has said nothing gives its thread back at once."""
    server = start(THREADS="4")
    with ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(server.connect())
        reply = server.send(HEALTH)
    assert (reply.status, reply.seconds < 2) == (200, True)


def test_a_reply_that_nobody_reads_is_given_up(server: Server) -> None:
    with server.connect(receive_buffer=4096) as client:
        client.sendall(post(attention(700), "Connection: close"))
        time.sleep(4)
        received = 0
        while part := client.recv(1 << 20):
            received += len(part)
    assert received < 20 << 20


def test_a_reply_read_slowly_but_steadily_is_whole(server: Server) -> None:
    with server.connect(receive_buffer=1 << 16) as client:
        client.sendall(post(attention(450), "Connection: close"))
        start, part = time.monotonic(), b""
        while more := client.recv(1 << 16):
            part = more
            time.sleep(len(part) / 6e6)
    assert (part[-5:], time.monotonic() - start > 2) == (b"0\r\n\r\n", True)


def test_a_large_body_that_is_refused_unread_gets_its_reply(server: Server) -> None:
    reply = server.send(request("POST /nowhere", f"Content-Length: {8 << 20}", body=bytes(8 << 20)))
    assert reply.status == 404


@contextmanager
def crowd(server: Server, size: int, data: bytes) -> Iterator[None]:
    with ExitStack() as clients:
        for _ in range(size):
            client = clients.enter_context(server.connect())
            client.sendall(data)
        yield


@pytest.mark.parametrize("data", [b"", *HALVES.values()], ids=["nothing", *HALVES])
def test_a_crowd_that_stalls_does_not_delay_the_others(server: Server, data: bytes) -> None:
    with crowd(server, 100, data):
        assert server.send(HEALTH).seconds < 1


def test_clients_that_do_not_close_do_not_delay_the_others(server: Server) -> None:
    with crowd(server, 10, b"GARBAGE\r\n\r\n"):
        time.sleep(0.3)
        assert server.send(HEALTH).seconds < 1


def test_health_answers_within_a_second_while_every_slot_computes(server: Server) -> None:
    heavy = post(attention(700), "Connection: close")
    with ThreadPoolExecutor(16) as clients:
        replies = [clients.submit(server.send, heavy) for _ in range(16)]
        time.sleep(0.3)
        assert not replies[-1].done()
        assert server.send(HEALTH).seconds < 1


def test_a_connection_serves_more_than_one_request(server: Server) -> None:
    with server.connect() as client:
        client.sendall(request("HEAD /healthz"))
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 200")
        client.sendall(HEALTH)
        assert read(client).status == 200


def test_head_has_no_body(server: Server) -> None:
    with server.connect() as client:
        client.sendall(request("HEAD /healthz", "Connection: close"))
        client.shutdown(socket.SHUT_WR)
        data = b"".join(iter(lambda: client.recv(1 << 16), b""))
    assert data.endswith(b"\r\n\r\n")
