"""Values that make whatever follows trivial, and so may not be carried on."""

from math import inf, isfinite, nan

from service.engine.grading.exercises.exercise import Stage
from service.engine.grading.exercises.nearness import Floats


def is_trivial(stage: Stage, rows: Floats) -> bool:
    """Do these rows ask for no further work, where what is right does?

    Empty as is_empty says, or rows that are each constant (of three cells or more that may be
    seen), or what is no number; −∞ is one where it is right somewhere.
    """
    blocked = -inf if stage.blocks else nan
    if not all(isfinite(cell) or cell == blocked for row in rows for cell in row):
        return True
    constant = bool(stage.varied) and all(
        _constant([rows[i][j] for j in columns]) for i, columns in stage.varied
    )
    return constant or is_empty(stage, rows)


def is_empty(stage: Stage, rows: Floats) -> bool:
    """All zeros, all cells equal, or a multiple of the identity, where what is right is not.

    −∞ counts as 0.
    """
    cells, due = _flat(rows), _flat(stage.floats)
    if _constant(cells):
        return not _constant(due) if cells[0] else any(due)
    n = len(rows)
    diagonal = [cells[0] * (i == j) for i in range(n) for j in range(len(rows[0]))]
    return cells == diagonal != due and n == len(rows[0])


def _flat(rows: Floats) -> list[float]:
    return [0.0 if cell == -inf else cell for row in rows for cell in row]


def _constant(cells: list[float]) -> bool:
    return cells.count(cells[0]) == len(cells)
