from fractions import Fraction

import pytest

from service.engine.grading.marking.matrices import mark_matrix
from service.engine.grading.marking.rules import Absolute, Cells, Integer
from service.engine.grading.reading.values import exact

HALF = Fraction(1, 2)
KEY = ((HALF, Fraction(0)), (Fraction(1, 4), Fraction(3, 4)))
EXACT = Cells(Absolute(Fraction(0)))


def codes(marked):
    return [note.code for note in marked.mark.feedback]


def test_every_cell_takes_the_notations_of_a_lone_number():
    marked = mark_matrix(EXACT, [["1/2", 0], ["25 %", ".75"]], KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("correct", 1)


def test_three_of_four_right_cells_score_three_quarters_and_the_wrong_one_is_named():
    marked = mark_matrix(EXACT, [[0.5, 0], [0.25, 0.7]], KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("partial", Fraction(3, 4))
    assert ("wrong_cells", "Wrong: row 2 column 2.") in marked.mark.feedback
    assert [[cell.mark.verdict for cell in row] for row in marked.cells] == [
        ["correct", "correct"],
        ["correct", "incorrect"],
    ]


@pytest.mark.parametrize("odd", ["x", True, "9,216"])
def test_a_cell_without_a_reading_costs_only_itself(odd):
    marked = mark_matrix(EXACT, [[0.5, 0], [0.25, odd]], KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("partial", Fraction(3, 4))
    assert marked.cells[1][1].mark.verdict == "unreadable"
    assert ("unreadable_cells", "Unreadable: row 2 column 2.") in marked.mark.feedback


@pytest.mark.parametrize("blank", ["", " ", None])
def test_a_blank_cell_is_called_blank_and_costs_only_itself(blank):
    marked = mark_matrix(EXACT, [[0.5, 0], [0.25, blank]], KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("partial", Fraction(3, 4))
    assert marked.cells[1][1].mark.feedback[0].code == "blank"
    assert ("blank_cells", "Blank: row 2 column 2.") in marked.mark.feedback


def test_a_matrix_of_blanks_is_unreadable():
    marked = mark_matrix(EXACT, [["", ""], ["", ""]], KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("unreadable", 0)
    assert codes(marked) == ["blank"]


def test_a_matrix_without_any_reading_is_unreadable():
    marked = mark_matrix(EXACT, [["?", ""], ["x", ""]], KEY)
    assert marked.mark.verdict == "unreadable"
    assert codes(marked) == ["unreadable_cells"]


def test_no_right_cell_is_incorrect_even_beside_a_blank():
    assert mark_matrix(EXACT, [[7, 7], [7, ""]], KEY).mark.verdict == "incorrect"


@pytest.mark.parametrize(
    ("rows", "has"),
    [
        ([[0.5]], "1 × 1"),
        ([[0.5, 0]], "1 × 2"),
        ([[0.5], [0.5]], "2 × 1"),
        ([[0.5, 0], [0.25, 0.75], [0, 0]], "3 × 2"),
        ([], "0 × 0"),
        ([[]], "1 × 0"),
    ],
)
def test_another_shape_scores_nothing_for_nothing_is_broadcast(rows, has):
    key = ((HALF, HALF), (HALF, HALF))
    marked = mark_matrix(EXACT, rows, key)
    assert (marked.mark.verdict, marked.mark.score, marked.cells) == ("incorrect", 0, ())
    message = f"The answer is {has}, but 2 × 2 is asked for."
    assert marked.mark.feedback == (("wrong_shape", message),)


def test_rows_of_unequal_length_are_unreadable():
    marked = mark_matrix(EXACT, [[0.5, 0], [0.25]], KEY)
    assert marked.mark.verdict == "unreadable"
    assert codes(marked) == ["ragged"]


def test_a_square_transpose_is_named_and_keeps_the_credit_of_its_right_cells():
    marked = mark_matrix(EXACT, [[0.5, 0.25], [0, 0.75]], KEY)
    assert marked.mark.score == HALF
    assert codes(marked)[-1] == "transposed"


def test_a_column_for_a_row_is_named_as_transposed_and_scores_nothing():
    marked = mark_matrix(EXACT, [[0.5], [0]], ((HALF, Fraction(0)),))
    assert (marked.mark.verdict, codes(marked)) == ("incorrect", ["transposed"])


def test_a_column_of_other_numbers_is_only_a_wrong_shape():
    assert codes(mark_matrix(EXACT, [[0.5], [9]], ((HALF, Fraction(0)),))) == ["wrong_shape"]


@pytest.mark.parametrize("rows", [[[0.5, 0, 0.25, 0.75]], [[0.5], [0], ["1/4"], ["3/4"]]])
def test_the_rows_one_after_another_are_named_as_flattened_and_score_nothing(rows):
    marked = mark_matrix(EXACT, rows, KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("incorrect", 0)
    assert codes(marked) == ["flattened"]


@pytest.mark.parametrize("rows", [[[0.5, 0, 0.25, 0.7]], [[0.5, 0.25, 0, 0.75]], [[0.5, 0, 0.25]]])
def test_other_numbers_in_one_row_are_only_a_wrong_shape(rows):
    assert codes(mark_matrix(EXACT, rows, KEY)) == ["wrong_shape"]


def test_a_symmetric_right_answer_is_not_called_transposed():
    key = ((HALF, HALF), (HALF, HALF))
    assert codes(mark_matrix(EXACT, [[0.5, 0.5], [0.5, 0.5]], key)) == ["correct"]


def test_a_blocked_cell_takes_minus_infinity_and_no_large_number():
    key = ((Fraction(1), exact(float("-inf"))),)
    assert mark_matrix(Cells(Integer()), [[1, "−∞"]], key).mark.verdict == "correct"
    assert mark_matrix(Cells(Integer()), [[1, "-1e9"]], key).mark.verdict == "incorrect"


def test_cells_follow_the_declared_locale():
    assert mark_matrix(EXACT, [["0,5", "0"]], ((HALF, Fraction(0)),), "de").mark.score == 1
    assert mark_matrix(Cells(Integer()), [["9.216"]], ((Fraction(9216),),), "de").mark.score == 1
