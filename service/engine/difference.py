"""Two traces of the same kind, compared cell by cell."""

from typing import NamedTuple

import numpy as np

from service.engine.blocks import block, rows_a_block
from service.engine.errors import EngineError
from service.engine.trace import Step, Trace

MAX_CELLS = 10_000


class Cell(NamedTuple):
    """A cell that differs; −∞ is None."""

    row: int
    column: int
    before: float | None
    after: float | None


class Change(NamedTuple):
    """The cells of a step that differ, and how far apart the two values are at most."""

    step: str
    cells: list[Cell]
    largest: float | None


class Difference(NamedTuple):
    """What became of each step: changed, the same to the bit, of another shape, or not there."""

    changed: list[Change]
    unchanged: list[str]
    reshaped: list[str]
    only_before: list[str]
    only_after: list[str]


def difference(before: Trace, after: Trace) -> Difference:
    """The steps of two traces by name. Raises EngineError if more than MAX_CELLS cells differ."""
    earlier = {step.rule.name: step for step in before.steps}
    later = {step.rule.name: step for step in after.steps}
    found = Difference([], [], [], [], [name for name in later if name not in earlier])
    budget = MAX_CELLS
    for name, step in earlier.items():
        if name not in later:
            found.only_before.append(name)
        elif step.value.shape != later[name].value.shape:
            found.reshaped.append(name)
        else:
            change = changed_cells(step, later[name], budget)
            budget -= len(change.cells)
            if change.cells:
                found.changed.append(change)
            else:
                found.unchanged.append(name)
    return found


def changed_cells(before: Step, after: Step, most: int) -> Change:
    """The cells in which two steps of one shape differ, a block of rows at a time."""
    n, m = before.value.shape
    rows = rows_a_block(m)
    cells: list[Cell] = []
    largest: float | None = 0.0
    for i, start in enumerate(range(0, n, rows)):
        a, b = block(before.value, i), block(after.value, i)
        places = np.argwhere(a != b)
        if len(cells) + len(places) > most:
            raise EngineError(
                "",
                f"More than {MAX_CELLS:,} cells differ, at {before.rule.name} if not before."
                " Name fewer steps, or send fewer tokens.",
            )
        for row, column in places.tolist():
            x, y = float(a[row, column]), float(b[row, column])
            cells.append(Cell(row + start, column, _finite(x), _finite(y)))
            apart = abs(y - x)
            # A cell that became or was −∞ is infinitely far: no number says that.
            largest = None if largest is None or np.isinf(apart) else max(largest, apart)
    return Change(before.rule.name, cells, largest)


def _finite(x: float) -> float | None:
    return None if x == -np.inf else x + 0.0
