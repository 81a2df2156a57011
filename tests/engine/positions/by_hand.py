"""Rotation as multiplication of complex numbers, and angles with 60 digits: none of it is ours."""

import cmath
from typing import Any

import mpmath
import numpy as np


def frequency(base: float, i: int, dims: int) -> Any:
    """base^(−2i/dims)."""
    with mpmath.workdps(60):
        return mpmath.power(mpmath.mpf(base), -mpmath.mpf(2 * i) / dims)


def angle(base: float, i: int, dims: int, position: int) -> Any:
    with mpmath.workdps(60):
        return position * frequency(base, i, dims)


def pairs(dims: int, pairing: str) -> list[tuple[int, int]]:
    """Which dimensions are turned together."""
    if pairing == "interleaved":
        return [(i, i + 1) for i in range(0, dims, 2)]
    return [(i, i + dims // 2) for i in range(dims // 2)]


def rotated(
    rows: Any,
    offset: int = 0,
    base: float = 10_000.0,
    dims: int | None = None,
    pairing: str = "half_split",
) -> Any:
    """Each pair (a, b) as a + ib, times e^(iα)."""
    out = np.array(rows, dtype=np.float64)
    dims = out.shape[1] if dims is None else dims
    for p, row in enumerate(out):
        for i, (first, second) in enumerate(pairs(dims, pairing)):
            turn = cmath.exp(1j * float(angle(base, i, dims, p + offset)))
            turned = complex(row[first], row[second]) * turn
            row[first], row[second] = turned.real, turned.imag
    return out
