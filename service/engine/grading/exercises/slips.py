"""Which known way to go wrong makes a step of what the student had before it."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from service.engine.grading.exercises.exercise import Stage, exact_rows
from service.engine.grading.exercises.nearness import Cell, Floats, all_right, nearness
from service.engine.grading.marking.diagnosis import generic_slip, told_apart
from service.engine.grading.marking.rules import ScalarRule
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.marking.task import Misconception
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.reading.values import exact
from service.engine.trace import Array


def slip(
    stage: Stage,
    cells: Sequence[Sequence[Cell]],
    own: Mapping[str, Array],
    right: Sequence[Floats],
) -> Misconception | None:
    """The one misconception whose rule, on the student's own earlier steps, gives every cell.

    right: what would have been right. Silent where two of different codes explain it, or where what
    one gives is right on these numbers.
    """
    each = stage.rule.each
    told = told_apart(
        known(code, key)
        for code, value in broken(stage, own)
        if all_right(each, cells, value.tolist())
        for key in [exact_rows(value)]
        if not any(_come_to(each, key, value.tolist(), due) for due in right)
    )
    value = cells[0][0].value
    if told or stage.value.size > 1 or value is None:
        return told[0] if len(told) == 1 else None
    return generic_slip(each, value, [exact(due[0][0]) for due in right])


def _come_to(each: ScalarRule, key: MatrixKey, numbers: Floats, due: Floats) -> bool:
    """Would these numbers be right, all of them?"""
    near = nearness(each)
    return all(
        near(*cell)
        for rows in zip(key, numbers, due, strict=True)
        for cell in zip(*rows, strict=True)
    )


def broken(stage: Stage, own: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    """What each slip of a stage makes of these values, where it makes anything."""
    for code, compute in stage.slips:
        try:
            with np.errstate(all="ignore"):
                value = compute(own)
        except ValueError:  # matrices that cannot be multiplied the wrong way around
            continue
        if value.shape == stage.value.shape and not np.isnan(value).any():
            yield code, value
