"""A batch through the real server: both ways at once, whatever the client does first."""

import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from real_server import JSON, Server, request

from service.server.patience import MOST_AHEAD, PatientSocket, Store

NDJSON = "Content-Type: application/x-ndjson"
LINE = {"question": "heads-gpt3", "answer": {"kind": "text", "text": "9216"}}
EXERCISE = {
    "question": "calculator",
    "answer": {"kind": "steps", "steps": {"scores": [["1/3"] * 4] * 4, "V": [["1", "2"]] * 4}},
}


def body(count: int, line: object = LINE) -> bytes:
    return b"".join(json.dumps({"id": str(i), **dict(line)}).encode() + b"\n" for i in range(count))  # type: ignore[call-overload]


def post(text: bytes, *headers: str) -> bytes:
    length = f"Content-Length: {len(text)}"
    return request("POST /v1/quiz/grade/batch", NDJSON, length, *headers, body=text)


def rest(client: socket.socket) -> bytes:
    return b"".join(iter(lambda: client.recv(1 << 20), b""))


def lines(reply: bytes) -> list[dict[str, object]]:
    """The lines of a chunked reply that ended as it should."""
    head, _, text = reply.partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    parts = []
    while True:
        size, _, text = text.partition(b"\r\n")
        if not int(size, 16):
            assert text == b"\r\n"
            return [json.loads(line) for line in b"".join(parts).splitlines()]
        parts.append(text[: int(size, 16)])
        text = text[int(size, 16) + 2 :]


def test_a_client_that_sends_all_before_it_reads_gets_every_line(server: Server) -> None:
    """The reply is far larger than what the two sockets hold, and so is the request."""
    text = body(100_000)
    with server.connect(receive_buffer=4096) as client:
        client.settimeout(30)
        client.sendall(post(text, "Connection: close"))
        found = lines(rest(client))
    assert [one["id"] for one in found] == [str(i) for i in range(100_000)]


@pytest.fixture
def ends() -> Iterator[tuple[PatientSocket, socket.socket]]:
    """Our end of a connection, and the client's."""
    ours, theirs = socket.socketpair()
    patient = PatientSocket(fileno=ours.detach())
    patient.setblocking(True)
    theirs.setblocking(False)
    with patient, theirs:
        yield patient, theirs


SENT = random.Random(8).randbytes(1 << 19)
LARGE = b"r" * (1 << 24)


def converse(patient: PatientSocket, theirs: socket.socket, room: int) -> bytes:
    """We send; the client sends all it has before it reads, as long as it gets it off."""
    replies: list[int] = []

    def client() -> None:
        theirs.settimeout(2)
        with suppress(TimeoutError):
            theirs.sendall(SENT)
        with suppress(TimeoutError):
            while sum(replies) < len(LARGE):
                replies.append(len(theirs.recv(1 << 20)))

    thread = threading.Thread(target=client)
    thread.start()
    patient.allow(1)
    patient.read_ahead(room)
    try:
        patient.sendall(LARGE)
    finally:
        thread.join()
    held = b""
    while patient.held:
        held += patient.recv(1_000)
    return held


def test_what_comes_while_a_reply_waits_is_read_afterwards_byte_for_byte(
    ends: tuple[PatientSocket, socket.socket],
) -> None:
    patient, theirs = ends
    held = converse(patient, theirs, room=1 << 20)
    while len(held) < len(SENT):
        held += patient.recv(1 << 16)
    assert held == SENT
    assert patient.store.left == MOST_AHEAD


def test_no_more_is_taken_in_than_there_is_room_for(
    ends: tuple[PatientSocket, socket.socket],
) -> None:
    patient, theirs = ends
    with pytest.raises(BrokenPipeError):
        converse(patient, theirs, room=1 << 16)
    assert sum(map(len, patient.held)) <= 1 << 16


def test_what_a_closed_connection_held_is_free_for_others(
    ends: tuple[PatientSocket, socket.socket],
) -> None:
    patient, _ = ends
    assert patient.store.take(5)
    patient.held.append(b"12345")
    patient.close()
    assert patient.store.left == MOST_AHEAD


def test_connections_share_what_is_held() -> None:
    store = Store(10)
    assert store.take(6)
    assert not store.take(5)
    store.give(6)
    assert store.take(10)


def test_replies_come_while_the_request_is_still_being_sent(server: Server) -> None:
    text = body(3_000)
    half = text.index(b"\n", len(text) // 2) + 1
    with server.connect() as client:
        client.sendall(post(text, "Connection: close")[: -(len(text) - half)])
        first = client.recv(1 << 16)
        assert first.startswith(b"HTTP/1.1 200")
        client.sendall(text[half:])
        assert len(lines(first + rest(client))) == 3_000


def test_a_chunked_request_is_taken_as_it_comes(server: Server) -> None:
    text = body(500)
    head = request(
        "POST /v1/quiz/grade/batch", NDJSON, "Transfer-Encoding: chunked", "Connection: close"
    )
    with server.connect() as client:
        client.sendall(head)
        for start in range(0, len(text), 777):
            part = text[start : start + 777]
            client.sendall(b"%x\r\n%b\r\n" % (len(part), part))
        client.sendall(b"0\r\n\r\n")
        assert len(lines(rest(client))) == 500


def test_a_request_that_stalls_gets_what_there_is_and_the_reason(server: Server) -> None:
    text = body(2_000)
    with server.connect() as client:
        client.sendall(post(text)[:-100])
        found = lines(rest(client))
    assert found[-1]["error"]["status"] == 408  # type: ignore[index]
    assert len(found) > 1


def test_a_connection_serves_another_request_after_a_batch(server: Server) -> None:
    with server.connect() as client:
        client.sendall(post(body(2)))
        data = b""
        while not data.endswith(b"0\r\n\r\n"):
            data += client.recv(1 << 16)
        client.sendall(request("GET /healthz", "Connection: close"))
        assert rest(client).startswith(b"HTTP/1.1 200")


def test_others_are_answered_while_a_long_batch_is_worked_on(server: Server) -> None:
    """Counted until the batch's client has a third of its reply; the rest fits into no socket."""
    received = 0

    def long_batch() -> None:
        nonlocal received
        with server.connect() as client:
            client.settimeout(60)
            client.sendall(post(body(4_000, EXERCISE), "Connection: close"))
            while data := client.recv(1 << 16):
                received += len(data)

    thread = threading.Thread(target=long_batch)
    thread.start()
    while not received:
        time.sleep(0.01)
    single = json.dumps({"items": [LINE]}).encode()
    length = f"Content-Length: {len(single)}"
    ask = request("POST /v1/quiz/grade", JSON, length, "Connection: close", body=single)
    answered = 0
    while received < 9_000_000:
        assert server.send(ask).status == 200
        answered += 1
    thread.join()
    assert received > 26_000_000
    assert answered > 5


def test_a_client_that_goes_away_does_no_harm(start: Callable[..., Server]) -> None:
    server = start()
    for _ in range(3):
        with server.connect(receive_buffer=4096) as client:
            client.sendall(post(body(2_000)))
            client.recv(100)
    assert server.send(request("GET /healthz", "Connection: close")).status == 200
