"""Rounding to significant digits, for what is returned and never for what is computed."""

from typing import Any

import numpy as np
import orjson

from service.engine.trace import Array

# Powers of ten up to here are exact in float64, so that one division rounds correctly.
_EXACT_POWER = 22
# With more digits than this, one product is too coarse to say which way a cell rounds.
QUICK_DIGITS = 10
# Every float64 is told from every other one by so many digits: nothing is left to round.
EXACT_DIGITS = 17
# Rounding by way of text takes several hundred nanoseconds a cell.
MOST_ROUNDED = 1 << 18
# Rounded at once: a row may be as long as a matrix, and a handful of arrays stand beside it.
_CELLS_AT_ONCE = 1 << 16
_NEAR_A_TIE = 1e-4
# From here on a rounded number may not fit a float64, which JSON has no way to say.
_ALMOST_TOO_LARGE = 1e307
# Splits a float64 into two halves whose products are exact (Dekker 1971, section 5).
_SPLITTER = 134217729.0


def round_significant(a: Array, digits: int) -> Array:
    """Each cell of `a` to `digits` significant digits: the float64 nearest to that decimal.

    A tie goes to the even digit. A cell whose rounding would not fit a float64 stays as it is.
    """
    if digits >= EXACT_DIGITS:
        return a
    out = a.copy()
    cells = out.reshape(-1)
    for start in range(0, cells.size, _CELLS_AT_ONCE):
        _round(cells[start : start + _CELLS_AT_ONCE], digits)
    return out


def round_together(matrices: list[Array], digits: int) -> list[Array]:
    """Those of numbers in one go: for a few cells, most of the time is that of the calls."""
    real = [a for a in matrices if a.dtype == np.float64]
    cells = round_significant(np.concatenate([a.reshape(-1) for a in real]), digits)
    parts = iter(np.split(cells, np.cumsum([a.size for a in real])[:-1]))
    return [next(parts).reshape(a.shape) if a.dtype == np.float64 else a for a in matrices]


def _round(cells: Array, digits: int) -> None:
    """Round some cells in place."""
    known = np.isfinite(cells) & (cells != 0.0)
    some = cells[known]
    with np.errstate(over="ignore"):
        rounded = _by_text(some, digits) if digits > QUICK_DIGITS else _quickly(some, digits)
    cells[known] = np.where(np.isfinite(rounded), rounded, some)


def _quickly(cells: Array, digits: int) -> Array:
    """By arithmetic where that is certain to be right, else by text.

    Just below a power of ten log10 may round up to it, but so do ten digits of the cell.
    """
    places = digits - 1 - np.floor(np.log10(np.abs(cells)))
    up = 10.0 ** np.clip(places, 0, _EXACT_POWER)
    down = 10.0 ** np.clip(-places, 0, _EXACT_POWER)
    scaled = cells * up / down
    rounded: Array = np.rint(scaled) / up * down
    size = np.abs(scaled)
    hard = np.abs(places) > _EXACT_POWER
    rounded[hard] = _by_text(cells[hard], digits)
    (tied,) = np.nonzero((np.abs(size % 1 - 0.5) < _NEAR_A_TIE) & ~hard)
    if len(tied):
        up, down, below = up[tied], down[tied], np.floor(size[tied])
        nearest = below + _rounds_up(np.abs(cells[tied]), below, up, down)
        rounded[tied] = np.copysign(nearest / up * down, cells[tied])
    return rounded


def _rounds_up(size: Array, below: Array, up: Array, down: Array) -> Any:
    """Whether size · up / down is above below + ½, or just that and `below` odd; exactly.

    One of up and down is 1, so size · up is compared with (below + ½) · down, each an exact sum of
    two float64.
    """
    a, a_rest = _product(size, up)
    b, b_rest = _product(below + 0.5, down)
    apart = (a - b) + (a_rest - b_rest)
    return np.where(apart == 0.0, below % 2 == 1.0, apart > 0.0)


def _product(a: Array, b: Array) -> tuple[Array, Array]:
    """a · b as a float64 and what its rounding has left over (Dekker 1971, section 5)."""
    product = a * b
    a_high = a * _SPLITTER - (a * _SPLITTER - a)
    b_high = b * _SPLITTER - (b * _SPLITTER - b)
    a_low, b_low = a - a_high, b - b_high
    rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, rest


def _by_text(cells: Array, digits: int) -> Array:
    """Written with so many digits and read again, all in one go."""
    form = f"%.{digits - 1}e"
    if not len(cells) or np.abs(cells).max() > _ALMOST_TOO_LARGE:
        return np.array([float(form % cell) for cell in cells.tolist()], np.float64)
    text = ",".join([form] * len(cells)) % tuple(cells.tolist())
    return np.array(orjson.loads(f"[{text}]"), np.float64)
