"""Follow-through: what the engine makes of a student's own earlier steps."""

from collections.abc import Mapping
from math import inf, isfinite, nan
from typing import NamedTuple

import numpy as np

from service.engine.grading.exercises.exercise import Exercise, Stage
from service.engine.grading.exercises.nearness import Floats
from service.engine.grading.exercises.trivial import is_trivial
from service.engine.trace import Array


class Followed(NamedTuple):
    """What comes of own steps.

    own: each stage as it is carried on. expected: what each wrong or missing stage should have been
    made into, where that is not the key.
    """

    own: dict[str, Array]
    expected: dict[str, Floats]


def follow(
    exercise: Exercise, right: Mapping[str, Floats], wrong: Mapping[str, Floats]
) -> Followed:
    """Every stage again, from the nearest of the student's own steps.

    right: those that are right by the key, rounded as they were typed; wrong: the others, NaN where
    there is no number, for which the one recomputed is taken. A trivial value, typed or recomputed,
    is not carried on, for then what follows would ask for no work; the true one is, instead.
    """
    own = dict(exercise.given_values)
    expected: dict[str, Floats] = {}
    changed: set[str] = set()
    with np.errstate(all="ignore"):
        for stage in exercise.stages:
            name = stage.name
            if name in right:
                own[name] = np.array(right[name])
                changed.add(name)
                continue
            value = stage.value
            if not changed.isdisjoint(stage.sources):
                made = stage.compute(own)
                rows: Floats = made.tolist()
                if not is_trivial(stage, rows):
                    value, expected[name] = made, rows
            if name in wrong:
                typed = _completed(stage, wrong[name], value)
                value = stage.value if is_trivial(stage, typed) else np.array(typed)
            if value is not stage.value:
                changed.add(name)
            own[name] = value
    return Followed(own, expected)


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
