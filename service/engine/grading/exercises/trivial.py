"""Values that make whatever follows trivial, and so may not be carried on."""

import numpy as np
from numpy.typing import NDArray

from service.engine.trace import Array


def is_trivial(own: Array, key: Array, seen: NDArray[np.bool_] | None = None) -> bool:
    """Is own something that asks for no further work, where the key is not?

    Empty as is_empty says, rows that are each constant (of three cells or more; of those that a
    mask leaves, if `seen` says which), or no numbers. −∞ is one where the key has some.
    """
    if not np.isfinite(own).all():
        blocked = np.isneginf(own)
        if not np.isneginf(key).any() or not (np.isfinite(own) | blocked).all():
            return True
        own, key = np.where(blocked, 0.0, own), np.where(np.isneginf(key), 0.0, key)
    return is_empty(own, key) or (own.shape[1] > 2 and _constant_rows(own, key, seen))


def is_empty(own: Array, key: Array) -> bool:
    """All zeros, all cells equal, or the identity, where the key is not."""
    if not own.any():
        return bool(key.any())
    if own.size > 1 and _constant(own):
        return not _constant(key)
    n, m = own.shape
    return n == m > 1 and np.array_equal(own, np.eye(n)) and not np.array_equal(key, own)


def _constant(value: Array) -> bool:
    return bool((value == value.flat[0]).all())


def _constant_rows(own: Array, key: Array, seen: NDArray[np.bool_] | None) -> bool:
    """Each row that is not constant in the key is so in own."""
    if seen is None or seen.shape != own.shape:
        seen = np.ones(own.shape, dtype=np.bool_)
    varied = _spread(key, seen) > 0.0
    return bool(varied.any() and (_spread(own, seen)[varied] == 0.0).all())


def _spread(value: Array, seen: NDArray[np.bool_]) -> Array:
    """Largest less smallest of each row, of what is seen."""
    highest = np.max(value, axis=1, where=seen, initial=-np.inf)
    lowest = np.min(value, axis=1, where=seen, initial=np.inf)
    spread: Array = highest - lowest
    return spread
