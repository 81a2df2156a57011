"""A socket whose peer may keep a thread waiting for a while, but not for ever.

A limit on each read would let a client send a byte a minute, and a limit on the whole would punish
slow lines. So a connection has a purse of seconds: waiting spends it, bytes moved earn it back.

A reply that is sent while its request still comes has a trap: a client that sends all before it
reads anything waits for us to read on, and we for it. So what comes meanwhile can be taken in.
"""

import errno
import os
import select
import socket
import time
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, Any

from werkzeug.exceptions import RequestTimeout

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

HEAD_SECONDS = float(os.environ.get("HEAD_TIMEOUT", "10"))
STALL_SECONDS = float(os.environ.get("STALL_TIMEOUT", "20"))
BYTES_PER_SECOND = float(os.environ.get("MIN_RATE", "16000"))
# For all connections of a process together.
MOST_AHEAD = 128 << 20
BLOCK = 1 << 16


class Store:
    """How many bytes may still be held, shared by the connections of a process."""

    def __init__(self, size: int) -> None:
        self.left, self._lock = size, Lock()

    def take(self, size: int) -> bool:
        """Whether there was room for so many, which is now taken."""
        with self._lock:
            if size > self.left:
                return False
            self.left -= size
            return True

    def give(self, size: int) -> None:
        """Room for so many is free again."""
        with self._lock:
            self.left += size


class PatientSocket(socket.socket):
    """Blocking, until the purse is empty; where the server sets a timeout, that one holds."""

    most = left = STALL_SECONDS
    store = Store(MOST_AHEAD)
    ahead = 0  # bytes that may still be taken in

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.held: deque[bytes] = deque()

    def allow(self, seconds: float) -> None:
        """Fill the purse: what comes next may keep us waiting for so long."""
        self.most = self.left = seconds
        self.ahead = 0

    def read_ahead(self, size: int) -> None:
        """While the peer does not read, take in up to so many bytes of what it sends."""
        self.ahead = size

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        if self.held:
            return self._given_back(size)
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
                if not self._wait(select.POLLOUT | select.POLLIN * self._takes_in()):
                    # To the server this is a client that went away: no traceback, no second reply.
                    raise BrokenPipeError(errno.EPIPE, "the reply is read too slowly") from None
            else:
                self._earn(sent)
                rest = rest[sent:]

    def close(self) -> None:
        self.store.give(sum(map(len, self.held)))
        self.held.clear()
        super().close()

    def _given_back(self, size: int) -> bytes:
        """From what was taken in."""
        block = self.held.popleft()
        if len(block) > size:
            self.held.appendleft(block[size:])
        self.store.give(min(size, len(block)))
        return block[:size]

    def _takes_in(self) -> bool:
        """Take in what is there; whether there may be more."""
        size = min(BLOCK, self.ahead)
        if not size or not self.store.take(size):
            return False
        try:
            block = super().recv(size, socket.MSG_DONTWAIT)
        except BlockingIOError:
            self.store.give(size)
            return True
        self.store.give(size - len(block))
        self.held.append(block)
        self.ahead = self.ahead - len(block) if block else 0
        self._earn(len(block))
        return bool(block)

    def _earn(self, count: int) -> None:
        self.left = min(self.most, self.left + count / BYTES_PER_SECOND)

    def _wait(self, event: int) -> bool:
        poll = select.poll()
        poll.register(self, event)
        start = time.monotonic()
        ready = poll.poll(max(self.left, 0) * 1000)
        self.left -= time.monotonic() - start
        return bool(ready)
