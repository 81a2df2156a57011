"""What a well-made row gets back, by hand."""

from fractions import Fraction
from math import inf

import pytest

from service.engine.grading.marking.matrices import mark_matrix
from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.marking.structure import is_row_of_weights
from service.engine.grading.reading.read import read_cell

F = Fraction
NEAR = Absolute(F(1, 200))
KEY = ((F(1), F(0)), (F(1, 4), F(3, 4)))
SUMS = Cells(NEAR, rows_sum_to_one=True)
ZEROS = Cells(NEAR, blocked_are_zero=True)
BOTH = Cells(NEAR, rows_sum_to_one=True, blocked_are_zero=True)


def codes(marked):
    return [note.code for note in marked.mark.feedback]


QUARTERS = ((F(1, 4), F(1, 4), F(1, 4), F(1, 4)),)


def test_half_a_row_right_gets_back_a_quarter_of_the_other_half():
    marked = mark_matrix(SUMS, [["1/4", "1/4", "0.1", "0.4"]], QUARTERS)
    assert marked.mark.score == F(1, 2) + F(1, 8)
    assert "structure" in codes(marked)


def test_without_the_property_asked_for_nothing_comes_back():
    marked = mark_matrix(Cells(NEAR), [["1/4", "1/4", "0.1", "0.4"]], QUARTERS)
    assert marked.mark.score == F(1, 2)


@pytest.mark.parametrize("row", [[0.4, 0.6], [1, 0], [0.5, 0.5]])
def test_a_row_that_sums_to_one_and_has_nothing_right_gets_nothing_back(row):
    marked = mark_matrix(SUMS, [[1, 0], row], KEY)
    assert marked.mark.score == F(1, 2)
    assert "structure" not in codes(marked)


def test_a_zero_that_is_right_shows_no_work_and_gets_nothing_back():
    key = ((F(0), F(1, 4), F(3, 4)),)
    assert mark_matrix(SUMS, [["0", "0.6", "0.4"]], key).mark.score == F(1, 3)


# Blocked cells by themselves

CAUSAL = ((F(1), F(0), F(0)), (F(1, 4), F(3, 4), F(0)), (F(1, 5), F(3, 10), F(1, 2)))


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        ([[1, 0, 0], [1, 0, 0], [1, 0, 0]], F(1, 3)),
        ([[1, 0, 0], [0.5, 0.5, 0], [0.4, 0.4, 0.2]], F(1, 3)),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], F(0)),
        ([[0.5, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]], F(1, 3)),
        # one of two weights right; 0.9 is no whole
        ([[1, 0, 0], [0.25, 0.65, 0], [0.2, 0.3, 0.5]], (2 + F(1, 2)) / 3),
        ([[1, 0, 0], ["1/4", "0.75", "0"], [0.2, 0.7, 0.1]], (2 + F(1, 3) + F(1, 6)) / 3),
    ],
)
def test_blocked_zeros_count_only_beside_another_right_cell(rows, score):
    assert mark_matrix(BOTH, rows, CAUSAL).mark.score == score


def test_one_row_of_zeros_but_for_a_one_scores_nothing():
    key = ((F(1, 4), F(1, 4), F(1, 4), F(1, 4), F(0), F(0)),)
    marked = mark_matrix(BOTH, [[1, 0, 0, 0, 0, 0]], key)
    assert (marked.mark.verdict, marked.mark.score) == ("incorrect", 0)


MASKED = ((F(3), -inf, -inf), (F(-1), F(4), -inf), (F(2), F(6), F(-2)))


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        ([["3", "1", "2"], ["-1", "4", "5"], ["2", "6", "-2"]], F(1, 3)),  # no mask
        ([["9", "-inf", "-inf"], ["9", "9", "-inf"], ["9", "9", "9"]], F(0)),  # the mask alone
        ([["3", "-inf", "0"], ["-1", "9", "-inf"], ["2", "6", "-2"]], F(2, 3)),
    ],
)
def test_in_a_row_under_the_mask_the_shares_are_multiplied(rows, score):
    assert mark_matrix(Cells(NEAR), rows, MASKED).mark.score == score


def test_a_row_that_does_not_sum_to_one_is_told_so():
    marked = mark_matrix(SUMS, [[1, 0], [0.4, 0.7]], KEY)
    assert marked.mark.score == F(1, 2)
    assert ("rows_sum_to_one", "Not weights that sum to 1: row 2.") in marked.mark.feedback


