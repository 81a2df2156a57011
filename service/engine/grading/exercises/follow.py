"""Follow-through: what the engine makes of a student's own earlier steps."""

from collections.abc import Mapping
from math import inf, isfinite, nan
from typing import NamedTuple

import numpy as np

from service.engine.grading.exercises.effortless import effortless
from service.engine.grading.exercises.exercise import BoolArray, Exercise, Stage
from service.engine.grading.exercises.given import Given
from service.engine.grading.exercises.nearness import Bools, Floats, right_cells
from service.engine.grading.exercises.rounding import within_rounding
from service.engine.grading.exercises.slips import slip
from service.engine.grading.exercises.trivial import is_trivial
from service.engine.grading.marking.task import Misconception
from service.engine.trace import Array


class Followed(NamedTuple):
    """What comes of own steps.

    also: where a wrong step is right by follow-through. slips: what is behind one that is not all
    right, if it is known.
    """

    also: dict[str, Bools]
    slips: dict[str, Misconception | None]


def follow(exercise: Exercise, given: Mapping[str, Given]) -> Followed:
    """Every stage again, from the nearest of the student's own steps.

    What is right by the key is carried on as it was typed, or as what was rounded to that; of what
    is wrong, the number recomputed where there is none. A trivial value, typed or recomputed, is
    not carried on, for then what follows would ask for no work; the true one is, instead. Nor is a
    matrix that shows no work, beyond as many as there are matrices right by the key, for it may be
    another variant's; and what follows from one that is, is right only where it is not effortless.
    """
    own = dict(exercise.given_values)
    also: dict[str, Bools] = {}
    slips: dict[str, Misconception | None] = {}
    changed: set[str] = set()
    doubted: set[str] = set()  # what shows no work, and what comes of that
    trust = sum(step.is_right for step in given.values() if step.stage.value.size > 1)
    with np.errstate(all="ignore"):
        for stage in exercise.stages:
            name, step = stage.name, given.get(stage.name)
            if step is not None and step.is_right:
                own[name] = np.array(step.numbers)
                changed.add(name)
                continue
            value, expected = stage.value, None
            if not changed.isdisjoint(stage.sources):
                value, expected = _made(stage, own)
            doubtful = expected is not None and not doubted.isdisjoint(stage.sources)
            if step is not None and step.cells:
                right = step.right
                if expected is not None:
                    found = right_cells(stage.rule, step.cells, expected)
                    found = within_rounding(step, found, expected, own, given)
                    if doubtful and found != right:
                        found = _but(found, effortless(exercise, stage, value, own))
                    also[name] = found
                    right = _either(right, found)
                why = slips[name] = _slip(step, right, expected, own)
                shows_work = why is not None or _is_half_right(stage, right, expected)
                typed = _completed(stage, step.numbers, value)
                if is_trivial(stage, typed) or not (shows_work or trust or value.size == 1):
                    value, doubtful = stage.value, False
                else:
                    value, doubtful = np.array(typed), doubtful or not shows_work
                    trust -= not shows_work and value.size > 1
            if value is not stage.value:
                changed.add(name)
            if doubtful:
                doubted.add(name)
            own[name] = value
    return Followed(also, slips)


def _made(stage: Stage, own: Mapping[str, Array]) -> tuple[Array, Floats | None]:
    """What these make of the stage, also as rows; what is right, if that would be trivial."""
    made = stage.compute(own)
    rows: Floats = made.tolist()
    return (stage.value, None) if is_trivial(stage, rows) else (made, rows)


def _but(right: Bools, free: BoolArray) -> Bools:
    """Where the first and not the second."""
    pairs = zip(right, free.tolist(), strict=True)
    return [[a and not b for a, b in zip(*rows, strict=True)] for rows in pairs]


def _slip(
    step: Given, right: Bools, expected: Floats | None, own: Mapping[str, Array]
) -> Misconception | None:
    """What is behind a step that is not all right, if it is known."""
    if all(map(all, right)):
        return None
    due = [step.stage.floats] if expected is None else [step.stage.floats, expected]
    return slip(step.stage, step.cells, own, due)


def _either(one: Bools, other: Bools) -> Bools:
    return [[a or b for a, b in zip(*rows, strict=True)] for rows in zip(one, other, strict=True)]


def _is_half_right(stage: Stage, right: Bools, expected: Floats | None) -> bool:
    """Are half of the cells right, of those that are neither 0 nor blocked?"""
    due = stage.floats if expected is None else expected
    slack = stage.slack
    telling = [
        is_right
        for rows in zip(right, due, strict=True)
        for is_right, number in zip(*rows, strict=True)
        if abs(number) > slack and number != -inf
    ]
    return 0 < len(telling) <= 2 * sum(telling)


def _completed(stage: Stage, typed: Floats, made: Array) -> Floats:
    """typed, and made where it has no number; −∞ is one where it is right somewhere."""
    blocked = -inf if stage.blocks else nan
    return [
        [
            cell if isfinite(cell) or cell == blocked else other
            for cell, other in zip(*cells, strict=True)
        ]
        for cells in zip(typed, made.tolist(), strict=True)
    ]
