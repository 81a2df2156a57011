"""Small whole numbers that depend on a seed and a place alone, for all time."""

from hashlib import shake_256

import numpy as np

from service.engine.trace import Array


def drawn(seed: int, place: object, shape: tuple[int, int], lowest: int, highest: int) -> Array:
    """A matrix of whole numbers from lowest to highest, each as likely as another to 1 in 250."""
    n, m = shape
    digest = shake_256(repr((seed, place)).encode()).digest(2 * n * m)
    numbers = np.frombuffer(digest, dtype="<u2").reshape(shape)
    return lowest + (numbers % (highest - lowest + 1)).astype(np.float64)
