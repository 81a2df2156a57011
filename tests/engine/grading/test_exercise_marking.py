"""Follow-through by hand, on the lecture's calculator where nothing else is said."""

from fractions import Fraction

import numpy as np
import pytest
from exercise_answers import codes, key, marks, two_decimals, typed, worked_on

from service.engine.errors import EngineError
from service.engine.grading.exercises.bank import find_exercise

LECTURE = find_exercise("calculator")
ZEROS = ["0", "0", "0", "0"]
FORGOTTEN_SCALING = {
    "Q": [["0", "0"], ["0", "0"], ["0", "0"], ["2", "0"]],
    "K": [["0", "0"], ["2", "0"], ["2", "0"], ["0", "0"]],
    "scores": [ZEROS, ZEROS, ZEROS, ["0", "4", "4", "0"]],
    "scaled": [ZEROS, ZEROS, ZEROS, ["0", "4", "4", "0"]],
    "masked": [
        ["0", "−∞", "-inf", "−∞"],
        ["0", "0", "−∞", "−∞"],
        ["0", "0", "0", "−∞"],
        ["0", "4", "4", "0"],
    ],
    # e^4 / (2 e^4 + 2) = 0.491
    "weights": [
        ["1", "0", "0", "0"],
        ["1/2", "1/2", "0", "0"],
        ["1/3", "1/3", "1/3", "0"],
        ["0.009", "0.491", "0.491", "0.009"],
    ],
    "V": [["0", "0"], ["1", "0"], ["0", "1"], ["0", "0"]],
    "head": [["0", "0"], ["0.5", "0"], ["1/3", "1/3"], ["0.491", "0.491"]],
    "update": [
        ZEROS,
        ["0", "0", "0.5", "0"],
        ["0", "0", "1/3", "1/3"],
        ["0", "0", "0.491", "0.491"],
    ],
    "output": [
        ZEROS,
        ["0", "1", "1.5", "0"],
        ["0", "1", "1/3", "4/3"],
        ["1", "0", "0.491", "0.491"],
    ],
}


def without(steps, *names):
    return {name: rows for name, rows in steps.items() if name not in names}


def changed(rows, i, j, cell):
    return [[cell if (k, m) == (i, j) else c for m, c in enumerate(r)] for k, r in enumerate(rows)]


# Follow-through


def test_a_slip_costs_once():
    mark, steps = marks(LECTURE, FORGOTTEN_SCALING)
    wrong = [name for name, step in steps.items() if step.mark.verdict != "correct"]
    assert wrong == ["scaled"]
    assert steps["scaled"].mark.score == Fraction(14, 16)
    assert mark.score == (9 + Fraction(14, 16)) / 10


def test_what_is_right_only_by_follow_through_is_marked_as_carried():
    _, steps = marks(LECTURE, FORGOTTEN_SCALING)
    carried = {name for name, step in steps.items() if step.carried}
    assert carried == {"masked", "weights", "head", "update", "output"}
    assert steps["weights"].carried == {(3, 0), (3, 1), (3, 2), (3, 3)}
    assert "carried" in codes(steps["weights"])


def test_the_slip_is_named():
    _, steps = marks(LECTURE, FORGOTTEN_SCALING)
    assert {
        name: step.misconception.code for name, step in steps.items() if step.misconception
    } == {"scaled": "no_scaling"}


def test_steps_that_are_missing_between_are_recomputed():
    steps = without(FORGOTTEN_SCALING, "masked", "head")
    mark, found = marks(LECTURE, steps)
    assert found["weights"].mark.verdict == found["output"].mark.verdict == "correct"
    assert mark.score == (7 + Fraction(14, 16)) / 10


def test_right_by_the_key_after_a_wrong_step_is_right_and_not_carried():
    steps = key(LECTURE) | {"scaled": FORGOTTEN_SCALING["scaled"]}
    _, found = marks(LECTURE, steps)
    assert found["weights"].mark.verdict == "correct"
    assert not found["weights"].carried


def test_two_slips_cost_twice_and_the_second_is_named_on_the_students_own_numbers():
    exercise = find_exercise("calculator", 3)
    steps = worked_on(exercise, scaled=lambda v: v["scores"], output=lambda v: v["X"] - v["update"])
    _, found = marks(exercise, steps)
    named = {name: step.misconception.code for name, step in found.items() if step.misconception}
    assert named == {"scaled": "no_scaling", "output": "update_subtracted"}
    assert [name for name, step in found.items() if step.mark.verdict != "correct"] == list(named)


