"""How spread out scores are, how concentrated their weights, and how large softmax's gradient is.

With s a row of scores, τ the temperature and p = softmax(s / τ): range = max s − min s, the
population standard deviation of s, entropy −Σ p ln p in nats, the largest weight, the Frobenius
norm of the Jacobian ∂p/∂(s/τ) = diag(p) − p pᵀ, and the largest derivative p (1 − p) on its
diagonal. Where one key takes nearly all, 1 − p cancels; so all of it is written with the sum ρ of
the other weights, in terms that are never negative.
Source: Bridle 1990 (the Jacobian of softmax).
"""

from typing import NamedTuple

import numpy as np

from service.engine.errors import OverflowingStep
from service.engine.softmax import softmax
from service.engine.trace import Array

# e^(−10,000) is 0 in float64, and 0 · (−10,000) is 0 where 0 · (−∞) is not a number.
_FAR_BELOW = -1e4


class Statistics(NamedTuple):
    """Of each row (n); 0 for a row with nothing to see."""

    range: Array
    standard_deviation: Array
    entropy: Array
    largest_weight: Array
    gradient_norm: Array
    max_derivative: Array


def weigh(
    s: Array, temperature: float = 1.0, seen: Array | None = None
) -> tuple[Array, Statistics]:
    """softmax(s / τ) of each row, and its statistics: (n, m) -> (n, m), (n).

    `seen` is false where s is −∞; None if that is nowhere. Raises OverflowingStep if a range does
    not fit a float64. Called where overflow is ignored: a difference of −∞ has weight 0.
    """
    below = s - _peak(s, seen)
    x = below if temperature == 1.0 else below / temperature
    p = softmax(x, seen is not None)
    extent, deviation = spread(below, seen)

    n = np.arange(len(p))
    top = p.argmax(axis=1)
    t = p[n, top]
    others = p.copy()
    others[n, top] = 0.0
    rho = np.add.reduce(others, axis=1)
    nonzero_t, nonzero_rho = t, rho
    if seen is not None:
        nonzero_t = np.where(t == 0.0, 1.0, t)
    if not rho.all():
        nonzero_rho = np.where(rho == 0.0, 1.0, rho)

    x = np.maximum(x, _FAR_BELOW)
    entropy = np.log1p(rho / nonzero_t) - np.add.reduce(others * x, axis=1)
    # ‖diag(p) − p pᵀ‖² = t²ρ² + 2t²σ + σ² + Σ' p² (1 − 2p), σ = Σ' p²; divided by ρ² here.
    u = others / nonzero_rho[:, None]
    squares = u * u
    sigma = np.add.reduce(squares, axis=1)
    squares *= 1.0 - 2.0 * others
    t_2, spread_2 = t * t, rho * rho * sigma
    norm = rho * np.sqrt(
        t_2 * (1.0 + 2.0 * sigma) + spread_2 * sigma + np.add.reduce(squares, axis=1)
    )
    return p, Statistics(extent, deviation, entropy, t, norm, t * rho)


def _peak(s: Array, seen: Array | None) -> Array:
    peak: Array = np.maximum.reduce(s, axis=1, keepdims=True)
    if seen is not None:
        peak[np.isneginf(peak)] = 0.0  # −∞ − −∞ is NaN
    return peak


def spread(below: Array, seen: Array | None) -> tuple[Array, Array]:
    """Range and population standard deviation of each row, of its visible cells.

    `below` is s − max s. It is divided by the range before it is squared, so no square overflows.
    """
    if seen is not None:
        below = np.where(seen, below, 0.0)
    extent = 0.0 - np.minimum.reduce(below, axis=1)  # −min would be −0.0
    if not extent.max() < np.inf:
        row = int(np.argmin(np.isfinite(extent)))
        raise OverflowingStep(
            "", f"The range of row {row} of the scores overflows a float64. Use smaller numbers."
        )
    u = below / np.where(extent == 0.0, 1.0, extent)[:, None]
    if seen is None:
        count: int | Array = u.shape[1]
        u -= (np.add.reduce(u, axis=1) / count)[:, None]
    else:
        count = np.maximum(np.add.reduce(seen, axis=1, dtype=np.float64), 1.0)
        u -= (np.add.reduce(u, axis=1) / count)[:, None]
        u *= seen
    u *= u
    return extent, extent * np.sqrt(np.add.reduce(u, axis=1) / count)
