"""Which misconception explains a wrong answer to a task, and when none is told."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from key_notations import exactly

from service.engine.grading.bank.whole import BANK
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.diagnosis import agrees
from service.engine.grading.marking.rules import (
    Absolute,
    Cells,
    Choice,
    Derived,
    Integer,
    Ordering,
    Range,
    Relative,
    SignificantFigures,
    Tensor,
)
from service.engine.grading.marking.task import Misconception, Option, Task
from service.engine.grading.questions.question import find_question
from service.engine.grading.reading.values import exact

HUNDREDTH = Absolute(Fraction(1, 200))


def mistaken(*pairs):
    return lambda: tuple(Misconception(code, f"About {code}.", key) for code, key in pairs)


def number(rule, key, typed, *pairs, also=()):
    """The code that is told of a typed number."""
    task = Task(rule, exact(key), misconceptions=mistaken(*pairs), also=also)
    found = graded(task, {"kind": "text", "text": typed}, "en").misconception
    return found.code if found else None


HALVED = ("halved", Fraction(24))
DOUBLED = ("doubled", Fraction(96))


def test_the_one_that_explains_the_answer_is_told():
    assert number(Integer(), 48, "24", HALVED, DOUBLED) == "halved"
    assert number(Integer(), 48, "96.0", HALVED, DOUBLED) == "doubled"


def test_a_right_answer_is_told_none_and_asks_for_none():
    def never():
        raise AssertionError

    task = Task(Integer(), Fraction(48), misconceptions=never)
    assert graded(task, {"kind": "text", "text": "48"}).misconception is None


def test_a_right_value_typed_imprecisely_is_told_none():
    rule = SignificantFigures(3, written_so=True)
    assert number(rule, "0.472", "0.4720", ("coarse", Fraction("0.4720"))) is None


def test_an_unreadable_answer_is_told_none():
    assert number(Integer(), 48, "?", HALVED) is None


def test_silent_where_two_explain_it():
    assert number(Integer(), 48, "24", HALVED, ("other", Fraction(24))) is None


def test_two_of_the_same_code_are_one():
    assert number(Integer(), 48, "24", HALVED, HALVED) == "halved"


def test_silent_where_the_misconception_comes_to_the_key():
    """0.4746 is right within 0.005; 0.478 is within 0.005 of it, and not right."""
    assert number(HUNDREDTH, "0.4721", "0.478", ("near", Fraction("0.4746"))) is None
    assert number(HUNDREDTH, "0.4721", "0.478", ("far", Fraction("0.4790"))) == "far"


def test_silent_where_it_comes_to_another_key_that_is_as_right():
    also = (Fraction(24),)
    assert number(Integer(), 48, "25", ("near", Fraction(24)), also=also) is None


@pytest.mark.parametrize("typed", ["4.7", "0.047", "47", "4721/10", "0.0047"])
def test_a_moved_decimal_point_is_told(typed):
    assert number(HUNDREDTH, "0.4721", typed) == "decimal_point_moved"


def test_the_public_report_of_4_7_for_0_47_holds():
    assert number(Relative(Fraction(1, 100)), "0.47", "4.7") == "decimal_point_moved"


def test_a_count_with_a_point_for_its_thousands_is_told():
    task = Task(Integer(), Fraction(9216))
    found = graded(task, {"kind": "number", "number": 9.216})
    assert found.misconception.code == "decimal_point_moved"


def test_a_lost_sign_is_told():
    assert number(Integer(), -7, "7") == "sign_lost"
    assert number(Integer(), 7, "−7") == "sign_lost"


def test_specific_ones_come_before_generic_ones():
    assert number(Integer(), 48, "-48", ("turned", Fraction(-48))) == "turned"
    assert number(Integer(), 48, "480", ("tenfold", Fraction(480)), ("ten", Fraction(480))) is None


@pytest.mark.parametrize("key", ["4", "0.5", "2000", "0"])
def test_one_digit_is_too_little_to_tell_a_moved_point(key):
    typed = str(Fraction(key) * 10)
    assert number(Relative(Fraction(0)), key, typed) is None


def test_silent_where_zero_would_be_right_too():
    assert number(HUNDREDTH, "0.0041", "-0.009") is None
    assert number(HUNDREDTH, "0.0041", "0.41") is None


def test_a_matrix_is_explained_only_if_every_cell_is():
    key = ((Fraction(1), Fraction(2)), (Fraction(3), Fraction(4)))
    turned = ((Fraction(1), Fraction(3)), (Fraction(2), Fraction(4)))
    task = Task(Cells(Integer()), key, misconceptions=mistaken(("turned", turned)))

    def told(*rows):
        found = graded(task, {"kind": "matrix", "matrix": rows}).misconception
        return found.code if found else None

    assert told(["1", "3"], ["2", "4"]) == "turned"
    assert told(["1", "3"], ["2", "5"]) is None
    assert told(["1", "3"], ["2", ""]) is None
    assert told(["1", "3", "2", "4"]) is None
    assert told(["1", "2"], ["3", "4"]) is None


def test_a_tensor_is_explained_head_by_head():
    one, other = ((Fraction(1),),), ((Fraction(2),),)
    task = Task(Tensor(Cells(Integer())), (one, other), misconceptions=mistaken(("o", (one, one))))
    for heads, code in ((["1", "1"], "o"), (["2", "1"], None), (["1"], None), (["1", "x"], None)):
        answer = {"kind": "tensor", "heads": [[[cell]] for cell in heads]}
        found = graded(task, answer).misconception
        assert (found.code if found else None) == code


def test_a_choice_and_an_order_are_explained_if_they_are_the_same():
    options = tuple(Option(id, id) for id in "abc")
    for rule, key, wrong, chosen in (
        (Choice(), frozenset("a"), frozenset("b"), ["b"]),
        (Choice(several=True), frozenset("ab"), frozenset("ac"), ["c", "a"]),
        (Ordering(), ("a", "b", "c"), ("c", "b", "a"), ["c", "b", "a"]),
    ):
        task = Task(rule, key, options, mistaken(("w", wrong)))
        assert graded(task, {"kind": "choice", "choices": chosen}).misconception.code == "w"
    task = Task(Ordering(), ("a", "b", "c"), options, mistaken(("w", ("c", "b", "a"))))
    again = {"kind": "choice", "choices": ["c", "a", "b"]}
    assert graded(task, again).misconception is None


def test_a_range_and_a_derived_tolerance_have_misconceptions_too():
    assert number(Range(Fraction(1), Fraction(2)), "1.5", "3.01", ("twice", Fraction(3))) == "twice"
    assert agrees(Derived(2), Fraction("0.49"), Fraction("0.491"))
    assert not agrees(Derived(2), Fraction("0.47"), Fraction("0.491"))


@pytest.mark.parametrize("id", BANK)
def test_each_misconception_of_the_bank_is_told_or_explained_by_another(id):
    for seed in range(40):
        task = find_question(BANK, id, seed).task
        known = task.misconceptions()
        for one in known:
            found = graded(task, exactly(task, one.key), "en").misconception
            if found is not None:
                assert found.code == one.code or one.code not in {
                    other.code for other in known if agrees(task.rule, one.key, other.key)
                }


@given(st.integers(-(10**6), 10**6), st.sampled_from([7, 48, 9216]))
def test_a_random_wrong_number_is_told_only_what_it_is(value, key):
    found = number(
        Integer(), key, str(value), ("half", Fraction(key, 2)), ("next", Fraction(key + 1))
    )
    explained = {
        "half": 2 * value == key,
        "next": value == key + 1,
        "sign_lost": value == -key,
        "decimal_point_moved": any(value == key * 10**n for n in (1, 2, 3)) and key > 9,
    }
    assert found in {None, *(name for name, holds in explained.items() if holds)}
