"""Statistics of the rows of a matrix, or of several matrices beside each other."""

import numpy as np

from service.engine.trace import Array


def means(x: Array) -> Array:
    """The mean of each row: (…, d) -> (…, 1); np.mean takes thrice as long where d is small."""
    mean: Array = np.add.reduce(x, axis=-1, keepdims=True) / x.shape[-1]
    return mean
