"""What nobody worked out earns little, and an honest slip keeps its follow-through."""

from itertools import product

import numpy as np
import pytest
from blind_answers import ENDS, FILLS, score
from exercise_answers import codes, key, marks, typed, worked_on

from service.engine.grading.exercises.bank import EXERCISES, find_exercise

SEEDS = range(1, 21)
exercises = pytest.mark.parametrize("id", EXERCISES)

COPIES = dict.fromkeys((name for name in ENDS if name not in ("masked", "weights")), ("copy 0",))
LAST = dict.fromkeys(("output", "sublayer_input"), ("copy 0",))
ALL_ALIKE = [
    {"": (fill,), "masked": (mask.format(fill), f"{fill}, masked"), "weights": (weigh, fill)} | last
    for fill, (mask, weigh), last in product(
        (*FILLS, "of another variant"),
        (("{}, masked", "uniform"), ("copy 0, masked", "first"), ("{}", ""), ("copy 0", "peaked")),
        ({}, LAST, COPIES),
    )
]
# The best that a search found, step by step, and what testers wrote by hand.
FOUND = [
    {"": ("tiny",), "variance": ("huge",), "sublayer_input": ("copy 0",), "sum": ("copy 0",)},
    {"": ("counted",), "mean": ("ones but for one",), "output": ("copy 0",)},
    {
        "": ("one-hot times ten",),
        "masked": ("copy 0, masked", "counted"),
        "Q": ("small whole numbers",),
        "K": ("copy 0",),
        "scores": ("constant columns",),
        "scaled": ("drawn",),
        "weights": ("peaked",),
        "V": ("copy 0",),
        "head": ("small whole numbers",),
        "output": ("copy 0",),
    },
    {
        "": ("hundreds",),
        "masked": ("hundreds, masked",),
        "Q": ("small whole numbers",),
        "K": ("ones but for one",),
        "scores": ("ones but for one",),
        "weights": ("first",),
        "V": ("copy 0",),
        "head": ("copy 0",),
    },
]
BLIND = [*ALL_ALIKE, *FOUND]
# Of the lecture's own numbers most are 0, and so right by the key.
MOST, MOST_OF_THE_LECTURE = 0.25, 0.7


def mean_score(id, chosen, seeds):
    return np.mean([score(find_exercise(id, seed), chosen, seed) for seed in seeds])


@exercises
def test_no_blind_strategy_earns_more_than_a_quarter(id):
    first = sorted(BLIND, key=lambda chosen: -mean_score(id, chosen, SEEDS[:2]))
    scores = {str(chosen): mean_score(id, chosen, SEEDS) for chosen in first[:16]}
    best = max(scores, key=scores.get)
    assert scores[best] <= MOST, best


@exercises
def test_blind_strategies_on_the_lectures_numbers(id):
    scores = {str(chosen): mean_score(id, chosen, [0]) for chosen in BLIND}
    best = max(scores, key=scores.get)
    assert scores[best] <= MOST_OF_THE_LECTURE, best


@exercises
def test_the_key_of_another_variant_earns_little(id):
    found = []
    for seed in SEEDS:
        exercise, other = find_exercise(id, seed), find_exercise(id, seed + 1)
        if key(exercise) != key(other):
            found.append(float(marks(exercise, key(other))[0].score))
    assert np.mean(found) <= MOST


# What is nearly trivial, by hand

TINY = [["0.000001", "0.000002"], ["0.000003", "0.000004"]] * 2


def test_nearly_zeros_are_as_trivial_as_zeros():
    exercise = find_exercise("calculator", 3)
    _, found = marks(exercise, {"Q": TINY, "scores": [["0.00001"] * 3 + ["0"]] * 4})
    for name in ("Q", "scores"):
        assert "trivial" in codes(found[name])
        assert found[name].mark.score == 0
        assert not found[name].carried


@pytest.mark.parametrize("scores", [np.full((4, 4), 7.0), np.eye(4), np.zeros((4, 4))])
def test_all_that_is_within_the_tolerance_of_trivial_is_trivial(scores):
    exercise = find_exercise("calculator", 3)
    near = scores + np.arange(16).reshape(4, 4) * 0.0006 - 0.0045
    _, found = marks(exercise, worked_on(exercise, scores=lambda v: near))
    assert "trivial" in codes(found["scores"])
    _, found = marks(exercise, {"scores": typed(near), "scaled": typed(near / 2**0.5)})
    assert not found["scaled"].carried


def test_a_huge_variance_does_not_make_every_normalised_number_right():
    exercise = find_exercise("norm-and-add", 3)
    beta = typed(exercise.given_values["beta"])
    steps = {"variance": [["10000000"]], "normalised": [["0.001"] * 4 + ["0"]]}
    _, found = marks(exercise, steps | {"sublayer_input": beta})
    assert not found["normalised"].carried
    assert not found["sublayer_input"].carried


def test_rows_that_are_copied_from_what_they_are_made_of_are_not_carried():
    """A one in each row of Q makes each row of the scores a column of K."""
    exercise = find_exercise("calculator", 8)  # in which no query is of one number only
    K = exercise.by_name["K"].value
    Q = np.array([[10, 0], [0, 10], [10, 0], [0, 10]])
    steps = key(exercise) | {"Q": typed(Q), "scores": typed(Q @ K.T)}
    _, found = marks(exercise, steps)
    assert not found["scores"].carried


def test_numbers_that_suit_each_other_and_not_what_is_given_are_not_carried():
    """The mean and the variance of 1 to 5 are known by heart."""
    exercise = find_exercise("add-and-norm", 3)
    steps = {
        "sum": [["1", "2", "3", "4", "5"]],
        "mean": [["3"]],
        "variance": [["2"]],
        "normalised": [["-1.41", "-0.71", "0", "0.71", "1.41"]],
    }
    _, found = marks(exercise, steps)
    assert not any(step.carried for step in found.values())


# Honest students


def with_a_slip(stage, random, whole):
    """One cell of what is right so far, changed."""

    def compute(values):
        made = stage.compute(values).copy()
        places = np.argwhere(np.isfinite(made))
        place = tuple(places[random.integers(len(places))])
        made[place] = made[place] * 3 + 1 if whole else round(made[place] + 0.7, 2)
        return made

    return {stage.name: compute}


@exercises
def test_an_honest_slip_in_one_cell_costs_its_own_step_alone(id):
    random = np.random.default_rng(1)
    kept = []
    for seed in SEEDS:
        exercise = find_exercise(id, seed)
        for stage in exercise.stages:
            slip = with_a_slip(stage, random, id == "parameter-counts")
            _, found = marks(exercise, worked_on(exercise, **slip))
            kept.append(
                all(step.mark.score == 1 for name, step in found.items() if name != stage.name)
            )
    assert np.mean(kept) >= 0.98


def test_a_matrix_that_is_wrong_throughout_is_carried_where_others_are_right():
    exercise = find_exercise("calculator", 3)
    wrong = exercise.by_name["Q"].value * 1.3 + [[0.4, -0.9]]
    _, found = marks(exercise, worked_on(exercise, Q=lambda v: wrong))
    assert [name for name, step in found.items() if step.mark.score < 1] == ["Q"]
