"""Rounding to significant digits, for what is returned and never for what is computed."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import orjson

from service.engine.trace import Array

# Powers of ten up to here are exact in float64, so that one division rounds correctly.
_EXACT_POWER = 22
# By places + 22: a number of so many places is multiplied by the one and divided by the other.
_UP = np.array([10.0 ** max(places, 0) for places in range(-_EXACT_POWER, _EXACT_POWER + 1)])
_DOWN = _UP[::-1].copy()
# With more digits than this, one product is too coarse to say which way a cell rounds.
QUICK_DIGITS = 10
# Every float64 is told from every other one by so many digits: nothing is left to round.
EXACT_DIGITS = 17
# Rounding by way of text takes several hundred nanoseconds a cell.
MOST_ROUNDED = 1 << 18
# Rounded at once: a row may be as long as a matrix, and a handful of arrays stand beside it.
_CELLS_AT_ONCE = 1 << 16
# Farther than this from a whole number, which of two is nearer is for exact arithmetic to say.
_NEAR_A_TIE = 0.5 - 1e-4
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
    out = np.empty(a.shape)
    cells, rounded = a.reshape(-1), out.reshape(-1)
    round_some = _written if digits > QUICK_DIGITS else _quickly
    for start in range(0, cells.size, _CELLS_AT_ONCE):
        some = slice(start, start + _CELLS_AT_ONCE)
        rounded[some] = round_some(cells[some], digits)
    return out


def round_together(matrices: list[Array], digits: int) -> Iterator[Array]:
    """All of them in one go: for a few cells, most of the time is that of the calls."""
    # A third of the time of np.concatenate.
    together = np.frombuffer(b"".join([a.tobytes() for a in matrices]))
    cells = round_significant(together, digits)
    start = 0
    for a in matrices:
        end = start + a.size
        yield cells[start:end].reshape(a.shape)
        start = end


def _quickly(cells: Array, digits: int) -> Array:
    """By arithmetic where that is certain to be right, else by text.

    Just below a power of ten log10 may round up to it, but so do ten digits of the cell. 0 and ∞
    come out as they are, whatever they are scaled by.
    """
    size = np.abs(cells)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        places = digits - 1 - np.floor(np.log10(size))
        power = places.astype(np.intp) + _EXACT_POWER
        up, down = _UP.take(power, mode="clip"), _DOWN.take(power, mode="clip")
        scaled = size * up / down
        whole = np.rint(scaled)
        (tied,) = np.nonzero(np.abs(scaled - whole) > _NEAR_A_TIE)
        if len(tied):
            up_there, down_there, below = up[tied], down[tied], np.floor(scaled[tied])
            whole[tied] = below + _rounds_up(size[tied], below, up_there, down_there)
        rounded: Array = np.copysign(whole / up * down, cells)
    hard = np.abs(places) > _EXACT_POWER
    if hard.any():
        hard &= np.isfinite(places)
        rounded[hard] = _by_text(cells[hard], digits)
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


def _written(cells: Array, digits: int) -> Array:
    """By way of text."""
    out = cells.copy()
    known = np.isfinite(cells) & (cells != 0.0)
    out[known] = _by_text(cells[known], digits)
    return out


def _by_text(cells: Array, digits: int) -> Array:
    """Written with so many digits and read again, all in one go; what would not fit stays."""
    form = f"%.{digits - 1}e"
    if not len(cells):
        return cells
    if np.abs(cells).max() > _ALMOST_TOO_LARGE:
        rounded = np.array([float(form % cell) for cell in cells.tolist()], np.float64)
        return np.where(np.isinf(rounded), cells, rounded)
    text = ",".join([form] * len(cells)) % tuple(cells.tolist())
    return np.array(orjson.loads(f"[{text}]"), np.float64)
