"""What stands between the two matrices of an MLP, cell by cell.

Sources: Vaswani et al. 2017, section 3.3 (relu); Hendrycks & Gimpel 2016, section 2 (gelu and
its tanh form, GPT-2's); Shazeer 2020, section 2 (swiglu: silu of a gate).
"""

import math
from collections.abc import Callable

import numpy as np

from service.engine.block.error_function import erfc
from service.engine.trace import Array

CUBIC = 0.044715
_ROOT_HALF = math.sqrt(0.5)
_ROOT_2_BY_PI = math.sqrt(2.0 / math.pi)


def relu(x: Array) -> Array:
    """max(0, x)."""
    return np.maximum(x, 0.0)


def gelu(x: Array) -> Array:
    """x Φ(x) = x (1 + erf(x / √2)) / 2; by erfc, so that small results keep their digits."""
    return 0.5 * x * erfc(x * -_ROOT_HALF)


def gelu_tanh(x: Array) -> Array:
    """x (1 + tanh z) / 2, z = √(2/π) (x + 0.044715 x³); as x / (1 + e^(−2z)), for its digits."""
    z = _ROOT_2_BY_PI * (x + CUBIC * (x * x * x))
    return x / (1.0 + np.exp(-2.0 * z))


def silu(x: Array) -> Array:
    """x / (1 + e^(−x))."""
    return x / (1.0 + np.exp(-x))


OPERATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": relu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "silu": silu,
}
# swiglu is no function of a cell alone: silu of one projection times another.
GATED = {"swiglu": "silu"}
