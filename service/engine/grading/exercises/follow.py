"""Follow-through: what the engine makes of a student's own earlier steps."""

from typing import NamedTuple

import numpy as np

from service.engine.grading.exercises.exercise import Exercise, Stage
from service.engine.grading.exercises.trivial import is_trivial
from service.engine.trace import Array


class Followed(NamedTuple):
    """What comes of own steps.

    own: each stage as it is carried on. expected: what each stage should have been made into, for
    those where that is not the key. trivial: the stages whose own value is not carried on.
    """

    own: dict[str, Array]
    expected: dict[str, Array]
    trivial: frozenset[str]


def follow(exercise: Exercise, typed: dict[str, Array]) -> Followed:
    """Every stage again, from the nearest of the student's own steps (NaN where there is no cell).

    A cell that is missing is the one recomputed from what there is. A trivial value is not carried
    on, whether typed or recomputed, for then what follows would ask for no work (but a typed one
    that is right is as trivial as the key, which is_trivial allows): the true one is, instead.
    """
    own = dict(exercise.given_values)
    expected: dict[str, Array] = {}
    trivial: set[str] = set()
    changed: set[str] = set()
    with np.errstate(all="ignore"):
        for stage in exercise.stages:
            value = key = stage.value
            if any(read.name in changed for read in stage.step.rule.reads):
                made = stage.compute(own)
                if is_trivial(made, key, exercise.seen):
                    trivial.add(stage.name)
                else:
                    value = expected[stage.name] = made
            if stage.name in typed:
                value = _completed(stage, typed[stage.name], value)
                if is_trivial(value, key, exercise.seen):
                    trivial.add(stage.name)
                    value = key
            if value is not key:
                changed.add(stage.name)
            own[stage.name] = value
    return Followed(own, expected, frozenset(trivial))


def _completed(stage: Stage, typed: Array, made: Array) -> Array:
    """typed, and made where it has no number; −∞ is one where the key has some."""
    usable = np.isfinite(typed)
    if stage.blocks:
        usable |= np.isneginf(typed)
    return typed if usable.all() else np.where(usable, typed, made)
