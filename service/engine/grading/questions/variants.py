"""The same question with other numbers: picks that depend on the seed alone."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

Option = TypeVar("Option")


def pick(own: Option, others: Sequence[Option], seed: int | None, *place: object) -> Option:
    """own for seed None or 0, else one of others, always the same for the same seed and place.

    A hash rather than a random generator: no library promises its stream for all time, and an
    answer may be graded long after its question was drawn.
    """
    if not seed:
        return own
    digest = sha256(repr((seed, *place)).encode()).digest()
    return others[int.from_bytes(digest[:8]) % len(others)]
