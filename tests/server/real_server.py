"""The real server with the real configuration, on a free port, with short patience."""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
SHORT = {"HEAD_TIMEOUT": "1", "STALL_TIMEOUT": "1", "WEB_CONCURRENCY": "1"}


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    @property
    def problem(self) -> dict[str, Any]:
        assert self.headers["content-type"] == "application/problem+json"
        return json.loads(self.body)


class Server:
    def __init__(self, **env: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        env = {**os.environ, **SHORT, "PORT": str(self.port), **env}
        self.process = subprocess.Popen([sys.executable, "-m", "service"], cwd=ROOT, env=env)
        self.wait_until_it_listens()

    def wait_until_it_listens(self) -> None:
        for _ in range(200):
            with suppress(ConnectionRefusedError):
                return self.connect().close()
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.stop()
        raise RuntimeError("the server does not start")

    def connect(self, receive_buffer: int = 0) -> socket.socket:
        client = socket.socket()
        client.settimeout(10)
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            client.connect(("127.0.0.1", self.port))
        except OSError:
            client.close()
            raise
        return client

    def send(self, data: bytes) -> Reply:
        with self.connect() as client:
            start = time.monotonic()
            client.sendall(data)
            return read(client, start)

    def stop(self) -> int:
        """The exit code; if it does not stop in time, it is killed, and the code is not 0."""
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=15)
        self.process.kill()
        self.process.wait()
        return self.process.returncode


def read(client: socket.socket, start: float = 0.0) -> Reply:
    """Read to the end of the connection, which has to hold one reply and nothing after it."""
    data = b"".join(iter(lambda: client.recv(1 << 20), b""))
    seconds = time.monotonic() - start
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    assert len(body) == int(headers.get("content-length", len(body)))
    return Reply(int(first.split()[1]), headers, body, seconds)


def request(line: str, *headers: str, body: bytes = b"") -> bytes:
    return "\r\n".join((f"{line} HTTP/1.1", "Host: x", *headers, "", "")).encode() + body


JSON = "Content-Type: application/json"
HEALTH = request("GET /healthz", "Connection: close")


def post(body: bytes, *headers: str, length: int | None = None) -> bytes:
    return request(
        "POST /v1/attention",
        JSON,
        f"Content-Length: {len(body) if length is None else length}",
        *headers,
        body=body,
    )


def attention(n: int) -> bytes:
    """A request about n tokens: its reply has some 80 n² bytes."""
    matrix = [[1.0, 0.3]] * n
    return json.dumps({"Q": matrix, "K": matrix, "V": matrix}).encode()
