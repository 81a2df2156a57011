"""Which cells a cell is made from, by the rule of its step."""

import math
from collections.abc import Mapping
from typing import Any

from service.engine.blocks import Blocked
from service.engine.trace import Read, Rule, Value

Cell = tuple[str, int, int, float]
"""Its matrix, row and column, and the number in it."""


def operands_of(rule: Rule, row: int, column: int, values: Mapping[str, Value]) -> list[list[Cell]]:
    """For each of the rule's reads the cells that the cell in this row and column is made from."""
    place = {rule.axes[0]: row, rule.axes[1]: column}
    if rule.operation == "concat":
        return [[_copied(rule.reads, row, column, values)]]
    if rule.operation == "lookup":
        return _looked_up(rule.reads, place, values)
    return [_read(read, place, values[read.name]) for read in rule.reads]


def how_many(rule: Rule, values: Mapping[str, Value]) -> int:
    """How many cells each cell of a step is made from, without looking at any."""
    if rule.operation == "concat":
        return 1
    if rule.operation == "lookup":
        return 2
    return sum(
        math.prod(
            1 if axis in rule.axes else size
            for axis, size in zip(read.axes, values[read.name].shape, strict=True)
        )
        for read in rule.reads
    )


def _read(read: Read, place: dict[str, int], value: Value) -> list[Cell]:
    rows, columns = (
        [place[axis]] if axis in place and size > 1 else range(size)
        for axis, size in zip(read.axes, value.shape, strict=True)
    )
    return [
        (read.name, i, j, float(cells[j]))
        for i in rows
        for cells in (row_of(value, i),)
        for j in columns
    ]


def _copied(reads: tuple[Read, ...], row: int, column: int, values: Mapping[str, Value]) -> Cell:
    """The one cell of matrices beside each other that stands in this column."""
    for read in reads:
        value = values[read.name]
        if column < value.shape[1]:
            break
        column -= value.shape[1]
    return read.name, row, column, float(row_of(value, row)[column])


def _looked_up(
    reads: tuple[Read, ...], place: dict[str, int], values: Mapping[str, Value]
) -> list[list[Cell]]:
    """A token's number, and of the table that it looks into the cell in the row of that number."""
    number, table = reads
    index = _read(number, place, values[number.name])
    place = place | {table.axes[0]: int(index[0][3])}
    return [index, _read(table, place, values[table.name])]


def row_of(value: Value, i: int) -> Any:
    """Row i of a matrix, whether it is there or computed by blocks."""
    return value.row(i) if isinstance(value, Blocked) else value[i]
