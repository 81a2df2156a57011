"""Cells that can be written down without working them out: zeros, and copies."""

from collections.abc import Sequence
from math import inf, log10

import numpy as np
from numpy.typing import NDArray

from service.engine.grading.exercises.exercise import Stage, Values
from service.engine.trace import Array

BoolArray = NDArray[np.bool_]

# How often the tolerance: who copies may be off by one himself.
MARGIN = 2


def effortless(stage: Stage, made: Array, own: Values, true: Values) -> BoolArray:
    """Where what follows from own steps asks for no work, though what is right does.

    That is a 0 where most are, and the 1 that such a row of weights leaves; a row of equal weights;
    a number alone that is another, a count also with other zeros at its end; a row or column that
    is a multiple of one that it is made from (of two numbers: the same, or with the decimal point
    moved). Not so where the same is true of what is right.
    """
    slack = MARGIN * stage.slack
    if made.size == 1:
        return np.array([[_is_copied(stage, made.item(), own, true, slack)]])
    shown: BoolArray = ~np.isneginf(stage.value)
    if stage.rule.blocked_are_zero:
        shown &= stage.value != 0
    free = _sparse(stage, made, shown)
    if stage.rule.rows_sum_to_one:
        return free | (_spread(made, shown) <= 2 * slack)
    of, true_of = ([values[name] for name in stage.sources] for values in (own, true))
    free |= _multiples(made, stage.value, shown, of, true_of, slack)
    free |= _multiples(made.T, stage.value.T, shown.T, of, true_of, slack).T
    return free


def _is_copied(stage: Stage, made: float, own: Values, true: Values, slack: float) -> bool:
    """Is this number given, or an earlier one, but for the zeros of a count?"""
    if abs(made) <= slack:
        return True
    return any(
        value.size == 1
        and _same(made, value.item(), slack)
        and not _same(stage.value.item(), true[name].item(), slack)
        for name, value in own.items()
    )


def _same(one: float, other: float, slack: float) -> bool:
    if slack or one * other <= 0:
        return abs(one - other) <= slack
    zeros = log10(one / other)
    return abs(zeros - round(zeros)) < 1e-12


def _sparse(stage: Stage, made: Array, shown: BoolArray) -> BoolArray:
    """Zeros where most of a row or column is 0, and the 1 that such a row of weights leaves."""
    zeros = (np.abs(made) <= stage.slack) & shown
    in_rows, in_columns = (
        (2 * zeros.sum(axis=axis, keepdims=True) > count) & (count > 1)
        for axis in (1, 0)
        for count in [shown.sum(axis=axis, keepdims=True)]
    )
    ones = np.abs(made - 1) <= stage.slack if stage.rule.rows_sum_to_one else zeros
    return np.asarray((zeros & (in_rows | in_columns)) | (ones & in_rows))


def _spread(rows: Array, shown: BoolArray) -> Array:
    """Of each row, the largest minus the smallest cell that may be seen; of one alone, no end."""
    highest = np.where(shown, rows, -inf).max(axis=1, keepdims=True)
    lowest = np.where(shown, rows, inf).min(axis=1, keepdims=True)
    several = shown.sum(axis=1, keepdims=True) > 1
    return np.asarray(np.where(several, highest - lowest, inf))


def _multiples(
    made: Array,
    due: Array,
    shown: BoolArray,
    of: Sequence[Array],
    true_of: Sequence[Array],
    slack: float,
) -> BoolArray:
    """Which rows are multiples of a row or column of these, and by right would be of none."""
    length = made.shape[1]
    if length < 2 or not any(length in value.shape for value in of):
        return np.zeros((len(made), 1), np.bool_)
    found = _are_multiples(made, _lines(of, length), shown, slack)
    by_right = found.any() and found & _are_multiples(due, _lines(true_of, length), shown, slack)
    return np.asarray(found.any(axis=1, keepdims=True) & ~np.any(by_right, axis=-1, keepdims=True))


def _lines(values: Sequence[Array], length: int) -> Array:
    """All rows and columns of this length, one below the other; what is blocked is 0."""
    lines = [lines for value in values for lines in (value, value.T) if lines.shape[1] == length]
    return np.nan_to_num(np.concatenate(lines), neginf=0.0)


def _are_multiples(rows: Array, lines: Array, shown: BoolArray, slack: float) -> BoolArray:
    """Row i is a multiple of line k, in the cells that may be seen, of which there are several.

    Where there are two, only by a power of ten, for two numbers are soon in some proportion.
    """
    seen = np.where(shown, rows, 0.0)
    of = lines * shown[:, None, :]
    largest = np.abs(of).argmax(axis=2)
    row, line = np.indices(largest.shape, sparse=True)
    times = seen[row, largest] / of[row, line, largest]
    count = shown.sum(axis=1)[:, None]
    tens = np.sign(times) * 10.0 ** np.round(np.log10(np.abs(times)))
    times = np.where(count > 2, times, tens)
    apart = np.abs(seen[:, None, :] - times[:, :, None] * of).max(axis=2)
    return np.asarray((apart <= slack) & (count > 1))
