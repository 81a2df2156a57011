"""The first wrong cell of a step, and what it is made from."""

from collections.abc import Sequence
from typing import NamedTuple

from service.engine.grading.marking.matrices import MarkedCell
from service.engine.trace import Read, Rule


class Source(NamedTuple):
    """Cells of a matrix, counted from 0: the whole row or column where one is None."""

    name: str
    row: int | None
    column: int | None


def first_wrong(cells: Sequence[Sequence[MarkedCell]]) -> tuple[int, int] | None:
    """The first cell, row by row, that was read and is not right."""
    return next(
        (
            (i, j)
            for i, row in enumerate(cells)
            for j, cell in enumerate(row)
            if cell.mark.verdict == "incorrect"
        ),
        None,
    )


def made_from(rule: Rule, row: int, column: int) -> list[Source]:
    """Which cells of which matrices the cell in this row and column reads."""
    place = {rule.axes[0]: row, rule.axes[1]: column}
    return [_source(read, place) for read in rule.reads]


def _source(read: Read, place: dict[str, int]) -> Source:
    return Source(read.name, place.get(read.axes[0]), place.get(read.axes[1]))


def in_words(name: str, row: int, column: int, sources: Sequence[Source]) -> str:
    """ "scores row 4 column 2 is made from Q row 4 and K row 2.", counted from 1."""
    *most, last = [_named(source) for source in sources]
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"{name} row {row + 1} column {column + 1} is made from {listed}."


def _named(source: Source) -> str:
    places = (("row", source.row), ("column", source.column))
    return " ".join([source.name, *(f"{axis} {at + 1}" for axis, at in places if at is not None)])
