"""How spread out scores are, how concentrated their weights, and how large softmax's gradient is.

With s a row of scores, τ the temperature and p = softmax(s / τ): range = max s − min s, the
population standard deviation of s, entropy −Σ p ln p in nats, the largest weight, the Frobenius
norm of the Jacobian ∂p/∂(s/τ) = diag(p) − p pᵀ, and the largest derivative p (1 − p) on its
diagonal. Where one key takes nearly all, 1 − p cancels; so all of it is written with the sum ρ of
the other weights, in terms that are never negative.
Source: Bridle 1990 (the Jacobian of softmax).
"""

import math
from collections.abc import Iterable
from itertools import compress, repeat
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from service.engine.errors import OverflowingStep
from service.engine.trace import Array

# e^(−10,000) is 0 in float64, and 0 · (−10,000) is 0 where 0 · (−∞) is not a number.
_FAR_BELOW = -1e4
# Up to here it takes less to go cell by cell than to call numpy for all of them; a row by itself
# costs as much as so many cells.
_FEW_CELLS, _CELLS_A_ROW = 80, 8

Numbers = list[float] | Array


class Statistics(NamedTuple):
    """Of each row (n); 0 for a row with nothing to see."""

    range: Numbers
    standard_deviation: Numbers
    entropy: Numbers
    largest_weight: Numbers
    gradient_norm: Numbers
    max_derivative: Numbers


def weigh(
    s: Array, temperature: float = 1.0, seen: Array | None = None
) -> tuple[Array, Statistics]:
    """softmax(s / τ) of each row, and its statistics: (n, m) -> (n, m), (n).

    `seen` is false where s is −∞; None if that is nowhere. Raises OverflowingStep if a range does
    not fit a float64. Called where overflow is ignored: a difference of −∞ has weight 0.
    """
    below = s - _peak(s, seen)
    x = below if temperature == 1.0 else below / temperature
    p = np.exp(x)  # softmax, but that the largest x is 0 already
    total = np.add.reduce(p, axis=1, keepdims=True)
    if seen is not None:
        total[total == 0.0] = 1.0
    p /= total
    few = s.size + _CELLS_A_ROW * len(s) < _FEW_CELLS
    return p, (_of_few if few else _of_many)(below, x, p, seen)


def _peak(s: Array, seen: Array | None) -> Array:
    peak: Array = np.maximum.reduce(s, axis=1, keepdims=True)
    if seen is not None:
        peak[np.isneginf(peak)] = 0.0  # −∞ − −∞ is NaN
    return peak


def _of_few(below: Array, x: Array, p: Array, seen: Array | None) -> Statistics:
    sees: Iterable[Any] = repeat(None) if seen is None else seen.tolist()
    rows = map(_of_row, below.tolist(), x.tolist(), p.tolist(), sees)
    ranges, *others = map(list, zip(*rows, strict=True))
    if math.inf in ranges:
        raise _overflowing(ranges.index(math.inf))
    return Statistics(ranges, *others)


def _of_row(
    below: list[float], x: list[float], p: list[float], sees: list[bool] | None
) -> tuple[float, ...]:
    """`below` is s − max s, and x = below / τ."""
    t = max(p)
    if t == 0.0:
        return (0.0,) * len(Statistics._fields)
    visible = below if sees is None else list(compress(below, sees))
    extent = 0.0 - min(visible)  # −min would be −0.0
    u = [b / (extent or 1.0) for b in visible]
    mean = sum(u) / len(u)
    u = [b - mean for b in u]
    deviation = extent * math.sqrt(sum(map(mul, u, u)) / len(u))

    others = p.copy()
    others.remove(t)
    rho = sum(others)
    entropy = math.log1p(rho / t) - sum([w * y for w, y in zip(p, x, strict=True) if w])
    # The Jacobian's norm, as in `_of_many`.
    u = [w / (rho or 1.0) for w in others]
    squares = list(map(mul, u, u))
    sigma = sum(squares)
    rest = sum([square * (1.0 - 2.0 * w) for square, w in zip(squares, others, strict=True)])
    t_2, spread_2 = t * t, rho * rho * sigma
    norm = rho * math.sqrt(t_2 * (1.0 + 2.0 * sigma) + spread_2 * sigma + rest)
    return extent, deviation, entropy, t, norm, t * rho


def _of_many(below: Array, x: Array, p: Array, seen: Array | None) -> Statistics:
    extent, deviation = _spread(below, seen)
    n, top = np.arange(len(p)), p.argmax(axis=1)
    t = p[n, top]
    others = p.copy()
    others[n, top] = 0.0
    rho = np.add.reduce(others, axis=1)
    nonzero_t, nonzero_rho = np.where(t == 0.0, 1.0, t), np.where(rho == 0.0, 1.0, rho)

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
    return Statistics(extent, deviation, entropy, t, norm, t * rho)


def _spread(below: Array, seen: Array | None) -> tuple[Array, Array]:
    """Range and population standard deviation of each row, of its visible cells.

    `below` is s − max s. It is divided by the range before it is squared, so no square overflows.
    """
    if seen is not None:
        below = np.where(seen, below, 0.0)
    extent = 0.0 - np.minimum.reduce(below, axis=1)  # −min would be −0.0
    if not extent.max() < np.inf:
        raise _overflowing(int(extent.argmax()))
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


def _overflowing(row: int) -> OverflowingStep:
    return OverflowingStep(
        "", f"The range of row {row} of the scores overflows a float64. Use smaller numbers."
    )
