"""Cells that can be written down without working them out: zeros, and copies."""

from functools import lru_cache
from math import inf, log10

import numpy as np

from service.engine.grading.exercises.exercise import BoolArray, Exercise, Stage, Values
from service.engine.trace import Array

# How often the tolerance: who copies may be off by one himself.
MARGIN = 2


def effortless(exercise: Exercise, stage: Stage, made: Array, own: Values) -> BoolArray:
    """Where what follows from own steps asks for no work, though what is right does.

    That is a 0 where most are, and the 1 that such a row of weights leaves; a row of equal weights;
    a number alone that is another, a count also with other zeros at its end; a row or column that
    is a multiple of one that it is made from, if it is made from several (of two numbers: the same,
    or with the decimal point moved). Not so where the same is true of what is right.
    """
    if made.size == 1:
        return np.array([[_is_copied(stage, made.item(), own, exercise.true_values)]])
    free = _sparse(stage, made)
    if stage.rule.rows_sum_to_one:
        return free | (_spread(made, stage.shown) <= 2 * MARGIN * stage.slack)
    if len(stage.sources) > 1:
        for turned in (False, True):
            found = _multiples(stage, made, own, turned)
            lines: BoolArray = np.asarray(found.any(axis=1, keepdims=True))
            if lines.any():
                by_right = found & _by_right(exercise, stage, turned)
                lines &= ~np.asarray(by_right.any(axis=1, keepdims=True))
                free |= lines.T if turned else lines
    return free


def _is_copied(stage: Stage, made: float, own: Values, true: Values) -> bool:
    """Is this number given, or an earlier one, but for the zeros of a count?"""
    slack = MARGIN * stage.slack
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


def _sparse(stage: Stage, made: Array) -> BoolArray:
    """Zeros where most of a row or column is 0, and the 1 that such a row of weights leaves."""
    shown = stage.shown
    zeros: BoolArray = (np.abs(made) <= stage.slack) & shown
    if not zeros.any():
        return zeros
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


@lru_cache(maxsize=1024)
def _by_right(exercise: Exercise, stage: Stage, turned: bool) -> BoolArray:
    """_multiples of what is right; a class answers few variants."""
    with np.errstate(all="ignore"):
        return _multiples(stage, stage.value, exercise.true_values, turned)


def _multiples(stage: Stage, made: Array, values: Values, turned: bool) -> BoolArray:
    """Which rows (turned: columns) are multiples of which rows and columns of what it reads."""
    rows, shown = (made.T, stage.shown.T) if turned else (made, stage.shown)
    of = [
        lines
        for name in sorted(stage.sources)
        for lines in (values[name], values[name].T)
        if lines.shape[1] == rows.shape[1] > 1
    ]
    if not of:
        return np.zeros((len(rows), 1), np.bool_)
    return _are_multiples(rows, np.concatenate(of), shown, MARGIN * stage.slack)


def _are_multiples(rows: Array, lines: Array, shown: BoolArray, slack: float) -> BoolArray:
    """Row i is a multiple of line k, in the cells that may be seen, of which there are several.

    Where there are two, only by a power of ten, for two numbers are soon in some proportion.
    """
    seen = np.where(shown, rows, 0.0)
    of = lines * shown[:, None, :]
    largest = np.abs(of).argmax(axis=2)
    row, line = np.arange(len(rows))[:, None], np.arange(len(lines))
    times = seen[row, largest] / of[row, line, largest]
    count = shown.sum(axis=1)[:, None]
    if (count == 2).any():
        tens = np.sign(times) * 10.0 ** np.round(np.log10(np.abs(times)))
        times = np.where(count == 2, tens, times)
    apart = np.abs(seen[:, None, :] - times[:, :, None] * of).max(axis=2)
    return np.asarray((apart <= slack) & (count > 1))
