"""Marking a matrix: shape first, then cell by cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from service.engine.grading.marking.mark import Mark, Note, by_score, unreadable
from service.engine.grading.marking.numbers import is_right, mark_value
from service.engine.grading.marking.rules import Cells
from service.engine.grading.reading.read import Reading, read_cell
from service.engine.grading.reading.values import Number

MatrixKey = tuple[tuple[Number, ...], ...]
_TRANSPOSED = Note("transposed", "These are the right numbers with rows and columns exchanged.")


@dataclass(frozen=True, slots=True)
class MarkedCell:
    reading: Reading
    mark: Mark


@dataclass(frozen=True, slots=True)
class MarkedMatrix:
    """The mark of the whole, and each cell's; no cells if the shape does not fit."""

    mark: Mark
    cells: tuple[tuple[MarkedCell, ...], ...] = ()


def mark_matrix(
    rule: Cells, rows: Sequence[Sequence[object]], key: MatrixKey, locale: str | None = None
) -> MarkedMatrix:
    """Each cell by the rule; nothing is broadcast, so another shape scores nothing.

    A cell that cannot be read scores 0 and leaves the others their credit; the whole is unreadable
    only if no cell can be read. The transpose of the key is named as such.
    """
    if not _has_shape(rows, len(key), len(key[0])):
        return MarkedMatrix(_other_shape(rule, rows, key, locale))
    return mark_readings(rule, [[read_cell(cell, locale) for cell in row] for row in rows], key)


def mark_readings(rule: Cells, readings: list[list[Reading]], key: MatrixKey) -> MarkedMatrix:
    """A matrix of the key's shape that has been read already."""
    cells = tuple(
        tuple(MarkedCell(reading, mark_value(rule.each, reading, due)) for reading, due in pairs)
        for pairs in (zip(*both, strict=True) for both in zip(readings, key, strict=True))
    )
    return MarkedMatrix(_sum(rule, readings, cells, key), cells)


def _sum(
    rule: Cells,
    readings: list[list[Reading]],
    cells: tuple[tuple[MarkedCell, ...], ...],
    key: MatrixKey,
) -> Mark:
    marks = [cell.mark for row in cells for cell in row]
    if all(mark.verdict == "unreadable" for mark in marks):
        return unreadable("unreadable_cells", "None of the cells could be read.")
    score = sum((mark.score for mark in marks), Fraction(0)) / len(marks)
    right = sum(mark.verdict == "correct" for mark in marks)
    if right == len(marks):
        return by_score(score, Note("correct", "All cells are right."))
    notes = [Note("cells", f"{right} of {len(marks)} cells are right.")]
    for code, verdict in (("wrong_cells", "incorrect"), ("unreadable_cells", "unreadable")):
        places = _places(cells, verdict)
        if places:
            notes.append(Note(code, f"{code.partition('_')[0].capitalize()}: {places}."))
    if _is_transpose(rule, readings, key):
        notes.append(_TRANSPOSED)
    return by_score(score, *notes)


def _other_shape(
    rule: Cells, rows: Sequence[Sequence[object]], key: MatrixKey, locale: str | None
) -> Mark:
    if _has_shape(rows, len(key[0]), len(key)):
        readings = [[read_cell(cell, locale) for cell in row] for row in rows]
        if _is_transpose(rule, readings, key):
            return by_score(Fraction(0), _TRANSPOSED)
    widths = sorted({len(row) for row in rows})
    if len(widths) > 1:
        return unreadable(
            "ragged", f"The rows have {widths[0]} to {widths[-1]} cells; all need as many."
        )
    has = f"{len(rows)} × {widths[0] if widths else 0}"
    message = f"The answer is {has}, but {len(key)} × {len(key[0])} is asked for."
    return by_score(Fraction(0), Note("wrong_shape", message))


def _has_shape(rows: Sequence[Sequence[object]], height: int, width: int) -> bool:
    return len(rows) == height and all(len(row) == width for row in rows)


def _is_transpose(rule: Cells, readings: list[list[Reading]], key: MatrixKey) -> bool:
    """True if exchanging rows and columns makes every cell right."""
    if not _has_shape(readings, len(key[0]), len(key)):
        return False
    return all(
        reading.value is not None and is_right(rule.each, reading.value, key[j][i])
        for i, row in enumerate(readings)
        for j, reading in enumerate(row)
    )


def _places(cells: tuple[tuple[MarkedCell, ...], ...], verdict: str) -> str:
    """ "row 1 column 2, row 3 column 1": the first ten cells with this verdict, counted from 1."""
    places = [
        f"row {i} column {j}"
        for i, row in enumerate(cells, 1)
        for j, cell in enumerate(row, 1)
        if cell.mark.verdict == verdict
    ]
    more = f" and {len(places) - 10} more" if len(places) > 10 else ""
    return ", ".join(places[:10]) + more
