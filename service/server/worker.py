"""gunicorn's threaded worker, with no way left for a client to hold it up.

What is added: an end to waiting, a check of Host, and closing where it disturbs no one.
"""

import re
import socket
import time
from contextlib import suppress
from typing import Any

from gunicorn.http.body import LengthReader  # type: ignore[import-untyped]
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]
from gunicorn.util import close_graceful  # type: ignore[import-untyped]
from gunicorn.workers import gthread  # type: ignore[import-untyped]
from werkzeug.exceptions import BadRequest, HTTPException, RequestTimeout

from service.server.patience import HEAD_SECONDS, STALL_SECONDS, PatientSocket
from service.server.problem import write_error

HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(:\d*)?", re.ASCII)
# A new connection holds a thread for so long before it says anything; then it waits without one.
# gunicorn's five seconds are what a request behind as many silent connections as threads waits.
gthread.DEFAULT_WORKER_DATA_TIMEOUT = 0.05
LINGER_SECONDS = 2.0
LINGER_BYTES = 64 << 20


class Worker(gthread.ThreadWorker):  # type: ignore[misc]
    """The hooks of ThreadWorker that stand around one request."""

    def handle(self, conn: Any) -> Any:
        if not isinstance(conn.sock, PatientSocket):
            conn.sock = PatientSocket(fileno=conn.sock.detach())
        conn.sock.allow(HEAD_SECONDS)
        keep = super().handle(conn)
        if keep is False:
            hang_up(conn.sock)
        return keep

    def handle_request(self, req: Any, conn: Any) -> bool:
        check_host(req)
        conn.sock.allow(STALL_SECONDS)
        req.body.reader = Reader(req)
        keep = super().handle_request(req, conn) and drained(conn.parser)
        # What has been taken in of a next request would wait for a socket that has nothing more.
        return keep and not conn.sock.held

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        if isinstance(exc, HTTPException):
            write_error(client, exc.code or 500, exc.name, exc.description or "")
        else:
            super().handle_error(req, client, addr, exc)


class Reader:
    """Reads a body: BadRequest if it is broken, RequestTimeout if it stalls, and nothing else."""

    def __init__(self, req: Any) -> None:
        self.req, self.reader = req, req.body.reader

    def read(self, size: int) -> bytes:
        promised = min(size, self.reader.length) if isinstance(self.reader, LengthReader) else 0
        try:
            data: bytes = self.reader.read(size)
            if len(data) < promised:
                raise BadRequest("The body is shorter than its Content-Length.")
        except (ParseException, OSError) as error:
            self.req.force_close()
            raise BadRequest(f"The body cannot be read. {error}") from None
        except (BadRequest, RequestTimeout):
            self.req.force_close()
            raise
        return data


def check_host(req: Any) -> None:
    """RFC 9112, 3.2: refuse a missing or malformed Host, which gunicorn lets through."""
    host = next((value for name, value in req.headers if name == "HOST"), None)
    if (host is None and req.version >= (1, 1)) or (host is not None and not HOST.fullmatch(host)):
        req.force_close()
        raise BadRequest("The request needs one valid Host header.")


def drained(parser: Any) -> bool:
    """Whether what is left of the body is out of the way, so that another request may follow."""
    try:
        return bool(parser.finish_body(deadline=time.monotonic() + LINGER_SECONDS))
    except HTTPException:  # from Reader: the reply is out, a second one must not follow
        return False


def hang_up(sock: socket.socket) -> None:
    """Linger until the client has our last words, in this thread.

    The server does it in the thread that accepts: one client that does not close stops it for
    two seconds. After this, its own attempt finds nothing to wait for.
    """
    with suppress(OSError):
        close_graceful(sock.dup(), LINGER_SECONDS, LINGER_BYTES)
        sock.shutdown(socket.SHUT_RD)
