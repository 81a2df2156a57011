"""A step as a student gave it."""

from collections.abc import Sequence
from functools import lru_cache
from math import nan
from typing import NamedTuple

from service.engine.grading.exercises.exercise import Stage
from service.engine.grading.exercises.nearness import Bools, Cell, right_cells
from service.engine.grading.marking.mark import Mark
from service.engine.grading.marking.matrices import MarkedCell
from service.engine.grading.marking.numbers import mark_value
from service.engine.grading.marking.rules import Integer
from service.engine.grading.marking.shapes import has_shape, other_shape
from service.engine.grading.reading.read import Reading, read_cell

Rows = Sequence[Sequence[object]]

# In a class many type the same; what is longer is hardly ever typed twice.
MOST_KEPT = 1 << 12
LONGEST_KEPT = 24


class Given(NamedTuple):
    """A step that was read; one of another shape has no cells, but the mark for that.

    right: where it is right by the key.
    """

    stage: Stage
    cells: list[list[Cell]]
    right: Bools
    misshapen: Mark | None = None

    @property
    def is_right(self) -> bool:
        """Every cell is right by the key."""
        return self.misshapen is None and all(map(all, self.right))

    @property
    def numbers(self) -> list[list[float]]:
        """The cells as float64, NaN for those that were not read."""
        return [[cell.number for cell in row] for row in self.cells]


def read_step(stage: Stage, rows: Rows, locale: str | None) -> Given:
    """The cells, read and compared with the key."""
    if not has_shape(rows, *stage.value.shape):
        return Given(stage, [], [], other_shape(stage.rule, rows, stage.key, locale))
    arithmetic = stage.rule.each.arithmetic
    cells = [[_cell(cell, locale, arithmetic) for cell in row] for row in rows]
    return Given(stage, cells, right_cells(stage.rule, cells, stage.floats))


def _cell(cell: object, locale: str | None, arithmetic: bool) -> Cell:
    if isinstance(cell, str) and len(cell) <= LONGEST_KEPT:
        return _typed(cell, locale, arithmetic)
    return _read(cell, locale, arithmetic)


@lru_cache(maxsize=MOST_KEPT)
def _typed(text: str, locale: str | None, arithmetic: bool) -> Cell:
    return _read(text, locale, arithmetic)


def _read(cell: object, locale: str | None, arithmetic: bool) -> Cell:
    reading = read_cell(cell, locale, arithmetic)
    value = reading.value
    # No step asks for a number of digits, so a right cell is marked alike whatever the rule.
    if_right = MarkedCell(reading, mark_value(Integer(), reading, nan if value is None else value))
    return Cell(reading, value, _float(reading), if_right)


def _float(reading: Reading) -> float:
    value = reading.value
    if value is None or isinstance(value, float):
        return nan if value is None else value
    return value.numerator / value.denominator
