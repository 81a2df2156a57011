"""What is said of an exercise: places, sources, and never a value that was not typed."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest
from exercise_answers import key, typed
from hypothesis import given
from hypothesis import strategies as st
from provenance import operands

from service.engine.grading.exercises.bank import EXERCISES, find_exercise
from service.engine.grading.exercises.first_wrong import in_words, made_from
from service.engine.grading.exercises.grade import grade_exercise
from service.engine.grading.exercises.nearness import Cell, right_cells
from service.engine.grading.grade import grade, grade_item
from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.reading.values import exact

LECTURE = find_exercise("calculator")


def graded(exercise, steps, **more):
    return grade_exercise(exercise, {"kind": "steps", "steps": steps}, "en", **more)[0]


def by_name(report):
    return {step["name"]: step for step in report["steps"]}


def shifted(exercise):
    """Every step wrong, also for the one before it, and none of it trivial."""
    return {
        stage.name: typed(
            stage.value + 50 * k + np.arange(stage.value.size).reshape(stage.value.shape) ** 2
        )
        for k, stage in enumerate(exercise.stages, 1)
    }


def test_the_first_wrong_cell_says_what_it_is_made_from():
    steps = key(LECTURE)
    steps["scores"][3][1] = "5"
    step = by_name(graded(LECTURE, {"scores": steps["scores"]}))["scores"]
    assert step["first_wrong"] == {
        "row": 3,
        "column": 1,
        "made_from": [{"name": "Q", "row": 3}, {"name": "K", "row": 1}],
    }
    assert step["feedback"][-1] == {
        "code": "first_wrong",
        "message": "scores row 4 column 2 is made from Q row 4 and K row 2.",
    }


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Q", "Q row 4 column 2 is made from X row 4 and W_Q row 2."),
        ("scaled", "scaled row 4 column 2 is made from scores row 4 column 2."),
        ("weights", "weights row 4 column 2 is made from masked row 4."),
        ("head", "head row 4 column 2 is made from weights row 4 and V column 2."),
        (
            "output",
            "output row 4 column 2 is made from X row 4 column 2 and update row 4 column 2.",
        ),
    ],
)
def test_the_sources_of_each_kind_of_step(name, sentence):
    rule = LECTURE.by_name[name].step.rule
    assert in_words(name, 3, 1, made_from(rule, 3, 1)) == sentence


@pytest.mark.parametrize("id", EXERCISES)
def test_the_sources_are_the_cells_that_the_provenance_rules_name(id):
    exercise = find_exercise(id)
    nodes = {
        ("", step.rule.name): {
            "axes": step.rule.axes,
            "reads": [{"name": read.name, "axes": list(read.axes)} for read in step.rule.reads],
            "value": np.asarray(step.value).tolist(),
        }
        for step in (*exercise.givens, *(stage.step for stage in exercise.stages))
    }
    for stage in exercise.stages:
        for i, j in np.ndindex(stage.value.shape):
            named = {
                (source.name, k, m)
                for source in made_from(stage.step.rule, i, j)
                for k, row in enumerate(nodes["", source.name]["value"])
                for m, _ in enumerate(row)
                if source.row in (None, k) and source.column in (None, m)
            }
            assert named == {cell[:3] for cell in operands(("", stage.name), i, j, nodes)}


@pytest.mark.parametrize("id", EXERCISES)
def test_nothing_that_is_right_is_said_unless_it_was_typed(id):
    exercise = find_exercise(id, 3)
    steps = shifted(exercise)
    report = graded(exercise, steps)
    assert all("value" not in step["first_wrong"] for step in report["steps"])
    said = set(re.findall(r"\d+\.\d{3,}|\d{5,}", json.dumps(report)))
    written = set(re.findall(r"\d+\.\d{3,}|\d{5,}", json.dumps(steps)))
    keys = set(re.findall(r"\d+\.\d{3,}|\d{5,}", json.dumps(key(exercise))))
    assert not (said - written) & keys


@pytest.mark.parametrize("id", EXERCISES)
def test_with_reveal_the_value_of_the_first_wrong_cell_is_told(id):
    exercise = find_exercise(id, 3)
    hidden, shown = (graded(exercise, shifted(exercise), reveal=reveal) for reveal in (False, True))
    for step in shown["steps"]:
        wrong = step["first_wrong"]
        value = exercise.by_name[step["name"]].value[wrong["row"], wrong["column"]]
        assert wrong["value"] == (None if np.isneginf(value) else value)
        del wrong["value"]
    assert shown["steps"] == hidden["steps"]
    assert shown["feedback"][-1]["code"] == "explanation"
    assert shown["feedback"][:-1] == hidden["feedback"]


def test_a_right_step_has_no_first_wrong_cell():
    assert all("first_wrong" not in step for step in graded(LECTURE, key(LECTURE))["steps"])


def test_a_blank_cell_is_not_the_first_wrong_one():
    steps = key(LECTURE)
    steps["scores"][0][0], steps["scores"][3][1] = "", "5"
    wrong = by_name(graded(LECTURE, steps))["scores"]["first_wrong"]
    assert (wrong["row"], wrong["column"]) == (3, 1)


def test_each_step_has_a_map_of_its_cells():
    steps = key(LECTURE) | {"Q": [["0", "0"], ["?", "0"], ["0", "0"], ["1", "0"]]}
    cells = by_name(graded(LECTURE, steps))["Q"]["cells"]
    assert [[cell["verdict"] for cell in row] for row in cells] == [
        ["correct", "correct"],
        ["unreadable", "correct"],
        ["correct", "correct"],
        ["incorrect", "correct"],
    ]
    assert cells[3][0]["reading"]["value"] == 1


def test_an_exercise_is_graded_as_an_item_beside_questions():
    items = [
        {"question": "calculator", "answer": {"kind": "steps", "steps": key(LECTURE)}},
        {"question": "dot-product", "answer": {"kind": "text", "text": "2"}},
    ]
    report = grade(items, "en")
    assert report["score"] == {"given": 1.0, "maximum": 2, "scaled": 0.5}
    assert [item["question"] for item in report["items"]] == ["calculator", "dot-product"]


def test_an_answer_of_another_kind_costs_no_attempt():
    report = grade_item("calculator", {"kind": "text", "text": "4"})
    assert (report["verdict"], report["attempt_counts"]) == ("unreadable", False)
    assert report["feedback"] == [
        {
            "code": "wrong_kind",
            "message": "This exercise takes an answer of kind steps, not text.",
        }
    ]


def test_the_same_answer_gives_the_same_bytes():
    steps = shifted(LECTURE)
    one, two = (json.dumps(graded(LECTURE, steps), allow_nan=False) for _ in range(2))
    assert one == two


@given(
    st.fractions(-100, 100, max_denominator=10**9),
    st.floats(-100, 100),
    st.integers(-3, 3),
    st.sampled_from([Fraction(1, 200), Fraction(1, 10), Fraction(0)]),
)
def test_the_fast_comparison_is_the_exact_one(value, due, ulps, tolerance):
    """Also right at the bound, and a little to each side of it."""
    rule = Cells(Absolute(tolerance))
    edge = exact(due) + tolerance + Fraction(ulps, 10**15)
    for number in (value, edge, exact(due) - tolerance):
        cell = Cell(None, number, float(number), None)
        fast = right_cells(rule, [[cell]], [[due]])
        assert fast == [[is_right(rule.each, number, exact(due))]]