def test_a_cell_that_cannot_be_read_is_recomputed_for_what_follows():
    steps = FORGOTTEN_SCALING | {"scaled": changed(FORGOTTEN_SCALING["scaled"], 3, 1, "?")}
    _, found = marks(LECTURE, without(steps, "masked"))
    assert found["scaled"].marked.cells[3][1].mark.verdict == "unreadable"
    # (0, 2.83, 4, 0): the unread cell is 4/√2 again
    powers = np.exp([0, 4 / 2**0.5, 4, 0])
    row = typed([powers / powers.sum()])
    weights = [*FORGOTTEN_SCALING["weights"][:3], *row]
    _, found = marks(LECTURE, without(steps, "masked") | {"weights": weights})
    assert found["weights"].mark.verdict == "correct"


# No follow-through from what leaves nothing to do


def test_zeros_earn_nothing_and_nothing_follows_from_them():
    exercise = find_exercise("calculator", 3)
    steps = {name: [["0"] * len(row) for row in rows] for name, rows in key(exercise).items()}
    mark, found = marks(exercise, steps)
    assert (mark.verdict, mark.score) == ("incorrect", 0)
    assert all("trivial" in codes(step) for step in found.values())
    assert not any(step.carried for step in found.values())


@pytest.mark.parametrize(
    "trivial",
    [
        np.zeros((4, 4)),
        np.ones((4, 4)),
        np.eye(4),
        np.full((4, 4), 1e300),
        np.arange(4)[:, None] * np.ones((4, 4)),
    ],
    ids=["zeros", "ones", "identity", "overflow", "constant rows"],
)
def test_a_trivial_step_gets_what_follows_compared_with_the_true_values(trivial):
    exercise = find_exercise("calculator", 3)
    _, found = marks(exercise, worked_on(exercise, scores=lambda v: trivial))
    for name in ("scores", "scaled"):
        assert found[name].mark.verdict != "correct"
        assert not found[name].carried
    true = key(exercise, two_decimals) | {"scores": typed(trivial)}
    _, found = marks(exercise, true)
    assert [name for name, step in found.items() if step.mark.verdict != "correct"] == ["scores"]


def test_a_trivial_value_that_only_follows_from_a_wrong_step_earns_nothing_either():
    """Q = (0, 2) meets no key, so every score would be 0 and every weight alike."""
    wrong_Q = changed(changed(FORGOTTEN_SCALING["Q"], 3, 0, "0"), 3, 1, "2")
    steps = {"Q": wrong_Q, "scores": [ZEROS] * 4}
    _, found = marks(LECTURE, steps)
    assert not found["scores"].carried
    assert found["scores"].mark.score == 0


def test_a_trivial_step_that_is_right_carries_on():
    """The first three rows of the lecture's scores are 0, and a key may be constant."""
    exercise = find_exercise("calculator")
    assert not exercise.by_name["scores"].value[:3].any()
    assert marks(exercise, key(exercise))[0].verdict == "correct"


def test_an_overflow_on_the_way_is_no_error():
    exercise = find_exercise("calculator", 3)
    steps = {name: [["1e300"] * len(row) for row in rows] for name, rows in key(exercise).items()}
    steps["Q"] = changed(steps["Q"], 0, 0, "1e299")
    mark, _ = marks(exercise, steps)
    assert mark.score < Fraction(1, 10)


@pytest.mark.parametrize("cell", ["∞", "inf", "−∞", "-inf"])
def test_an_infinity_where_none_belongs_is_wrong_and_recomputed(cell):
    exercise = find_exercise("calculator", 3)
    steps = key(exercise)
    _, found = marks(exercise, steps | {"scores": changed(steps["scores"], 3, 1, cell)})
    assert [name for name, step in found.items() if step.mark.verdict != "correct"] == ["scores"]


# Rounding, structure, shape


def test_a_step_is_right_by_ones_own_rounded_numbers_too():
    """3 · 0.71 = 2.13 is not within 0.005 of the exact 3 / √2 = 2.1213."""
    exercise = find_exercise("add-and-norm")
    normalised = exercise.by_name["normalised"].value
    assert (normalised.round(2)[0, 4], exercise.given_values["gamma"][0, 4]) == (0.71, 3)
    steps = {"normalised": typed(normalised, two_decimals)}
    gamma, beta = exercise.given_values["gamma"], exercise.given_values["beta"]
    steps["output"] = typed(normalised.round(2) * gamma + beta, two_decimals)
    assert marks(exercise, steps, asked=["normalised", "output"])[0].verdict == "correct"
    del steps["normalised"]
    assert marks(exercise, steps, asked=["output"])[0].verdict == "partial"


