"""Attention and layer norm written a second time, slowly: plain loops, 50 digits or fractions."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import exp, fsum
from typing import Any

import mpmath
import numpy as np

Rows = Sequence[Sequence[Any]]
DIGITS = 50


def product(A: Rows, B: Rows) -> list[list[Fraction]]:
    """A B in fractions: exact for integers, and for floats taken as the fractions that they are."""
    return [
        [
            sum(Fraction(a) * Fraction(b) for a, b in zip(row, column, strict=True))
            for column in turned(B)
        ]
        for row in A
    ]


def turned(A: Rows) -> list[list[Any]]:
    return [list(column) for column in zip(*A, strict=True)]


def softmax_row(scores: Iterable[float], seen: Iterable[bool] | None = None) -> list[Any]:
    """One row with 50 digits; what is not seen gets 0, and so does each key of a blind row."""
    with mpmath.workdps(DIGITS):
        scores = [mpmath.mpf(float(score)) for score in scores]
        seen = [True] * len(scores) if seen is None else list(seen)
        powers = [mpmath.exp(s) if v else mpmath.mpf(0) for s, v in zip(scores, seen, strict=True)]
        total = sum(powers)
        return [power / total if total else power for power in powers]


def head_by_loops(Q: Rows, K: Rows, V: Rows, sees: Any, scale: float) -> dict[str, Any]:
    """scores, weights and head of one head, cell by cell in float64; `sees(i, j)` is the mask."""
    scores = [[fsum(a * b for a, b in zip(q, k, strict=True)) for k in K] for q in Q]
    weights = []
    for i, row in enumerate(scores):
        visible = [scale * s for j, s in enumerate(row) if sees(i, j)]
        peak = max(visible, default=0.0)
        powers = [exp(scale * s - peak) if sees(i, j) else 0.0 for j, s in enumerate(row)]
        total = fsum(powers) or 1.0
        weights.append([power / total for power in powers])
    columns = turned(V)
    head = [[fsum(a * v for a, v in zip(row, c, strict=True)) for c in columns] for row in weights]
    return {"scores": np.array(scores), "weights": np.array(weights), "head": np.array(head)}
