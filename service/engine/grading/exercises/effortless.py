"""Cells that can be written down without working them out: zeros, and copies."""

from collections.abc import Iterator, Mapping
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

    That is 0; a weight of 1, or a row of equal weights; a number alone that is another, or that
    with other zeros at its end; a row or column that is a multiple of one that is given or comes
    earlier (of two numbers: the same, or with the decimal point moved). Not so where the same is
    true of what is right.
    """
    slack = MARGIN * stage.slack
    if made.size == 1:
        return np.array([[_is_copied(stage, made.item(), own, true, slack)]])
    shown: BoolArray = ~np.isneginf(stage.value)
    if stage.rule.blocked_are_zero:
        shown &= stage.value != 0
    free: BoolArray = np.abs(made) <= slack
    if stage.rule.rows_sum_to_one:
        free |= np.abs(made - 1) <= slack
        free |= _spread(made, shown) <= 2 * slack
    free |= _multiples(made, stage.value, shown, own, true, slack)
    free |= _multiples(made.T, stage.value.T, shown.T, own, true, slack).T
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


def _spread(rows: Array, shown: BoolArray) -> Array:
    """Of each row, the largest minus the smallest cell that may be seen; of one alone, no end."""
    highest = np.where(shown, rows, -inf).max(axis=1, keepdims=True)
    lowest = np.where(shown, rows, inf).min(axis=1, keepdims=True)
    several = shown.sum(axis=1, keepdims=True) > 1
    return np.asarray(np.where(several, highest - lowest, inf))


def _multiples(
    made: Array, due: Array, shown: BoolArray, own: Values, true: Values, slack: float
) -> BoolArray:
    """Which rows are multiples of one that there is, where those of what is right are not."""
    names = [name for name, value in own.items() if made.shape[1] in value.shape]
    if made.shape[1] < 2 or not names:
        return np.zeros((len(made), 1), np.bool_)
    found = _are_multiples(made, _lines(own, names, made.shape[1]), shown, slack)
    if found.any():
        found &= ~_are_multiples(due, _lines(true, names, made.shape[1]), shown, slack)
    return np.asarray(found.any(axis=1, keepdims=True))


def _lines(values: Mapping[str, Array], names: list[str], length: int) -> Array:
    """All rows and columns of this length, one below the other; what is blocked is 0."""

    def each() -> Iterator[Array]:
        for name in names:
            value = values[name]
            if value.shape[1] == length:
                yield value
            if value.shape[0] == length:
                yield value.T

    lines = np.concatenate(list(each()))
    return np.where(np.isfinite(lines), lines, 0.0)


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
