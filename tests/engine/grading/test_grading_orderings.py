from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.orderings import mark_ordering
from service.engine.grading.marking.rules import Ordering
from service.engine.grading.marking.task import Option, Task

PARTIAL, WHOLE = Ordering(partial=True), Ordering()

# Of the six pairs of four things: how many are in the order a b c d, and (right − wrong) / 6.
BY_HAND = [
    ("abcd", 6, Fraction(1)),
    ("bacd", 5, Fraction(2, 3)),
    ("acbd", 5, Fraction(2, 3)),
    ("badc", 4, Fraction(1, 3)),
    ("bcad", 4, Fraction(1, 3)),
    ("bcda", 3, Fraction(0)),
    ("dabc", 3, Fraction(0)),
    ("dcab", 1, Fraction(0)),
    ("dcba", 0, Fraction(0)),
]


@pytest.mark.parametrize(("given", "right", "score"), BY_HAND)
def test_pairs_in_the_right_order_count_and_those_in_the_wrong_one_count_against(
    given, right, score
):
    mark = mark_ordering(PARTIAL, given, "abcd")
    assert mark.score == score
    if 0 < score < 1:
        message = f"{right} of 6 pairs are in the right order."
        assert mark.feedback == (("partial", message),)


@pytest.mark.parametrize("given", ["bacd", "dcba"])
def test_without_partial_credit_only_the_whole_order_counts(given):
    assert mark_ordering(WHOLE, given, "abcd").verdict == "incorrect"
    assert mark_ordering(WHOLE, "abcd", "abcd").verdict == "correct"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("", "blank"),
        ("abc", "incomplete_order"),
        ("abcda", "repeated_choice"),
        ("abcx", "unknown_choice"),
    ],
)
def test_what_is_not_an_order_of_all_is_unreadable_and_not_wrong(given, code):
    mark = mark_ordering(PARTIAL, given, "abcd")
    assert (mark.verdict, mark.feedback[0].code) == ("unreadable", code)


@given(st.permutations("abcde"))
def test_an_order_and_its_reverse_are_never_both_worth_something(order):
    forwards = mark_ordering(PARTIAL, order, "abcde").score
    backwards = mark_ordering(PARTIAL, order[::-1], "abcde").score
    assert min(forwards, backwards) == 0


@given(st.permutations("abcde"), st.permutations("abcde"))
def test_only_the_order_matters_and_not_what_is_ordered(order, key):
    renamed = str.maketrans("abcde", "vwxyz")
    other = mark_ordering(
        PARTIAL, "".join(order).translate(renamed), "".join(key).translate(renamed)
    )
    assert mark_ordering(PARTIAL, order, key).score == other.score


def test_an_ordering_is_answered_with_choices_in_order():
    task = Task(WHOLE, ("b", "a"), (Option("a", "First?"), Option("b", "Second?")))
    assert graded(task, {"kind": "choice", "choices": ["b", "a"]}).mark.verdict == "correct"
    assert graded(task, {"kind": "choice", "choices": ["a", "b"]}).mark.verdict == "incorrect"
