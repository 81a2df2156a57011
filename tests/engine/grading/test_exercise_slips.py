"""Every slip of every stage, on the right values and on the student's own."""

import numpy as np
import pytest
from exercise_answers import key, marks, slips, stages, typed

from service.engine.grading.exercises.bank import EXERCISES, find_exercise
from service.engine.grading.marking.numbers import is_right
from service.engine.grading.misconceptions.catalogue import MESSAGES
from service.engine.grading.reading.values import exact

SEEDS = range(1, 121)
# These two counts are equal in a model with as many layers as heads a layer.
OFTEN_ALIKE = {("attention", "one_head_only"), ("attention", "one_layer_only")}

each_stage = pytest.mark.parametrize(("id", "name"), stages())


def told(exercise, name, value):
    _, steps = marks(exercise, {name: typed(value)})
    return steps[name]


def is_the_same(rule, one, other):
    return all(
        is_right(rule, exact(a), exact(b))
        for a, b in zip(np.ravel(one).tolist(), np.ravel(other).tolist(), strict=True)
    )


@each_stage
def test_what_a_slip_makes_is_told_as_that_slip_or_not_at_all(id, name):
    """Not at all: if it is right on these numbers, or another slip makes the same."""
    counts = {}
    for seed in SEEDS:
        exercise = find_exercise(id, seed)
        stage, found = exercise.by_name[name], slips(id, name, seed)
        rule = stage.rule.each
        for code, value in found:
            step = told(exercise, name, value)
            alike = [other for other, made in found if is_the_same(rule, value, made)]
            tells = set(alike) == {code} and not is_the_same(rule, value, stage.value)
            assert (step.misconception.code if step.misconception else None) == (
                code if tells else None
            ), (seed, code)
            counts.setdefault(code, []).append(tells)
    for code, tells in counts.items():
        assert np.mean(tells) > (0.3 if (name, code) in OFTEN_ALIKE else 0.7), code


@pytest.mark.parametrize("id", EXERCISES)
def test_no_slip_is_told_of_the_truth(id):
    for seed in SEEDS:
        exercise = find_exercise(id, seed)
        _, steps = marks(exercise, key(exercise))
        assert not any(step.misconception for step in steps.values())


@pytest.mark.parametrize("id", EXERCISES)
def test_a_random_wrong_answer_is_hardly_ever_told_a_slip(id):
    random = np.random.default_rng(1)
    answers = found = 0
    for seed in range(1, 41):
        exercise = find_exercise(id, seed)
        for stage in exercise.stages:
            wrong = np.round(stage.value + random.normal(0, 1, stage.value.shape), 2)
            if id == "parameter-counts":
                wrong = np.round(stage.value * random.uniform(0.2, 5, (1, 1)))
            found += told(exercise, stage.name, wrong).misconception is not None
            answers += 1
    assert found <= answers / 50


def test_there_are_at_least_twenty_slips_and_each_teaches():
    codes = {code for id, name in stages() for code, _ in slips(id, name, 3)}
    assert len(codes) >= 20
    for code in codes:
        assert MESSAGES[code].endswith(".")
        assert len(MESSAGES[code].split()) >= 4


def test_a_code_has_the_same_message_wherever_it_is_told():
    first = told(
        find_exercise("calculator", 3), "Q", dict(slips("calculator", "Q", 3))["keys_as_queries"]
    )
    assert first.misconception.message == MESSAGES["keys_as_queries"]


def test_a_cell_that_was_not_read_tells_no_slip():
    exercise = find_exercise("calculator", 3)
    rows = typed(dict(slips("calculator", "scaled", 3))["no_scaling"])
    rows[2][1] = "?"
    _, steps = marks(exercise, {"scaled": rows})
    assert steps["scaled"].misconception is None


# Expected values by hand, from the lecture's numbers: one query with the scores 0, 4, 4, 0

LECTURE = find_exercise("calculator")
ZEROS = [0.0] * 4
BY_HAND = {
    "no_scaling": [0.00899, 0.49101, 0.49101, 0.00899],  # e^4 / (2 e^4 + 2)
    "base_two": [0.0617, 0.4383, 0.4383, 0.0617],  # 2^(4/√2) = 7.104
}


@pytest.mark.parametrize("code", BY_HAND)
def test_a_slip_by_hand_is_told(code):
    rows = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], BY_HAND[code]]
    assert told(LECTURE, "weights", rows).misconception.code == code


def test_the_scores_with_queries_and_keys_exchanged_are_told():
    rows = [[0, 0, 0, 0], [0, 0, 0, 4], [0, 0, 0, 4], [0, 0, 0, 0]]
    assert told(LECTURE, "scores", rows).misconception.code == "keys_as_queries"


def test_a_count_of_gpt3_without_its_output_matrices_is_told_where_it_is_made():
    exercise = find_exercise("parameter-counts")
    assert told(exercise, "head", [[3 * 1_572_864]]).misconception.code == "no_output_matrix"
    assert told(exercise, "layer", [[96 * 6_291_456 / 10]]).misconception.code == (
        "decimal_point_moved"
    )


def test_in_gpt3_one_head_and_one_layer_cannot_be_told_apart_so_nothing_is_told():
    exercise = find_exercise("parameter-counts")
    assert told(exercise, "attention", [[96 * 6_291_456]]).misconception is None
