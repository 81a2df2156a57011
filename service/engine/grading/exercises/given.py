"""A step as a student gave it."""

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

from service.engine.grading.exercises.exercise import Stage
from service.engine.grading.exercises.nearness import Bools, right_cells
from service.engine.grading.marking.mark import Mark
from service.engine.grading.marking.shapes import has_shape, other_shape
from service.engine.grading.reading.read import Reading, read_cell
from service.engine.grading.reading.values import Number

Rows = Sequence[Sequence[object]]


class Given(NamedTuple):
    """A step that was read; one of another shape has no cells, but the mark for that.

    typed: the exact values, None where there is none; numbers: the same as float64 and NaN.
    right: where it is right by the key.
    """

    stage: Stage
    readings: list[list[Reading]]
    typed: list[list[Number | None]]
    numbers: list[list[float]]
    right: Bools
    misshapen: Mark | None = None

    @property
    def is_right(self) -> bool:
        """Every cell is right by the key."""
        return self.misshapen is None and all(map(all, self.right))


def read_step(stage: Stage, rows: Rows, locale: str | None) -> Given:
    """The cells, read and compared with the key."""
    if not has_shape(rows, *stage.value.shape):
        mark = other_shape(stage.rule, rows, stage.key, locale)
        return Given(stage, [], [], [], [], mark)
    arithmetic = stage.rule.each.arithmetic
    readings = [[read_cell(cell, locale, arithmetic) for cell in row] for row in rows]
    typed = [[cell.value for cell in row] for row in readings]
    numbers = [[_float(value) for value in row] for row in typed]
    right = right_cells(stage.rule, typed, numbers, stage.floats)
    return Given(stage, readings, typed, numbers, right)


def _float(value: Number | None) -> float:
    if value is None:
        return nan
    return value if isinstance(value, float) else value.numerator / value.denominator
