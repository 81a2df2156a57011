"""Values that make whatever follows trivial, and so may not be carried on."""

from collections.abc import Iterable, Sequence
from math import inf, isfinite, nan

from service.engine.grading.exercises.exercise import Stage
from service.engine.grading.exercises.nearness import Floats


def is_trivial(stage: Stage, rows: Floats) -> bool:
    """Do these rows ask for no further work, where what is right does?

    Empty as is_empty says; rows that are each constant (of three cells or more that may be seen),
    or columns (of three or more); or what is no number; −∞ is one where it is right somewhere. All
    within the tolerance of the step's own rule, so that nothing follows from what is nearly 0.
    """
    blocked = -inf if stage.blocks else nan
    if not all(isfinite(cell) or cell == blocked for row in rows for cell in row):
        return True
    slack = stage.slack
    constant = bool(stage.varied) and all(
        is_constant([rows[i][j] for j in columns], slack) for i, columns in stage.varied
    )
    return constant or _has_constant_columns(stage, rows) or is_empty(stage, rows)


def is_empty(stage: Stage, rows: Floats) -> bool:
    """All zeros, all cells equal, or a multiple of the identity, where what is right is not.

    Within the tolerance; −∞ counts as 0.
    """
    cells, slack = _flat(rows), stage.slack
    if not all(map(isfinite, cells)):
        return False
    # Most are none of these, and show it at once.
    if abs(cells[0] - cells[-1]) > 2 * slack:
        return False
    if is_constant(cells, slack):
        due = _flat(stage.floats)
        no_zeros = not is_near_zero(cells, slack)
        return not is_constant(due, slack) if no_zeros else not is_near_zero(due, slack)
    return _is_diagonal(rows, slack) and not _is_diagonal(stage.floats, slack)


def is_constant(cells: Sequence[float], slack: float) -> bool:
    """Is one number within the tolerance of all of these?"""
    return max(cells) - min(cells) <= 2 * slack


def is_near_zero(cells: Iterable[float], slack: float) -> bool:
    return all(abs(cell) <= slack for cell in cells)


def _has_constant_columns(stage: Stage, rows: Floats) -> bool:
    """Is every column constant, of three cells or more, and one of them is not by right?"""

    def all_constant(of: Floats) -> bool:
        return all(is_constant(column, stage.slack) for column in zip(*of, strict=True))

    return len(rows) > 2 and all_constant(rows) and not all_constant(stage.floats)


def _is_diagonal(rows: Floats, slack: float) -> bool:
    """A multiple of the identity; −∞ counts as 0."""
    if len(rows) != len(rows[0]):
        return False
    beside = (cell for i, row in enumerate(rows) for j, cell in enumerate(row) if i != j)
    return is_constant([row[i] for i, row in enumerate(rows)], slack) and all(
        abs(cell) <= slack or cell == -inf for cell in beside
    )


def _flat(rows: Floats) -> list[float]:
    return [0.0 if cell == -inf else cell for row in rows for cell in row]
