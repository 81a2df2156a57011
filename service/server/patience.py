"""A socket whose peer may keep a thread waiting for a while, but not for ever.

A limit on each read would let a client send a byte a minute, and a limit on the whole would punish
slow lines. So a connection has a purse of seconds: waiting spends it, bytes moved earn it back.
"""

import errno
import os
import select
import socket
import time
from typing import TYPE_CHECKING

from werkzeug.exceptions import RequestTimeout

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

HEAD_SECONDS = float(os.environ.get("HEAD_TIMEOUT", "10"))
STALL_SECONDS = float(os.environ.get("STALL_TIMEOUT", "20"))
BYTES_PER_SECOND = float(os.environ.get("MIN_RATE", "16000"))


class PatientSocket(socket.socket):
    """Blocking, until the purse is empty; where the server sets a timeout, that one holds."""

    most = left = STALL_SECONDS

    def allow(self, seconds: float) -> None:
        """Fill the purse: what comes next may keep us waiting for so long."""
        self.most = self.left = seconds

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        while self.gettimeout() is None:
            try:
                data = super().recv(size, flags | socket.MSG_DONTWAIT)
            except BlockingIOError:
                if not self._wait(select.POLLIN):
                    raise RequestTimeout("The request arrived too slowly.") from None
            else:
                self._earn(len(data))
                return data
        return super().recv(size, flags)

    def sendall(self, data: "ReadableBuffer", flags: int = 0, /) -> None:
        if self.gettimeout() is not None:
            return super().sendall(data, flags)
        rest = memoryview(data).cast("B")
        while rest:
            try:
                sent = super().send(rest, flags | socket.MSG_DONTWAIT)
            except BlockingIOError:
                if not self._wait(select.POLLOUT):
                    # To the server this is a client that went away: no traceback, no second reply.
                    raise BrokenPipeError(errno.EPIPE, "the reply is read too slowly") from None
            else:
                self._earn(sent)
                rest = rest[sent:]

    def _earn(self, count: int) -> None:
        self.left = min(self.most, self.left + count / BYTES_PER_SECOND)

    def _wait(self, event: int) -> bool:
        poll = select.poll()
        poll.register(self, event)
        start = time.monotonic()
        ready = poll.poll(max(self.left, 0) * 1000)
        self.left -= time.monotonic() - start
        return bool(ready)
