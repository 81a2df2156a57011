"""The bounds of every rule, on exact decimals: cases that were reported publicly, and laws."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.numbers import is_right, mark_number
from service.engine.grading.marking.rules import (
    Absolute,
    Choice,
    DecimalPlaces,
    Integer,
    Range,
    Relative,
    SignificantFigures,
)
from service.engine.grading.marking.task import Option, Task
from service.engine.grading.reading.read import read

# What is reported, the key as printed, the rule, what is typed, the verdict that is due.
REPORTED = [
    ("bound on floats", "45.8", Absolute(Fraction("0.2")), "46.0", "correct"),
    ("bound on floats", "100", Absolute(Fraction("0.01")), "100.01", "correct"),
    ("half unit", "62.5", Absolute(Fraction("0.5")), "62", "correct"),
    ("half unit", "62.5", Absolute(Fraction("0.5")), "63", "correct"),
    ("half unit", "62.5", DecimalPlaces(0), "62", "correct"),
    ("half unit", "62.5", DecimalPlaces(0), "63", "correct"),
    ("sig figs", "1.234", SignificantFigures(3), "1.226", "correct"),
    ("sig figs", "1.234", SignificantFigures(3), "1.239", "incorrect"),
    ("trailing zero", "80", SignificantFigures(2), "80", "correct"),
    ("trailing zero, strict", "80", SignificantFigures(2, True), "8.0e1", "correct"),
    ("trailing zero, strict", "80", SignificantFigures(2, True), "80", "partial"),
    ("at least n", "0.142857142857142857", SignificantFigures(4), "0.14286", "correct"),
    ("at least n", "0.142857142857142857", SignificantFigures(4), "0.143", "incorrect"),
    ("scientific", "0.138", SignificantFigures(3, True), "138*10^-3", "correct"),
    ("scientific", "0.138", SignificantFigures(3, True), "1.38*10^-1", "correct"),
    ("scientific", "6.0221409e23", SignificantFigures(4), "6.022e+23", "correct"),
    ("space before e", "1e10", Integer(), "1 e10", "correct"),
    ("grouping", "78.53981633974483", Relative(Fraction("0.01")), "78.539 816 339", "correct"),
    ("leading dot", "0.823", Absolute(Fraction(0)), ".823", "correct"),
    ("value, precision", "1.27", DecimalPlaces(1, True), "1.27", "partial"),
    ("loose default", "9216", Integer(), "9220", "incorrect"),
    ("reversed window", "-45.8", Absolute(Fraction("0.2")), "-45.8", "correct"),
    ("reversed window", "-45.8", Absolute(Fraction("0.2")), "-46", "correct"),
    ("reversed window", "-45.8", Relative(Fraction("0.01")), "-45.8", "correct"),
    ("reversed window", "-200", Relative(Fraction("0.01")), "-202", "correct"),
    ("reversed window", "-1.234", SignificantFigures(3), "-1.234", "correct"),
]


@pytest.mark.parametrize(("about", "key", "rule", "typed", "verdict"), REPORTED)
def test_a_case_that_was_reported_of_others_is_right_here(about, key, rule, typed, verdict):
    mark = mark_number(rule, read(typed, "en"), Fraction(key), ())
    assert mark.verdict == verdict, about
    assert mark.score == {"correct": 1, "partial": Fraction(1, 2), "incorrect": 0}[verdict]


# Ranges

INSIDE = [
    (Range(Fraction(1), Fraction(2)), "1", True),
    (Range(Fraction(1), Fraction(2)), "2", True),
    (Range(Fraction(1), Fraction(2)), "2.0000000000000000001", False),
    (Range(Fraction(1), Fraction(2)), "0.9999999999999999999", False),
    (Range(Fraction(1), Fraction(2), lowest_included=False), "1", False),
    (Range(Fraction(1), Fraction(2), lowest_included=False), "1.0000000000000000001", True),
    (Range(Fraction(1), Fraction(2), lowest_included=False), "2", True),
    (Range(Fraction(1), Fraction(2), highest_included=False), "2", False),
    (Range(Fraction(1), Fraction(2), highest_included=False), "1", True),
    (Range(lowest=Fraction(1)), "1e300", True),
    (Range(lowest=Fraction(1)), "0", False),
    (Range(highest=Fraction(1)), "-1e300", True),
    (Range(highest=Fraction(1)), "1.1", False),
    (Range(Fraction(1), Fraction(1)), "1", True),
    (Range(lowest=Fraction(1)), "∞", False),
]


@pytest.mark.parametrize(("rule", "typed", "inside"), INSIDE)
def test_a_range_holds_its_bounds_as_it_says(rule, typed, inside):
    value = read(typed, "en").value
    assert is_right(rule, value, Fraction(3, 2)) is inside


# Several keys


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [("1", "correct"), ("2.01", "correct"), ("3.02", "correct"), ("2.03", "incorrect")],
)
def test_every_accepted_key_is_compared_by_the_same_rule(typed, verdict):
    rule = Absolute(Fraction("0.02"))
    task = Task(rule, Fraction(1), also=(Fraction(2), Fraction(3)))
    assert graded(task, {"kind": "text", "text": typed}).mark.verdict == verdict


def test_the_best_of_several_keys_counts():
    task = Task(DecimalPlaces(1, written_so=True), Fraction("1.27"), also=(Fraction("1.2"),))
    assert graded(task, {"kind": "text", "text": "1.27"}).mark.verdict == "partial"
    assert graded(task, {"kind": "text", "text": "1.2"}).mark.verdict == "correct"


def test_an_infinity_can_be_accepted_beside_a_number():
    task = Task(Integer(), Fraction(1), also=(float("-inf"),))
    assert graded(task, {"kind": "text", "text": "−∞"}).mark.verdict == "correct"


# Laws

decimals = st.decimals(-10_000, 10_000, places=4, allow_nan=False).map(Fraction)
tolerances = st.decimals(0, 100, places=4, allow_nan=False).map(Fraction)
rules = st.one_of(
    st.just(Integer()),
    tolerances.map(Absolute),
    tolerances.map(Relative),
    st.builds(SignificantFigures, st.integers(1, 20)),
    st.builds(DecimalPlaces, st.integers(0, 20)),
)


@given(rules, decimals)
def test_the_key_itself_is_always_right(rule, key):
    assert is_right(rule, key, key)


@given(decimals, decimals, tolerances, tolerances)
def test_a_wider_tolerance_takes_whatever_a_narrower_one_takes(value, key, one, other):
    narrow, wide = sorted((one, other))
    for rule in (Absolute, Relative):
        assert is_right(rule(narrow), value, key) <= is_right(rule(wide), value, key)


@given(decimals, tolerances)
def test_the_bounds_of_an_absolute_tolerance_are_inside_and_nothing_beyond(key, tolerance):
    rule, beyond = Absolute(tolerance), Fraction(1, 10**30)
    for sign in (-1, 1):
        assert is_right(rule, key + sign * tolerance, key)
        assert not is_right(rule, key + sign * (tolerance + beyond), key)


@given(decimals, tolerances)
def test_the_bounds_of_a_relative_tolerance_are_inside_and_nothing_beyond(key, tolerance):
    rule, beyond = Relative(tolerance), Fraction(1, 10**30)
    for sign in (-1, 1):
        assert is_right(rule, key + sign * tolerance * abs(key), key)
        assert not is_right(rule, key + sign * (tolerance * abs(key) + beyond), key)


@given(decimals, st.integers(0, 6))
def test_half_a_decimal_place_off_is_right_and_a_whole_one_is_not(key, places):
    unit = Fraction(1, 10**places)
    rounded = round(key / unit) * unit
    assert is_right(DecimalPlaces(places), rounded, key)
    assert is_right(DecimalPlaces(places), rounded + unit / 2, rounded)
    assert not is_right(DecimalPlaces(places), rounded + unit * Fraction(11, 10), rounded)


@given(decimals, decimals, tolerances)
def test_a_range_around_the_key_is_its_absolute_tolerance(value, key, tolerance):
    around = Range(key - tolerance, key + tolerance)
    assert is_right(around, value, key) == is_right(Absolute(tolerance), value, key)


@given(decimals, decimals, rules)
def test_the_sign_of_answer_and_key_together_changes_no_verdict(value, key, rule):
    assert is_right(rule, value, key) == is_right(rule, -value, -key)


@given(decimals, decimals, tolerances, st.integers(-5, 5))
def test_a_power_of_ten_on_all_three_changes_no_verdict(value, key, tolerance, exponent):
    scale = Fraction(10) ** exponent
    assert is_right(Absolute(tolerance), value, key) == is_right(
        Absolute(tolerance * scale), value * scale, key * scale
    )
    assert is_right(Relative(tolerance), value, key) == is_right(
        Relative(tolerance), value * scale, key * scale
    )


@given(st.permutations("abcdef"), st.sets(st.sampled_from("abcdef"), min_size=1), st.booleans())
def test_the_order_of_choices_changes_no_mark(order, key, partial):
    rule = Choice(several=True, partial=partial)
    task = Task(rule, frozenset(key), tuple(Option(id, id) for id in "abcdef"))
    chosen = [id for id in order if id in "abc"]
    turned = replace(task, choices=tuple(Option(id, id) for id in order))
    mark = graded(task, {"kind": "choice", "choices": sorted(chosen)}).mark
    assert graded(task, {"kind": "choice", "choices": chosen}).mark == mark
    assert graded(turned, {"kind": "choice", "choices": chosen}).mark == mark


@given(rules, decimals, decimals)
def test_marking_twice_gives_the_same_mark(rule, value, key):
    reading = read(f"{float(value):.4f}", "en")
    assert mark_number(rule, reading, key, ()) == mark_number(rule, reading, key, ())
