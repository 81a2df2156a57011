"""Marking a matrix: shape first, then cell by cell."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from service.engine.grading.marking.mark import ALL, Mark, Note, by_score, unreadable
from service.engine.grading.marking.numbers import mark_value
from service.engine.grading.marking.rules import Cells, Integer, ScalarRule
from service.engine.grading.marking.shapes import (
    TRANSPOSED,
    MatrixKey,
    has_shape,
    is_transpose,
    other_shape,
)
from service.engine.grading.marking.structure import score_of_rows
from service.engine.grading.reading.read import Reading, read_cell
from service.engine.grading.reading.values import Number

_EXACT = Integer()


class MarkedCell(NamedTuple):
    reading: Reading
    mark: Mark


MarkedCells = tuple[tuple[MarkedCell, ...], ...]


class MarkedMatrix(NamedTuple):
    """The mark of the whole, and each cell's; no cells if the shape does not fit."""

    mark: Mark
    cells: MarkedCells = ()


def mark_matrix(
    rule: Cells, rows: Sequence[Sequence[object]], key: MatrixKey, locale: str | None = None
) -> MarkedMatrix:
    """Each cell by the rule; nothing is broadcast, so another shape scores nothing.

    A cell that cannot be read, or is blank, scores 0 and leaves the others their credit; the whole
    is unreadable only if no cell can be read. The transpose of the key is named as such.
    """
    if not has_shape(rows, len(key), len(key[0])):
        return MarkedMatrix(other_shape(rule, rows, key, locale))
    arithmetic = rule.each.arithmetic
    readings = [[read_cell(cell, locale, arithmetic=arithmetic) for cell in row] for row in rows]
    return mark_readings(rule, readings, key)


def mark_readings(rule: Cells, readings: list[list[Reading]], key: MatrixKey) -> MarkedMatrix:
    """A matrix of the key's shape that has been read already."""
    return mark_cells(
        rule,
        tuple(
            tuple(mark_cell(rule, reading, due) for reading, due in zip(*rows, strict=True))
            for rows in zip(readings, key, strict=True)
        ),
        key,
    )


def mark_cell(rule: Cells, reading: Reading, due: Number) -> MarkedCell:
    """One cell by itself."""
    each: ScalarRule = _EXACT if rule.blocked_are_zero and due == 0 else rule.each
    return MarkedCell(reading, mark_value(each, reading, due))


def mark_cells(rule: Cells, cells: MarkedCells, key: MatrixKey) -> MarkedMatrix:
    """The mark of the whole, from those of its cells; the key is not looked at if all are right."""
    return MarkedMatrix(_sum(rule, cells, key), cells)


def _sum(rule: Cells, cells: MarkedCells, key: MatrixKey) -> Mark:
    marks = [cell.mark for row in cells for cell in row]
    right = [mark.verdict for mark in marks].count("correct")
    if right == len(marks):
        return by_score(ALL, Note("correct", "All cells are right."))
    if all(mark.verdict == "unreadable" for mark in marks):
        if all(_is_blank(mark) for mark in marks):
            return unreadable("blank", "Nothing was entered.")
        return unreadable("unreadable_cells", "None of the cells could be read.")
    readings = [[cell.reading for cell in row] for row in cells]
    scores = [[cell.mark.score for cell in row] for row in cells]
    score, properties = score_of_rows(rule, scores, readings, key)
    notes = [Note("cells", f"{right} of {len(marks)} cells are right.")]
    notes += [
        Note(code, f"{about}: {places}.")
        for code, about in _STATES.items()
        if (places := _places(cells, code))
    ]
    notes += properties
    if is_transpose(rule, readings, key):
        notes.append(TRANSPOSED)
    return by_score(score, *notes)


_STATES = {
    "wrong_cells": "Wrong",
    "blank_cells": "Blank",
    "unreadable_cells": "Unreadable",
    "precision_cells": "Right in value, but not as precise as asked for",
}


def _state(mark: Mark) -> str:
    match mark.verdict:
        case "incorrect":
            return "wrong_cells"
        case "unreadable":
            return "blank_cells" if _is_blank(mark) else "unreadable_cells"
        case "partial":
            return "precision_cells"
        case _:
            return ""


def _is_blank(mark: Mark) -> bool:
    return mark.feedback[0].code == "blank"


def _places(cells: Iterable[Iterable[MarkedCell]], state: str) -> str:
    """ "row 1 column 2, row 3 column 1": the first ten cells in this state, counted from 1."""
    places = [
        f"row {i} column {j}"
        for i, row in enumerate(cells, 1)
        for j, cell in enumerate(row, 1)
        if _state(cell.mark) == state
    ]
    more = f" and {len(places) - 10} more" if len(places) > 10 else ""
    return ", ".join(places[:10]) + more
