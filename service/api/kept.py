"""Replies that are kept: what a class opens together is computed once.

A reply that depends on path and body alone is the same byte for byte each time. A page that embeds
a demo sends the same request from every seat, so some replies are held beside their requests.
"""

from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache

# Of a larger request or reply, one would push out hundreds of small ones.
MOST_BYTES = 1 << 16
# What a place in the cache takes beside the texts.
OVERHEAD = 512


class Request(NamedTuple):
    """All that a reply depends on."""

    path: str
    body: bytes


class KeptReplies:
    """Replies by their requests, up to so many bytes in all; the one not asked for longest goes."""

    def __init__(self, most_bytes: int) -> None:
        self._held: LRUCache[Request, tuple[bytes, int]] = LRUCache(most_bytes, _size)
        self._lock = Lock()

    def get(self, request: Request) -> bytes | None:
        """The reply to this request, if it is held."""
        with self._lock:
            held = self._held.get(request)
        return None if held is None else held[0]

    def keep(self, request: Request, reply: bytes) -> None:
        """Hold a reply, unless it is too large for that."""
        size = len(request.body) + len(reply) + OVERHEAD
        if len(reply) <= MOST_BYTES and size <= self._held.maxsize:
            # A copy, since orjson leaves thousands of spare bytes behind a text.
            held = bytes(memoryview(reply)), size
            with self._lock:
                self._held[request] = held


def _size(held: tuple[bytes, int]) -> int:
    return held[1]
