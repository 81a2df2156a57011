"""Numbers as they are shown to people: a fixed number of decimals, honestly.

Rounded one by one, a row of weights often sums to 0.99 or 1.01. Here the units that are missing go
to the cells that lost most (the method of largest remainders), so that it sums to 1 as shown.
"""

import math

import numpy as np

from service.engine.trace import Array, Rule

# From here on a number is shown with an exponent.
_LONG = 1e15


def display(rule: Rule, value: Array, decimals: int, turn: bool) -> list[list[str]]:
    """Each cell with so many decimals; rows that sum to 1 still do. −∞ is "−∞"."""
    if rule.operation == "softmax":
        units = 10**decimals
        value = largest_remainder(value, units) / units
    fixed, long = f"z.{decimals}f", f".{decimals}e"  # z: what is shown as 0 has no sign
    return [
        [
            "−∞" if cell == -math.inf else format(cell, fixed if abs(cell) < _LONG else long)
            for cell in row
        ]
        for row in (value.T if turn else value).tolist()
    ]


def largest_remainder(weights: Array, units: int) -> Array:
    """Whole numbers near weights · units whose rows sum to units (to 0 for a row of zeros)."""
    exact = weights * units
    whole_units = np.floor(exact)
    missing = np.rint(exact.sum(axis=1) - whole_units.sum(axis=1)).astype(int)
    order = np.argsort(whole_units - exact, axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(order.shape[1])[None, :], axis=1)
    return np.asarray(whole_units + (place < missing[:, None]))
