"""Every exercise tests itself, in 200 variants."""

import re

import numpy as np
import pytest
from exercise_answers import FEW, SEEDS, key, marks, two_decimals, typed
from heads_by_hand import head_by_loops

from service.engine.blocks import whole
from service.engine.grading.bank.whole import BANK
from service.engine.grading.exercises.bank import EXERCISES, find_exercise
from service.engine.grading.exercises.posed import posed_parts
from service.engine.grading.questions.chapters import CHAPTERS
from service.engine.grading.questions.wording import latex, plain
from service.engine.params import Configuration, count

exercises = pytest.mark.parametrize("id", EXERCISES)
OUTSIDE = re.compile(r"\$[^$]*\$|`[^`]*`")


def texts(exercise):
    return [exercise.title, exercise.prompt, exercise.explanation, *exercise.hints]


@exercises
def test_each_stage_makes_the_engines_own_step_of_what_it_reads(id):
    for seed in SEEDS:
        exercise = find_exercise(id, seed)
        values = dict(exercise.given_values)
        steps = {step.rule.name: whole(step.value) for step in exercise.solution.steps}
        for stage in exercise.stages:
            made = stage.compute(values)
            np.testing.assert_allclose(made, steps[stage.name], rtol=1e-13, atol=1e-13, strict=True)
            values[stage.name] = made


@exercises
def test_a_stage_reads_what_is_given_or_comes_before_it(id):
    exercise = find_exercise(id)
    known = set(exercise.given_values)
    for stage in exercise.stages:
        assert stage.sources <= known
        known.add(stage.name)


@exercises
def test_the_key_is_right_exactly_and_rounded_to_two_decimals(id):
    for seed in SEEDS:
        exercise = find_exercise(id, seed)
        for write in (repr, two_decimals):
            mark, steps = marks(exercise, key(exercise, write))
            assert (mark.verdict, mark.score) == ("correct", 1)
            assert not any(step.carried or step.misconception for step in steps.values())


@exercises
def test_the_key_is_right_in_the_notations_of_other_places(id):
    exercise = find_exercise(id, 7)
    steps = key(exercise, lambda cell: f"{cell:.4f}".replace(".", ","))
    assert marks(exercise, steps, "de")[0].verdict == "correct"


@exercises
def test_numbers_carried_rounded_to_two_decimals_stay_right(id):
    for seed in SEEDS:
        exercise = find_exercise(id, seed)
        values, steps = dict(exercise.given_values), {}
        for stage in exercise.stages:
            values[stage.name] = np.round(stage.compute(values), 2)
            steps[stage.name] = typed(values[stage.name], two_decimals)
        assert marks(exercise, steps)[0].verdict == "correct"


@exercises
def test_variants_differ_and_are_the_same_for_the_same_seed(id):
    draw = EXERCISES[id]
    found = {str(key(draw(seed))) for seed in range(1, 40)}
    assert len(found) >= (5 if id == "parameter-counts" else 39)
    assert key(draw(5)) == key(draw(5))
    assert key(find_exercise(id, 0)) == key(find_exercise(id, None)) == key(draw(None))


@exercises
def test_what_is_posed_holds_the_givens_and_no_values_of_the_steps(id):
    exercise = find_exercise(id, 3)
    parts = posed_parts(exercise)
    assert [given["name"] for given in parts["givens"]] == list(exercise.given_values)
    for given in parts["givens"]:
        assert given["value"] == exercise.given_values[given["name"]].tolist()
        assert given["shape"] == [len(given["value"]), len(given["value"][0])]
    assert [step["name"] for step in parts["steps"]] == [stage.name for stage in exercise.stages]
    assert all("value" not in step for step in parts["steps"])
    assert {axis for step in parts["steps"] for axis in step["axes"]} <= set(parts["axes"])


@exercises
def test_the_texts_are_well_formed(id):
    for seed in FEW:
        exercise = find_exercise(id, seed)
        assert exercise.id == id
        assert exercise.chapter in CHAPTERS
        assert exercise.difficulty in (1, 2, 3)
        assert exercise.hints
        for text in texts(exercise):
            assert not set("\\$`*{}") & set(plain(text)), plain(text)
            assert latex(text).count("{") == latex(text).count("}")
            assert not re.search("[−∞√·×≈≤≥²³ᵀ^_\\\\]", OUTSIDE.sub("", text)), text


def test_no_exercise_has_the_id_of_a_question():
    assert not set(EXERCISES) & set(BANK)


def test_the_lectures_calculator_gives_the_lectures_numbers():
    stages = find_exercise("calculator").by_name
    assert stages["scores"].value[3].tolist() == [0, 4, 4, 0]
    np.testing.assert_allclose(
        stages["weights"].value[3], [0.0279, 0.4721, 0.4721, 0.0279], atol=5e-5
    )
    np.testing.assert_allclose(stages["output"].value[3], [1, 0, 0.4721, 0.4721], atol=5e-5)


def test_the_calculators_keys_are_what_plain_loops_make():
    for seed in FEW:
        exercise = find_exercise("calculator", seed)
        stages = exercise.by_name
        Q, K, V = (stages[name].value.tolist() for name in "QKV")
        expected = head_by_loops(Q, K, V, lambda i, j: j <= i, 0.5**0.5)
        for name in ("scores", "weights", "head"):
            np.testing.assert_allclose(stages[name].value, expected[name], rtol=1e-12, atol=1e-15)


def test_the_masks_keys_are_what_plain_loops_make():
    for seed in FEW:
        exercise = find_exercise("masked-table", seed)
        scores = exercise.given_values["scores"]
        one = np.eye(4).tolist()
        expected = head_by_loops(scores.tolist(), one, one, lambda i, j: j <= i, 1.0)
        np.testing.assert_allclose(exercise.by_name["weights"].value, expected["weights"])


def test_the_weights_of_gpt3_are_the_lectures_and_the_counters():
    keys = {stage.name: stage.value[0, 0] for stage in find_exercise("parameter-counts").stages}
    assert keys["W_Q"] == keys["W_O"] == 1_572_864
    assert (keys["head"], keys["layer"]) == (6_291_456, 603_979_776)
    assert keys["attention"] == 57_982_058_496
    found = count(
        Configuration(
            d_model=12_288,
            n_layers=96,
            n_heads=96,
            vocab_size=50_257,
            context=2_048,
            biases=False,
            norm="none",
            positions="none",
        )
    )
    assert keys["total"] == found["totals"]["total"]
    assert keys["mlps"] == found["totals"]["groups"]["mlp"]["total"]


@pytest.mark.parametrize("id", ["add-and-norm", "norm-and-add"])
def test_a_normalised_row_has_mean_0_and_variance_1(id):
    for seed in FEW:
        row = find_exercise(id, seed).by_name["normalised"].value
        np.testing.assert_allclose([row.mean(), row.var()], [0, 1], atol=2e-5)
