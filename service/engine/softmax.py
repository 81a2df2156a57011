"""Softmax over each row, exact zeros included."""

import numpy as np

from service.engine.trace import Array


def softmax(masked: Array, may_be_blind: bool, out: Array | None = None) -> Array:
    """softmax(s)ᵢⱼ = e^(sᵢⱼ − maxⱼ sᵢⱼ) / Σⱼ e^(sᵢⱼ − maxⱼ sᵢⱼ), (…, n, m) -> (…, n, m).

    A cell of −∞ gets exactly 0. A row of nothing but −∞ (looked for only if `may_be_blind`) gets
    0 everywhere, where the formula would be 0/0. `out` is where the weights go.
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    peak = np.maximum.reduce(masked, axis=-1, keepdims=True)
    if may_be_blind:
        peak[np.isneginf(peak)] = 0.0  # −∞ − −∞ is NaN
    e: Array = masked - peak
    np.exp(e, out=e)
    total = np.add.reduce(e, axis=-1, keepdims=True)
    if may_be_blind:
        total[total == 0.0] = 1.0
    return np.divide(e, total, e if out is None else out)
