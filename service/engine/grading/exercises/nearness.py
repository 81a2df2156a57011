"""Which cells of a small matrix are right by another, fast."""

from collections.abc import Callable, Sequence

from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import Absolute, Cells, ScalarRule
from service.engine.grading.reading.values import Number, exact

Typed = Sequence[Sequence[Number | None]]
Floats = Sequence[Sequence[float]]
Bools = list[list[bool]]
Near = Callable[[Number | None, float, float], bool]


def right_cells(rule: Cells, typed: Typed, numbers: Floats, due: Floats) -> Bools:
    """Where the number typed is right by the rule for the number due.

    numbers: typed as float64, NaN where nothing was read.
    """
    near = nearness(rule.each)
    zeros = rule.blocked_are_zero
    return [
        [
            number == 0.0 if zeros and right == 0.0 else near(value, number, right)
            for value, number, right in zip(*cells, strict=True)
        ]
        for cells in zip(typed, numbers, due, strict=True)
    ]


def all_right(each: ScalarRule, typed: Typed, numbers: Floats, due: Floats) -> bool:
    """Is every typed cell right? The first that is not ends the search."""
    near = nearness(each)
    return all(
        near(value, number, right)
        for cells in zip(typed, numbers, due, strict=True)
        for value, number, right in zip(*cells, strict=True)
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