def test_right_cells_need_no_property():
    assert mark_matrix(SUMS, [[1, 0], ["0.246", "0.746"]], KEY).mark.score == 1


def test_a_right_row_is_not_told_that_its_rounding_does_not_sum_to_one():
    marked = mark_matrix(SUMS, [[0.5, 0.5], ["0.246", "0.746"]], KEY)
    assert "rows_sum_to_one" not in codes(marked)


def test_a_row_with_a_blank_gets_nothing_back():
    assert mark_matrix(SUMS, [[1, 0], ["", 1]], KEY).mark.score == F(1, 2)
    assert mark_matrix(ZEROS, [[1, ""], ["1/4", "3/4"]], KEY).mark.score == F(1, 2)


def test_a_row_in_which_nothing_is_blocked_gets_nothing_back_for_its_zeros():
    assert mark_matrix(ZEROS, [[1, 0], [0.4, 0.6]], KEY).mark.score == F(1, 2)


def test_a_blocked_cell_within_the_tolerance_is_right_only_where_zero_is_not_asked_for():
    assert mark_matrix(Cells(NEAR), [[1, "0.004"], [0.25, 0.75]], KEY).mark.score == 1
    marked = mark_matrix(ZEROS, [[1, "0.004"], [0.25, 0.75]], KEY)
    assert marked.mark.score == F(1, 2)


@pytest.mark.parametrize("zero", ["0", "0.000", "-0", 0, "0/5", "0 %"])
def test_zero_in_any_writing_is_zero(zero):
    assert mark_matrix(ZEROS, [[1, zero], [0.25, 0.75]], KEY).mark.score == 1


HALF_BLOCKED = ((F(1, 4), F(3, 4), F(0), F(0)),)
THREE = (F(1, 4), F(1, 4), F(1, 2), F(0))


def test_a_row_whose_blocked_cells_are_zero_gets_back_a_quarter():
    marked = mark_matrix(ZEROS, [[0.25, 7, 0, 0]], HALF_BLOCKED)
    assert marked.mark.score == F(1, 2) + F(1, 8)


def test_both_properties_together_are_needed_where_both_are_asked_for():
    no_sum = mark_matrix(BOTH, [[0.25, 7, 0, 0]], HALF_BLOCKED)
    assert no_sum.mark.score == F(1, 2)
    not_blocked = mark_matrix(BOTH, [[0.25, 0.65, 0.1, 0]], HALF_BLOCKED)
    assert not_blocked.mark.score == F(1, 4)
    both = mark_matrix(BOTH, [[0.25, 0.75, 0, 0.0], [0.25, 0.35, 0.4, 0]], (*HALF_BLOCKED, THREE))
    assert both.mark.score == (1 + F(1, 3) + F(1, 6)) / 2


@pytest.mark.parametrize("row", [[0.3, 0.3, 0.2, 0.2], [0.3, 0.3, 0.3, 0.3]])
def test_no_word_of_the_feedback_tells_which_cells_are_zero(row):
    said = {
        str(mark_matrix(BOTH, [row], key).mark.feedback)
        for key in (
            ((F(1, 2), F(1, 2), F(0), F(0)),),
            ((F(0), F(0), F(1, 2), F(1, 2)),),
            ((F(1, 4), F(1, 4), F(1, 4), F(1, 4)),),
        )
    }
    assert len(said) == 1


def test_nothing_right_and_nothing_well_made_is_incorrect():
    assert mark_matrix(BOTH, [[7, 7], [7, 7]], KEY).mark.verdict == "incorrect"


ROWS = [
    (["0.5", "0.5"], True),
    (["0.33", "0.33", "0.33"], True),  # each can have been up to 0.335
    (["0.33", "0.33", "0.31"], False),
    (["0.4", "0.7"], False),
    (["1/3", "1/3", "1/3"], True),
    (["1/3", "1/3", "0.33"], True),
    (["1/3", "1/3", "1/4"], False),
    (["50 %", "50 %"], True),
    (["1", "1"], False),  # whole numbers were not rounded
    (["1", "0"], True),
    (["1.5", "-0.5"], False),
    (["∞", "0"], False),
    (["√(2)/2", "0.2929"], True),
    (["√(2)/2", "√(2)/2"], False),
    ([""], False),
]


@pytest.mark.parametrize(("row", "are_weights"), ROWS)
def test_a_row_sums_to_one_if_rounding_can_have_made_it_of_one_that_does(row, are_weights):
    assert is_row_of_weights([read_cell(cell, "en") for cell in row]) is are_weights
