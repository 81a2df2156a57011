"""What the server itself refuses, before the application sees it, in the application's own form."""

import logging
import os
import socket

import orjson
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]

from service.api import problems
from service.api.cors import allowed_origins, cors_headers

log = logging.getLogger("gunicorn.error")

# The Origin may not have been read, or not be fit to be read, when the server refuses.
CORS = cors_headers(None, allowed_origins(os.environ.get("CORS_ORIGINS", "")))


def write_error(sock: socket.socket, status: int, _reason: str, message: str) -> None:
    """Answer with problem details; takes the place of gunicorn.util.write_error, which has HTML."""
    request_id = os.urandom(8).hex()
    log.info("request %s refused with %d", request_id, status)
    problem = problems.body(status, message[:200], [])
    problem["detail"] = problem["detail"] or problem["title"]
    text = orjson.dumps(problem)
    lines = (
        f"HTTP/1.1 {status} {problem['title']}",
        f"Content-Type: {problems.MEDIA_TYPE}",
        f"Content-Length: {len(text)}",
        "Connection: close",
        f"X-Request-Id: {request_id}",
        *(f"{name}: {value}" for name, value in CORS),
    )
    write_nonblock(sock, "\r\n".join(lines).encode() + b"\r\n\r\n" + text)
