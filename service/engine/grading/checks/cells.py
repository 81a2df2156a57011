"""A rule for a matrix or several, checked cell by cell."""

from collections.abc import Iterator
from itertools import chain

from service.engine.grading.checks.findings import Finding
from service.engine.grading.checks.numbers import Asked, check_number
from service.engine.grading.marking.rules import Cells
from service.engine.grading.marking.shapes import MatrixKey

_NAMED_CELLS = 5
_ROUNDING = 1e-6


def check_cells(rule: Cells, key: MatrixKey, asked: Asked, head: str = "") -> Iterator[Finding]:
    """Each finding on a cell once, with the places where it holds."""
    places: dict[Finding, list[str]] = {}
    for i, row in enumerate(key, 1):
        for j, cell in enumerate(row, 1):
            # What is made of many cells may well have a 0 or a whole number in some.
            for found in check_number(rule.each, cell, asked):
                if found.code not in ("relative_to_zero", "neighbour_passes"):
                    places.setdefault(found, []).append(f"row {i} column {j}")
    for found, where in places.items():
        more = f" and {len(where) - _NAMED_CELLS} more" if len(where) > _NAMED_CELLS else ""
        named = ", ".join(where[:_NAMED_CELLS]) + more
        yield found._replace(message=f"{found.message} ({head}{named})")
    if rule.rows_sum_to_one and any(abs(float(sum(row)) - 1) > _ROUNDING for row in key):
        yield Finding(
            "error",
            "rows_do_not_sum",
            f"{head}Credit is given for rows that sum to 1, but the key's do not.",
        )
    if rule.blocked_are_zero and all(chain.from_iterable(key)):
        yield Finding("note", "nothing_blocked", f"{head}No cell of the key is 0.")
    if len(key) > 1 and key == tuple(zip(*key, strict=True)):
        yield Finding(
            "note",
            "symmetric",
            f"{head}The key is its own transpose: rows and columns exchanged pass.",
        )
