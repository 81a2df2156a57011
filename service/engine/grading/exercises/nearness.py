"""Which cells of a small matrix are right by another, fast."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.engine.grading.marking.matrices import MarkedCell
from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import Absolute, Cells, ScalarRule
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Number, exact

Floats = Sequence[Sequence[float]]
Bools = list[list[bool]]
Near = Callable[[Number | None, float, float], bool]


class Cell(NamedTuple):
    """A cell that was read: its exact value, None if it has none; the same as float64, then NaN.

    if_right: its mark where it is right.
    """

    reading: Reading
    value: Number | None
    number: float
    if_right: MarkedCell


def right_cells(rule: Cells, cells: Sequence[Sequence[Cell]], due: Floats) -> Bools:
    """Where the cells are right by the rule for the numbers due."""
    near = nearness(rule.each)
    zeros = rule.blocked_are_zero
    return [
        [
            cell.number == 0.0 if zeros and right == 0.0 else near(cell.value, cell.number, right)
            for cell, right in zip(*rows, strict=True)
        ]
        for rows in zip(cells, due, strict=True)
    ]


def all_right(each: ScalarRule, cells: Sequence[Sequence[Cell]], due: Floats) -> bool:
    """Is every cell right by the numbers due? The first that is not ends the search."""
    near = nearness(each)
    return all(
        near(cell.value, cell.number, right)
        for rows in zip(cells, due, strict=True)
        for cell, right in zip(*rows, strict=True)
    )


def nearness(each: ScalarRule) -> Near:
    """Whether one number is right. An absolute tolerance is looked at in float64 first, and
    exactly only where that is too near the bound to tell."""

    def exactly(value: Number | None, _: float, due: float) -> bool:
        return value is not None and is_right(each, value, exact(due))

    if not isinstance(each, Absolute):
        return exactly
    tolerance = float(each.tolerance)

    def within(value: Number | None, number: float, due: float) -> bool:
        apart = abs(number - due)
        slack = 1e-12 * (tolerance + abs(due))
        if apart <= tolerance - slack:
            return True
        if apart > tolerance + slack:
            return False
        return exactly(value, number, due)

    return within
