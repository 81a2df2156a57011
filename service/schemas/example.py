"""Requests that the contract shows."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Example(NamedTuple):
    """A request that the contract shows, under a name; the reply beside it is the service's own.

    `body` is sent as JSON; for an operation on lines it has one value for each. `query` and `path`
    are for operations that take parameters.
    """

    name: str
    summary: str
    body: Mapping[str, Any] | Sequence[Any] | None = None
    query: dict[str, Any] = {}  # noqa: RUF012 - of a tuple, and never written to
    path: dict[str, Any] = {}  # noqa: RUF012 - of a tuple, and never written to


class Demo(NamedTuple):
    """A request body, and the operation that takes it."""

    id: str
    title: str
    path: str
    body: Mapping[str, Any]