def test_the_bound_itself_is_inside():
    exercise = find_exercise("masked-table")
    assert exercise.by_name["weights"].value[1, 1] != 0.5
    steps = key(LECTURE)
    for cell, verdict in (("0.505", "correct"), ("0.50500001", "incorrect")):
        weights = changed(changed(steps["weights"], 1, 0, cell), 1, 1, "0.495")
        _, found = marks(LECTURE, {"weights": weights})
        assert found["weights"].marked.cells[1][0].mark.verdict == verdict


def test_a_blocked_weight_has_to_be_exactly_zero():
    steps = key(LECTURE)
    _, found = marks(LECTURE, {"weights": changed(steps["weights"], 0, 3, "0.001")})
    assert found["weights"].marked.cells[0][3].mark.verdict == "incorrect"


def test_a_row_of_weights_that_sums_to_one_gets_something_back():
    exercise = find_exercise("masked-table")
    good = changed(key(exercise)["weights"], 3, 0, "0.9")
    row = ["0.05", "0.25", "0.3", "0.4"]  # the first is right
    _, found = marks(exercise, {"weights": [*good[:3], row]})
    assert "structure" in codes(found["weights"])
    _, found = marks(exercise, {"weights": [*good[:3], ["0.05", "0.25", "0.3", "0.9"]]})
    assert "structure" not in codes(found["weights"])


@pytest.mark.parametrize(
    ("rows", "code", "verdict"),
    [
        ([["0", "0"]], "wrong_shape", "incorrect"),
        ([["0"], ["0", "0"]], "ragged", "unreadable"),
        ([["0", "0", "0", "2"], ZEROS], "transposed", "incorrect"),
        ([["?", ""]] * 4, "unreadable_cells", "unreadable"),
    ],
)
def test_a_step_of_another_shape_scores_nothing_and_is_recomputed(rows, code, verdict):
    mark, found = marks(LECTURE, key(LECTURE) | {"Q": rows})
    assert (found["Q"].mark.verdict, codes(found["Q"])) == (verdict, [code])
    assert mark.score == Fraction(9, 10)


# The score


def test_a_missing_step_scores_nothing_unless_only_others_are_asked_for():
    steps = {"scores": FORGOTTEN_SCALING["scores"]}
    mark, _ = marks(LECTURE, steps)
    assert (mark.verdict, mark.score) == ("partial", Fraction(1, 10))
    assert mark.feedback[1].message.startswith("Not answered: Q, K, scaled,")
    mark, _ = marks(LECTURE, steps, asked=["scores"])
    assert (mark.verdict, mark.score) == ("correct", 1)
    mark, _ = marks(LECTURE, steps, asked=["scores", "K", "K"])
    assert mark.score == Fraction(1, 2)


def test_a_step_that_is_not_asked_for_carries_and_does_not_count():
    steps = without(FORGOTTEN_SCALING, "masked")
    mark, found = marks(LECTURE, steps, asked=["weights", "head"])
    assert (mark.verdict, mark.score) == ("correct", 1)
    assert found["scaled"].mark.verdict == "partial"


@pytest.mark.parametrize("steps", [{}, {"Q": [["?"] * 2] * 4}])
def test_an_answer_in_which_nothing_can_be_read_is_unreadable(steps):
    assert marks(LECTURE, steps)[0].verdict == "unreadable"


def test_an_unknown_step_is_refused_with_the_known_ones():
    with pytest.raises(EngineError, match="no step 'A'; there are Q, K, scores") as caught:
        marks(LECTURE, {"A": [["1"]]})
    assert caught.value.field == "answer/steps"
    with pytest.raises(EngineError, match="no step 'A'") as caught:
        marks(LECTURE, {}, asked=["A"])
    assert caught.value.field == "asked"


def test_the_order_of_the_steps_in_the_answer_does_not_matter():
    backwards = dict(reversed(FORGOTTEN_SCALING.items()))
    assert marks(LECTURE, backwards) == marks(LECTURE, FORGOTTEN_SCALING)


def test_a_blocked_cell_that_is_right_by_follow_through_is_not_asked_to_be_zero():
    """The mask is forgotten; one weight of the third row is wrong beside that."""
    exercise = find_exercise("masked-table")
    scores = exercise.given_values["scores"]
    powers = np.exp(scores)
    weights = typed(powers / powers.sum(axis=1, keepdims=True))
    steps = {"masked": typed(scores), "weights": changed(weights, 2, 0, "0.9")}
    _, found = marks(exercise, steps)
    assert (2, 3) in found["weights"].carried
    assert "blocked_are_zero" not in codes(found["weights"])
