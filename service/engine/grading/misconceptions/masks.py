"""Broken causal masks: (n, n) -> (n, n)."""

import numpy as np

from service.engine.trace import Array


def reversed_mask(scores: Array) -> Array:
    """−∞ for the keys before the query, in place of those after it."""
    return np.where(np.tri(len(scores), k=-1, dtype=np.bool_), -np.inf, scores)


def hides_itself(scores: Array) -> Array:
    """−∞ on the diagonal too."""
    return np.where(np.tri(len(scores), k=-1, dtype=np.bool_), scores, -np.inf)


def as_zero(scores: Array) -> Array:
    """0 for the keys after the query, in place of −∞."""
    return np.tril(scores)
