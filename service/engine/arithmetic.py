"""The exact arithmetic of any cell of any step, with its numbers put in.

A step's `reads` say which cells a cell comes from; its `operation` says what is done with them.
Numbers are written in full, so that whoever evaluates the text gets the cell, unless
`digits` asks for something shorter.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from service.engine.blocks import Blocked
from service.engine.errors import EngineError
from service.engine.expressions import EXPRESSIONS
from service.engine.notation import Operands, number
from service.engine.trace import Read, Step, Trace, Value

MAX_CELLS = 1_000
MAX_OPERANDS = 100_000


class Operand(NamedTuple):
    """A cell that another was made from. −∞ is None."""

    name: str
    row: int
    column: int
    value: float | None


class Explanation(NamedTuple):
    """One cell, what it was made from, and how."""

    step: str
    row: int
    column: int
    value: float | None
    operands: list[Operand]
    text: str
    latex: str


class Cells(NamedTuple):
    """What to explain: a step, or "*" for each; one row and column, or all of them."""

    step: str
    row: int | None = None
    column: int | None = None


@dataclass
class Spent:
    """What the traces of one request have explained so far."""

    cells: int = 0
    operands: int = 0


def explain(
    trace: Trace, wanted: dict[int, Cells], digits: int | None, spent: Spent
) -> list[Explanation]:
    """The arithmetic of the wanted cells, by their number in the request; tokens are rows.

    Raises EngineError for a step or cell that is not there, or where they are too many.
    """
    sources = {step.rule.name: step for step in (*trace.inputs, *trace.steps)} | trace.elsewhere
    named = {step.rule.name: step for step in trace.steps}
    places: list[tuple[str, int, int]] = []
    for index, cells in wanted.items():
        for step in named.values() if cells.step == "*" else [named[cells.step]]:
            rows = _range(index, "row", cells.row, step.value.shape[0], step.rule.name)
            columns = _range(index, "column", cells.column, step.value.shape[1], step.rule.name)
            spent.cells += len(rows) * len(columns)
            if spent.cells > MAX_CELLS:
                raise EngineError(
                    "explain", f"At most {MAX_CELLS:,} cells are explained in one request."
                )
            places += [(step.rule.name, row, column) for row in rows for column in columns]
    # Row by row, so that a block of a large step is computed once; told in the order of asking.
    found: dict[tuple[str, int, int], Explanation] = {}
    for place in sorted(set(places)):
        name, row, column = place
        found[place] = _explain(named[name], row, column, sources, digits)
        spent.operands += len(found[place].operands)
        if spent.operands > MAX_OPERANDS:
            raise EngineError(
                "explain",
                f"These cells are made from more than {MAX_OPERANDS:,} numbers; explain fewer"
                " cells.",
            )
    return [found[place] for place in places]


def _range(index: int, name: str, place: int | None, size: int, step: str) -> range:
    if place is None:
        return range(size)
    if place >= size:
        raise EngineError(
            f"explain/{index}/{name}",
            f"{step} has {size} {name}s, counted from 0; there is no {name} {place}.",
        )
    return range(place, place + 1)


def _explain(
    step: Step, row: int, column: int, sources: dict[str, Step], digits: int | None
) -> Explanation:
    rule = step.rule
    place = {rule.axes[0]: row, rule.axes[1]: column}
    if rule.operation == "concat":
        operands = [[_copied(rule.reads, row, column, sources)]]
    elif rule.operation == "lookup":
        operands = _looked_up(rule.reads, place, sources)
    else:
        operands = [_operands(read, place, sources[read.name].value) for read in rule.reads]
    values = Operands(
        [[float(operand[3]) for operand in read] for read in operands],
        {read.name: i for i, read in enumerate(rule.reads)},
        step.constants or {},
        (row, column),
    )
    result = float(_row(step.value, row)[column])
    rounded = _rounder(digits)
    text, latex = EXPRESSIONS[rule.operation](values, result, lambda x: number(rounded(x)))
    return Explanation(
        rule.name,
        row,
        column,
        _finite(rounded(result)),
        [Operand(*cell[:3], _finite(rounded(cell[3]))) for read in operands for cell in read],
        text,
        latex,
    )


def _rounder(digits: int | None) -> Callable[[float], float]:
    """Rounds to so many significant digits, unless that would not fit a float64."""
    if digits is None:
        return float

    def rounded(x: float) -> float:
        short = float(f"{x:.{digits}g}")
        return x if math.isinf(short) else short

    return rounded


def _operands(read: Read, place: dict[str, int], value: Value) -> list[tuple[str, int, int, float]]:
    rows, columns = (
        [place[axis]] if axis in place and size > 1 else range(size)
        for axis, size in zip(read.axes, value.shape, strict=True)
    )
    return [
        (read.name, i, j, float(cells[j]))
        for i in rows
        for cells in (_row(value, i),)
        for j in columns
    ]


def _copied(
    reads: tuple[Read, ...], row: int, column: int, sources: dict[str, Step]
) -> tuple[str, int, int, float]:
    """The one cell of matrices beside each other that stands in this column."""
    for read in reads:
        value = sources[read.name].value
        if column < value.shape[1]:
            break
        column -= value.shape[1]
    return read.name, row, column, float(_row(value, row)[column])


def _looked_up(
    reads: tuple[Read, ...], place: dict[str, int], sources: dict[str, Step]
) -> list[list[tuple[str, int, int, float]]]:
    """A token's number, and of the table that it looks into the cell in the row of that number."""
    number, table = reads
    index = _operands(number, place, sources[number.name].value)
    place = place | {table.axes[0]: int(index[0][3])}
    return [index, _operands(table, place, sources[table.name].value)]


def _row(value: Value, i: int) -> Any:
    return value.row(i) if isinstance(value, Blocked) else value[i]


def _finite(x: float) -> float | None:
    return None if x == -np.inf else x + 0.0  # −0.0 is written as 0.0, as in the steps
