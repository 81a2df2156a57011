from fractions import Fraction

import pytest

from service.engine.grading.marking.choices import mark_choice
from service.engine.grading.marking.rules import Choice


@pytest.mark.parametrize(
    ("chosen", "verdict", "score"),
    [
        (["a", "c"], "correct", 1),
        (["c", "a", "a"], "correct", 1),
        (["a"], "partial", Fraction(1, 2)),
        (["a", "b"], "incorrect", 0),
        (["a", "b", "c"], "partial", Fraction(1, 2)),
        (["a", "b", "c", "d"], "incorrect", 0),
        (["b"], "incorrect", 0),
        ([], "unreadable", 0),
        (["e"], "unreadable", 0),
    ],
)
def test_several_choices_score_right_minus_wrong(chosen, verdict, score):
    rule = Choice(several=True, partial=True)
    mark = mark_choice(rule, chosen, frozenset("ac"), "abcd")
    assert (mark.verdict, mark.score) == (verdict, score)


def test_several_choices_without_partial_credit_are_all_or_nothing():
    mark = mark_choice(Choice(several=True), ["a"], frozenset("ac"), "abcd")
    assert (mark.verdict, mark.score) == ("incorrect", 0)


def test_two_choices_where_one_is_due_are_unreadable():
    mark = mark_choice(Choice(), ["a", "b"], frozenset("a"), "abcd")
    assert (mark.verdict, mark.feedback[0].code) == ("unreadable", "several_choices")


def test_an_unknown_choice_is_told_what_there_is():
    mark = mark_choice(Choice(), ["e"], frozenset("a"), "abcd")
    assert mark.feedback == (("unknown_choice", "There is no choice 'e'; there are a, b, c, d."),)
