"""Replies that are kept: what a class opens together is computed once.

A reply that depends on path and body alone is the same byte for byte each time. A page that embeds
a demo sends the same request from every seat, so some replies are held, each as the digest of its
request and its text.
"""

from hashlib import blake2b
from threading import Lock

from cachetools import LRUCache

# A larger request or reply is made anew: one of them would push out hundreds of small ones.
MOST_BYTES = 1 << 16
# What a digest and its place in the cache take beside the text.
OVERHEAD = 512


class KeptReplies:
    """Replies by their requests, up to so many bytes in all; the one not asked for longest goes."""

    def __init__(self, most_bytes: int) -> None:
        self._replies: LRUCache[bytes, bytes] = LRUCache(most_bytes, _size)
        self._lock = Lock()

    def get(self, request: bytes) -> bytes | None:
        """The reply to the request with this digest, if it is held."""
        with self._lock:
            return self._replies.get(request)

    def keep(self, request: bytes, reply: bytes) -> None:
        """Hold a reply, unless it is too large for that."""
        if len(reply) <= MOST_BYTES and _size(reply) <= self._replies.maxsize:
            with self._lock:
                self._replies[request] = reply


def digest(path: str, body: bytes) -> bytes:
    """What stands for a request: no two that differ have the same one."""
    return blake2b(body, digest_size=32, key=path.encode()[:64]).digest()


def _size(reply: bytes) -> int:
    return len(reply) + OVERHEAD
