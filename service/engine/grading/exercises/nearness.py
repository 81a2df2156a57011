"""Which cells of a matrix are right by another, fast."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import Absolute, ScalarRule
from service.engine.grading.reading.values import Number, exact
from service.engine.trace import Array

Bools = NDArray[np.bool_]
Typed = Sequence[Sequence[Number | None]]


def right_cells(each: ScalarRule, typed: Typed, numbers: Array, due: Array) -> Bools:
    """Where the typed number is right by the rule for the number due.

    numbers: typed as float64, NaN where nothing was read. Absolute tolerances are looked at in
    float64 first; only what is too near the bound to tell is compared exactly.
    """
    right: Bools = numbers == due
    if isinstance(each, Absolute):
        tolerance = float(each.tolerance)
        with np.errstate(invalid="ignore"):  # −∞ − −∞
            apart = np.abs(numbers - due)
        slack = 1e-12 * (tolerance + np.abs(due))
        right |= apart <= tolerance - slack
        unsure = np.abs(apart - tolerance) <= slack
    else:
        unsure = ~np.isnan(numbers)
    if unsure.any():
        for i, j in np.argwhere(unsure).tolist():
            value = typed[i][j]
            right[i, j] = value is not None and is_right(each, value, exact(float(due[i, j])))
    return right
