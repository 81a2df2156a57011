"""Steps of worked solutions that gather quantities into a row, or take products of rows."""

import numpy as np

from service.engine.blocks import whole
from service.engine.grading.questions.solutions import step
from service.engine.trace import UNIT, Step


def collected(name: str, symbol: str, title: str, axis: str, *of: Step) -> Step:
    """Quantities beside each other, as one row."""
    value = np.concatenate([whole(one.value) for one in of], axis=1)
    formula = f"({', '.join(one.rule.symbol for one in of)})"
    return step("copy", name, symbol, title, formula, value, *of, axes=(UNIT, axis))


def dotted(name: str, symbol: str, title: str, a: Step, b: Step) -> Step:
    """The dot product of two rows."""
    value = whole(a.value) @ whole(b.value).T
    formula = rf"{a.rule.symbol} \cdot {b.rule.symbol}"
    return step("dot", name, symbol, title, formula, value, a, b)


def picked(name: str, symbol: str, title: str, source: Step, row: int, column: int) -> Step:
    """One cell of a step."""
    value = whole(source.value)[row : row + 1, column : column + 1]
    formula = rf"{source.rule.symbol}_{{{row + 1}{column + 1}}}"
    return step("copy", name, symbol, title, formula, value, source)
