"""Numbers as they are shown to people: a fixed number of decimals, honestly.

Rounded one by one, a row of weights often sums to 0.99 or 1.01. Here the units that are missing go
to the cells that lost most (the method of largest remainders), so that it sums to 1 as shown.
"""

from typing import Any

import numpy as np

from service.engine.errors import EngineError
from service.engine.trace import Array, Rule

MAX_CELLS = 1 << 16
# From here on a number is shown with an exponent.
_LONG = 1e15


def display(rule: Rule, value: Array, decimals: int, turn: bool) -> list[list[str]]:
    """Each cell with so many decimals; rows that sum to 1 still do. −∞ is "−∞"."""
    if value.size > MAX_CELLS:
        raise EngineError(
            "display",
            f"{rule.name} has {value.size:,} cells; at most {MAX_CELLS:,} are put into words."
            " Ask for fewer steps, or leave display out.",
        )
    if rule.operation == "softmax":
        units = 10**decimals
        cells: Array = largest_remainder(value, units) / units
    else:
        cells = np.where(np.isneginf(value), 0.0, value)
    text: Any = np.strings.mod(f"%.{decimals}f", np.where(np.abs(cells) < _LONG, cells, 0.0))
    long = np.abs(cells) >= _LONG
    text = np.where(long, np.strings.mod(f"%.{decimals}e", cells), text)
    zero = f"-{0:.{decimals}f}"
    text = np.where(text == zero, zero[1:], text)
    text = np.where(np.isneginf(value), "−∞", text)
    rows: list[list[str]] = (text.T if turn else text).tolist()
    return rows


def largest_remainder(weights: Array, units: int) -> Array:
    """Whole numbers near weights · units whose rows sum to units (to 0 for a row of zeros)."""
    exact = weights * units
    whole_units = np.floor(exact)
    missing = np.rint(exact.sum(axis=1) - whole_units.sum(axis=1)).astype(int)
    order = np.argsort(whole_units - exact, axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(order.shape[1])[None, :], axis=1)
    return np.asarray(whole_units + (place < missing[:, None]))
