"""Who makes one slip and goes on exactly is right from there, however short the numbers shown."""

import numpy as np
import pytest

from service.engine.blocks import whole
from service.engine.grading.exercises.calculator import calculator
from service.engine.grading.exercises.marking import mark_exercise
from service.engine.mask import Mask
from service.engine.one_head import attention

SEEDS = range(1, 21)
AFTER = ("masked", "weights", "head", "update", "output")


def shown(value, decimals):
    return [["−∞" if np.isneginf(x) else f"{x:.{decimals}f}" for x in row] for row in value]


def without_scaling(exercise):
    """The steps of a student who forgets 1/√d_k and computes all else exactly."""
    given = exercise.given_values
    trace = attention(**given, mask=Mask(causal=True), scale=1.0)
    return {s.rule.name: whole(s.value) for s in trace.steps if s.rule.name in exercise.by_name}


def scores(exercise, steps):
    marked = mark_exercise(exercise, steps, "en")
    return {step.stage.name: step.mark.score for step in marked.steps}


@pytest.mark.parametrize("decimals", [2, 3, 6])
@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_carried_exactly_may_be_shown_rounded(seed, decimals):
    exercise = calculator(seed)
    steps = {name: shown(value, decimals) for name, value in without_scaling(exercise).items()}
    found = scores(exercise, steps)
    assert found["scaled"] < 1
    assert {name: found[name] for name in AFTER} == dict.fromkeys(AFTER, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_slip_is_not_taken_for_rounding(seed):
    exercise = calculator(seed)
    values = without_scaling(exercise)
    values["head"] = values["head"] + 0.05
    found = scores(exercise, {name: shown(value, 3) for name, value in values.items()})
    assert found["head"] < 1


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_shown_in_full_leave_nothing_to_rounding(seed):
    exercise = calculator(seed)
    values = without_scaling(exercise)
    values["head"] = values["head"] + 0.006  # more than the tolerance, 0.005
    found = scores(exercise, {name: shown(value, 12) for name, value in values.items()})
    assert found["head"] <= 1 / 4  # a cell or two may be right by the key all the same
