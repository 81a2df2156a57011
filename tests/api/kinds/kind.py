"""A kind of request: a body as a function of its size, and the largest size that is answered."""

from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

Body = dict[str, Any]
Rows = list[list[Any]]

Kinds = dict[str, "Kind | Full"]

MOST_BYTES = 2 * 1024 * 1024
# n tokens that look at each other in one head, and so n² scores.
SIDE = 2_048


class Kind(NamedTuple):
    """`most` is answered; `step` more is refused with `status`, at `pointer`."""

    path: str
    body: Callable[[int], Body]
    most: int
    pointer: str
    step: int = 1
    status: int = 422

    def at(self) -> bytes:
        """The largest that is answered."""
        return orjson.dumps(self.body(self.most))

    def above(self) -> bytes:
        """The next, which is refused."""
        return orjson.dumps(self.body(self.most + self.step))


class Full(NamedTuple):
    """A body that fills what a body may be to the last byte; one byte more is too many."""

    path: str
    body: Callable[[], Body]
    status: int = 200

    def at(self) -> bytes:
        return orjson.dumps(self.body()).ljust(MOST_BYTES)

    def above(self) -> bytes:
        return self.at() + b" "


def full(n: int, m: int, cell: Any = 2) -> Rows:
    return [[cell] * m for _ in range(n)]


def varied(n: int, m: int = 1) -> Rows:
    """Numbers of few digits that are no small whole numbers."""
    return [[(37 * i + 11 * j) % 97 / 8 - 6.0625 for j in range(m)] for i in range(n)]
