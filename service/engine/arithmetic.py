"""The exact arithmetic of any cell of any step, with its numbers put in.

A step's `reads` say which cells a cell comes from; its `operation` says what is done with them.
Numbers are written in full, so that whoever evaluates the text gets the cell, unless
`digits` asks for something shorter.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from service.engine.errors import EngineError
from service.engine.expressions import EXPRESSIONS
from service.engine.notation import Operands, number
from service.engine.operands import how_many, operands_of, row_of
from service.engine.trace import Step, Trace, Value

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
    values = {name: step.value for name, step in sources.items()}
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
    different = sorted(set(places))
    spent.operands += sum(how_many(named[name].rule, values) for name, _, _ in different)
    if spent.operands > MAX_OPERANDS:
        raise EngineError(
            "explain",
            f"These cells are made from more than {MAX_OPERANDS:,} numbers; explain fewer cells.",
        )
    # Row by row, so that a block of a large step is computed once; told in the order of asking.
    found: dict[tuple[str, int, int], Explanation] = {}
    for place in different:
        name, row, column = place
        found[place] = _explain(named[name], row, column, values, digits)
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
    step: Step, row: int, column: int, values: Mapping[str, Value], digits: int | None
) -> Explanation:
    rule = step.rule
    operands = operands_of(rule, row, column, values)
    numbers = Operands(
        [[float(operand[3]) for operand in read] for read in operands],
        {read.name: i for i, read in enumerate(rule.reads)},
        step.constants or {},
        (row, column),
    )
    result = float(row_of(step.value, row)[column])
    rounded = _rounder(digits)
    text, latex = EXPRESSIONS[rule.operation](numbers, result, lambda x: number(rounded(x)))
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


def _finite(x: float) -> float | None:
    return None if x == -np.inf else x + 0.0  # −0.0 is written as 0.0, as in the steps
