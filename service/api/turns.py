"""One computation at a time in each process, so that whatever is asked, the probes answer.

A worker has many threads, for clients that are slow; Python runs one of them at a time anyway. If
all of them computed at once, a probe would wait for its turn among hundreds. So they queue here:
a request computes in one turn, a large reply is computed a chunk a turn, and who waits too long
is told to come back.
"""

from collections.abc import Iterator
from threading import Lock

from werkzeug.exceptions import ServiceUnavailable

PATIENCE_SECONDS = 10
# What can be cut into parts anywhere is cut into parts that take so long.
TURN_SECONDS = 0.02


class Turns:
    """A queue for the processor; `with turns:` waits for a turn, or raises ServiceUnavailable."""

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(True, PATIENCE_SECONDS):
            raise ServiceUnavailable("The service is busy; try again in a moment.", retry_after=1)

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def chunks(self, text: Iterator[bytes]) -> Iterator[bytes]:
        """The same chunks, each computed in a turn of its own and sent outside of it."""
        while True:
            with self._lock:
                chunk = next(text, None)
            if chunk is None:
                return
            yield chunk
