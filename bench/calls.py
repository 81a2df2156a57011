"""Requests in process, through the WSGI interface, and their CPU time."""

import io
import os
import time
from collections.abc import Callable, Iterable
from typing import Any

from cryptography.fernet import Fernet
from werkzeug.test import EnvironBuilder

# Without a key the quiz would refuse to make tokens, and every application would say so.
KEEPING = {"QUIZ_SECRETS": Fernet.generate_key().decode(), **os.environ}
ENVIRONMENT = KEEPING | {"REPLY_CACHE_BYTES": "0"}


def caller(
    app: Any,
    path: str,
    body: bytes,
    read: Callable[[Iterable[bytes]], Any] = b"".join,
    content_type: str = "application/json",
) -> Callable[[], Any]:
    """A function that sends one request through the WSGI interface and reads its reply.

    It stops at a reply that is no 200: what an error costs is no figure of ours.
    """
    environ = EnvironBuilder(
        path=path, method="POST", data=body, content_type=content_type
    ).get_environ()

    def started(status: str, headers: Any, exc_info: Any = None) -> None:
        assert status.startswith("200"), f"{path} replies {status}"

    def call() -> Any:
        one = dict(environ)
        one["wsgi.input"] = io.BytesIO(body)
        reply = app(one, started)
        try:
            return read(reply)
        finally:
            if hasattr(reply, "close"):
                reply.close()

    return call


def process_time(call: Callable[[], Any], calls: int) -> float:
    """Microseconds of CPU a call."""
    start = time.process_time()
    for _ in range(calls):
        call()
    return (time.process_time() - start) / calls * 1e6
