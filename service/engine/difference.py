"""Two traces of the same kind, compared cell by cell."""

import math
from typing import NotRequired, TypedDict

from service.engine.blocks import Blocked, whole
from service.engine.errors import EngineError
from service.engine.trace import Array, Trace, Value

MAX_CELLS = 10_000


class Cell(TypedDict):
    """A cell that differs."""

    row: int
    column: int
    before: float
    after: float


class Change(TypedDict):
    """The cells of a step that differ, and how far apart the two values are at most.

    A cell that became or was −∞ is infinitely far: no number says that, and `largest` is not there.
    """

    step: str
    cells: list[Cell]
    largest: NotRequired[float]


class Difference(TypedDict):
    """What became of each step: changed, the same to the bit, of another shape, or not there."""

    changed: list[Change]
    unchanged: list[str]
    reshaped: list[str]
    only_before: list[str]
    only_after: list[str]


def difference(before: Trace, after: Trace) -> Difference:
    """The steps of two traces by name. Raises EngineError if more than MAX_CELLS cells differ."""
    earlier = {step.rule.name: step.value for step in before.steps}
    later = {step.rule.name: step.value for step in after.steps}
    found: Difference = {
        "changed": [],
        "unchanged": [],
        "reshaped": [],
        "only_before": [name for name in earlier if name not in later],
        "only_after": [name for name in later if name not in earlier],
    }
    room = MAX_CELLS
    for name, value in earlier.items():
        if name not in later:
            continue
        other = later[name]
        if value.shape != other.shape:
            found["reshaped"].append(name)
        elif cells := changed_cells(name, value, other, room):
            room -= len(cells)
            found["changed"].append(change(name, cells))
        else:
            found["unchanged"].append(name)
    return found


def changed_cells(name: str, before: Value, after: Value, room: int) -> list[Cell]:
    """The cells in which two steps of one shape differ.

    Blocks are compared as they are computed, if both have as many rows in each: those of n × n
    matrices always have.
    """
    if type(before) is type(after) is Blocked and before.rows == after.rows:
        cells: list[Cell] = []
        for i, (a, b) in enumerate(zip(before, after, strict=True)):
            cells += changed_in(name, a, b, i * before.rows, room - len(cells))
        return cells
    return changed_in(name, whole(before), whole(after), 0, room)


def changed_in(name: str, before: Array, after: Array, start: int, room: int) -> list[Cell]:
    """The cells in which two arrays differ, whose first row is row `start` of the step."""
    if before.tobytes() == after.tobytes():  # a sixth of the time of looking for places
        return []
    differs = before != after
    rows, columns = differs.nonzero()
    if len(rows) > room:
        raise EngineError(
            "",
            f"More than {MAX_CELLS:,} cells differ, at {name} if not before."
            " Name fewer steps, or send fewer tokens.",
        )
    numbers = before[differs].tolist(), after[differs].tolist()
    return [
        {"row": row + start, "column": column, "before": x, "after": y}
        for row, column, x, y in zip(rows.tolist(), columns.tolist(), *numbers, strict=True)
    ]


def change(step: str, cells: list[Cell]) -> Change:
    """The cells with the largest change."""
    largest = max([abs(cell["after"] - cell["before"]) for cell in cells])
    if math.isinf(largest):
        return {"step": step, "cells": cells}
    return {"step": step, "cells": cells, "largest": largest}
