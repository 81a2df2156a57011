from fractions import Fraction

import pytest

from service.engine.grading.marking.rules import Absolute, Cells, Integer, Tensor
from service.engine.grading.marking.tensors import mark_tensor

F = Fraction
HALF = F(1, 2)
FIRST = ((HALF, HALF), (F(0), F(1)))
SECOND = ((F(1), F(0)), (F(1, 4), F(3, 4)))
KEY = (FIRST, SECOND)
EXACT = Tensor(Cells(Absolute(F(0))))
RIGHT = [[["1/2", 0.5], [0, "1"]], [[1, "0"], ["25 %", ".75"]]]


def codes(marked):
    return [note.code for note in marked.mark.feedback]


def test_every_cell_of_every_head_takes_the_notations_of_a_lone_number():
    marked = mark_tensor(EXACT, RIGHT, KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("correct", 1)


def test_the_score_is_the_mean_of_the_heads():
    heads = [RIGHT[0], [[1, 0], [0.25, 0.7]]]
    marked = mark_tensor(EXACT, heads, KEY)
    assert marked.mark.score == (1 + F(3, 4)) / 2
    assert [head.mark.verdict for head in marked.heads] == ["correct", "partial"]
    assert ("wrong_cells", "Wrong: row 2 column 2.") in marked.heads[1].mark.feedback


@pytest.mark.parametrize("heads", [[], RIGHT[:1], [*RIGHT, RIGHT[0]]])
def test_another_number_of_heads_scores_nothing(heads):
    marked = mark_tensor(EXACT, heads, KEY)
    assert (marked.mark.verdict, marked.mark.score, marked.heads) == ("incorrect", 0, ())
    message = f"The answer has {len(heads)} heads, but 2 are asked for."
    assert marked.mark.feedback == (("wrong_shape", message),)


@pytest.mark.parametrize("odd", [[[0.5]], [], [["?", "?"], ["?", "?"]], [["", ""], ["", ""]]])
def test_a_head_of_another_shape_or_without_a_reading_leaves_the_others_their_credit(odd):
    marked = mark_tensor(EXACT, [RIGHT[0], odd], KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("partial", HALF)


def test_heads_without_any_reading_are_unreadable():
    blank = [["", ""], ["", ""]]
    marked = mark_tensor(EXACT, [blank, blank], KEY)
    assert (marked.mark.verdict, marked.mark.score) == ("unreadable", 0)


def test_heads_in_another_order_are_named():
    marked = mark_tensor(EXACT, RIGHT[::-1], KEY)
    assert codes(marked) == ["heads", "heads_exchanged"]
    assert marked.mark.score < 1


def test_the_same_head_twice_is_not_another_order():
    assert codes(mark_tensor(EXACT, [RIGHT[0], RIGHT[0]], KEY)) == ["heads"]


def test_a_transposed_head_is_named_in_its_own_notes():
    turned = [[0.5, 0], [0.5, 1]]
    marked = mark_tensor(EXACT, [turned, RIGHT[1]], KEY)
    assert marked.heads[0].mark.feedback[-1].code == "transposed"


def test_heads_may_differ_in_shape():
    key = (((F(1), F(2)),), ((F(3),), (F(4),)))
    assert mark_tensor(Tensor(Cells(Integer())), [[[1, 2]], [[3], [4]]], key).mark.score == 1


def test_a_well_made_row_of_a_head_gets_back_its_quarter():
    rule = Tensor(Cells(Absolute(F(0)), rows_sum_to_one=True))
    thirds = ((F(1, 5), F(3, 10), F(1, 2)),)
    marked = mark_tensor(rule, [RIGHT[0], [[0.2, 0.6, 0.2]]], (KEY[0], thirds))
    assert marked.mark.score == (1 + F(1, 3) + F(1, 4) * F(2, 3)) / 2


def test_cells_of_heads_follow_the_declared_locale():
    assert mark_tensor(EXACT, [[["0,5"]]], (((HALF,),),), "de").mark.score == 1
