"""The shape of a matrix that was answered, and the slips that only a shape shows."""

from collections.abc import Sequence
from itertools import chain

from service.engine.grading.marking.mark import NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import Cells
from service.engine.grading.reading.read import Reading, read_cell
from service.engine.grading.reading.values import Number

MatrixKey = tuple[tuple[Number, ...], ...]

TRANSPOSED = Note("transposed", "These are the right numbers with rows and columns exchanged.")
FLATTENED = Note("flattened", "These are the right numbers, but not in the shape asked for.")


def has_shape(rows: Sequence[Sequence[object]], height: int, width: int) -> bool:
    return len(rows) == height and all(len(row) == width for row in rows)


def other_shape(
    rule: Cells, rows: Sequence[Sequence[object]], key: MatrixKey, locale: str | None
) -> Mark:
    """What to say of a matrix that is not of the key's shape; it scores nothing.

    The key's transpose is named, and so are its rows written one after another in one row or
    column. Rows of unequal length are unreadable.
    """
    height, width = len(key), len(key[0])
    turned = has_shape(rows, width, height)
    strung = has_shape(rows, 1, height * width) or has_shape(rows, height * width, 1)
    if turned or strung:
        readings = [
            [read_cell(cell, locale, arithmetic=rule.each.arithmetic) for cell in row]
            for row in rows
        ]
        if turned and is_transpose(rule, readings, key):
            return by_score(NOTHING, TRANSPOSED)
        if strung and _are_right(rule, list(chain(*readings)), list(chain(*key))):
            return by_score(NOTHING, FLATTENED)
    widths = sorted({len(row) for row in rows})
    if len(widths) > 1:
        return unreadable(
            "ragged", f"The rows have {widths[0]} to {widths[-1]} cells; all need as many."
        )
    has = f"{len(rows)} × {widths[0] if widths else 0}"
    message = f"The answer is {has}, but {height} × {width} is asked for."
    return by_score(NOTHING, Note("wrong_shape", message))


def is_transpose(rule: Cells, readings: Sequence[Sequence[Reading]], key: MatrixKey) -> bool:
    """True if exchanging rows and columns makes every cell right."""
    return has_shape(readings, len(key[0]), len(key)) and all(
        _are_right(rule, row, column)
        for row, column in zip(readings, zip(*key, strict=True), strict=True)
    )


def _are_right(rule: Cells, readings: Sequence[Reading], due: Sequence[Number]) -> bool:
    return all(
        reading.value is not None and is_right(rule.each, reading.value, number)
        for reading, number in zip(readings, due, strict=True)
    )
