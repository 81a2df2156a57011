"""Rounding to significant digits, for what is returned and never for what is computed."""

from typing import Any

import numpy as np

from service.engine.trace import Array

# Powers of ten up to here are exact in float64, so that one division rounds correctly.
_EXACT_POWER = 22
# With more digits than this, one product is too coarse to say which way a cell rounds.
QUICK_DIGITS = 10
# Every float64 is told from every other one by so many digits: nothing is left to round.
EXACT_DIGITS = 17
# Rounding by way of text takes a microsecond or more a cell.
MOST_ROUNDED = 1 << 18
_NEAR_A_TIE = 1e-4


def round_significant(a: Array, digits: int) -> Array:
    """Each cell of `a` to `digits` significant digits: the float64 nearest to that decimal.

    A cell whose rounding would not fit a float64 stays as it is.
    """
    if digits >= EXACT_DIGITS:
        return a
    known = np.isfinite(a) & (a != 0.0)
    cells = a[known]
    with np.errstate(over="ignore"):
        rounded = _by_text(cells, digits) if digits > QUICK_DIGITS else _quickly(cells, digits)
    out = a.copy()
    out[known] = np.where(np.isfinite(rounded), rounded, cells)
    return out


def _quickly(cells: Array, digits: int) -> Array:
    """By arithmetic where that is certain to be right, else by text."""
    places = digits - 1 - np.floor(np.log10(np.abs(cells)))
    up = 10.0 ** np.clip(places, 0, _EXACT_POWER)
    down = 10.0 ** np.clip(-places, 0, _EXACT_POWER)
    scaled = cells * up / down
    rounded: Array = np.rint(scaled) / up * down
    hard = np.abs(np.abs(scaled) % 1 - 0.5) < _NEAR_A_TIE
    hard |= np.abs(places) > _EXACT_POWER
    hard |= np.abs(scaled) >= 10.0**digits - 1  # log10 rounded, or the digits roll over
    rounded[hard] = _by_text(cells[hard], digits)
    return rounded


def _by_text(cells: Array, digits: int) -> Array:
    text: Any = np.strings.mod(f"%.{digits - 1}e", cells)
    rounded: Array = text.astype(np.float64)
    return rounded
