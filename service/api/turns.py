"""One computation at a time in each process, so that whatever is asked, the probes answer.

A worker has many threads, for clients that are slow; Python runs one of them at a time anyway. If
all of them computed at once, a probe would wait for its turn among hundreds. So they queue here:
a request computes in one turn, or gives way to who waits; a large reply is computed a chunk a turn;
and who waits too long for a first turn is told to come back.
"""

import time
from collections import deque
from collections.abc import Iterator
from threading import Lock, get_ident

from werkzeug.exceptions import ServiceUnavailable

PATIENCE_SECONDS = 10
# What can be cut into parts anywhere is cut into parts that take so long.
TURN_SECONDS = 0.02


class Turns:
    """A queue for the processor; `with turns:` waits for a turn, or raises ServiceUnavailable.

    Whose turn is over hands over to who has waited longest. A lock alone would mostly be taken
    again by the thread that has just let go of it.
    """

    def __init__(self) -> None:
        self._lock = Lock()  # of what is below
        self._taken = False
        self._waiting: deque[Lock] = deque()
        self._over = 0.0
        self._whose = 0  # the thread

    def __enter__(self) -> None:
        if not self._take(PATIENCE_SECONDS):
            raise ServiceUnavailable("The service is busy; try again in a moment.", retry_after=1)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._whose = 0
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False

    def give_way(self) -> None:
        """Whose turn it is calls this between two parts of long work: if the turn has taken long
        enough, it goes to the others first. Nobody else gives way."""
        if self._whose == get_ident() and time.perf_counter() > self._over:
            self.__exit__()
            self._take(-1)

    def chunks(self, text: Iterator[bytes]) -> Iterator[bytes]:
        """The same chunks, each computed in a turn of its own and sent outside of it."""
        while True:
            self._take(-1)
            try:
                chunk = next(text, None)
            finally:
                self.__exit__()
            if chunk is None:
                return
            yield chunk

    def _take(self, patience: float) -> bool:
        """Wait for a turn: so many seconds, or with -1 for ever."""
        with self._lock:
            is_free, self._taken = not self._taken, True
            if not is_free:
                called = Lock()
                called.acquire()
                self._waiting.append(called)
        if not is_free and not called.acquire(timeout=patience):
            with self._lock:
                if called in self._waiting:
                    self._waiting.remove(called)
                    return False
        self._over, self._whose = time.perf_counter() + TURN_SECONDS, get_ident()
        return True
