from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.marking.numbers import mark_value
from service.engine.grading.marking.rules import (
    Absolute,
    Cells,
    Choice,
    DecimalPlaces,
    Expression,
    Integer,
    Ordering,
    Range,
    Relative,
    ShortText,
    SignificantFigures,
    Tensor,
    Variable,
)
from service.engine.grading.marking.words import in_words
from service.engine.grading.reading.read import read
from service.engine.grading.reading.values import exact

# The key as printed, the rule, what is typed, the verdict.
CASES = [
    ("9216", Integer(), "9216", "correct"),
    ("9216", Integer(), "9,216", "correct"),
    ("9216", Integer(), "9216.0", "correct"),
    ("9216", Integer(), "96^2", "correct"),
    ("9216", Integer(), "9220", "incorrect"),
    ("9216", Integer(), "9216.0000000000000000001", "incorrect"),
    ("57982058496", Integer(), "57,982,058,496", "correct"),
    ("57982058496", Integer(), "57982058497", "incorrect"),
    ("57982058496", Integer(), "58 billion", "incorrect"),
    ("57982058496", Integer(), "58500000000", "incorrect"),
    ("9007199254740993", Integer(), "9007199254740993", "correct"),
    ("9007199254740993", Integer(), "9007199254740992", "incorrect"),
    ("45.8", Absolute(Fraction("0.2")), "46.0", "correct"),
    ("45.8", Absolute(Fraction("0.2")), "45.6", "correct"),
    ("45.8", Absolute(Fraction("0.2")), "46.01", "incorrect"),
    ("100", Absolute(Fraction("0.01")), "100.01", "correct"),
    ("100", Absolute(Fraction("0.01")), "99.99", "correct"),
    ("100", Absolute(Fraction("0.01")), "100.0100000000001", "incorrect"),
    ("0.3", Absolute(Fraction(0)), "0.3", "correct"),
    ("0.138", Absolute(Fraction(0)), "138*10^-3", "correct"),
    ("0.138", Absolute(Fraction(0)), "1.38*10^-1", "correct"),
    ("6.306e-7", Absolute(Fraction(0)), "6.306*10^(-7)", "correct"),
    ("0.00001", Absolute(Fraction(0)), "1e-5", "correct"),
    ("1e10", Integer(), "1 e10", "correct"),
    ("1.5", Absolute(Fraction(0)), "3/2", "correct"),
    ("1.41421356", Absolute(Fraction("1e-8")), "√2", "correct"),
    ("-1", Integer(), "\u22121", "correct"),
    ("-1", Integer(), "1", "incorrect"),
    ("78.53981633974483", Relative(Fraction("0.01")), "78.539 816 339 744 830 961 6", "correct"),
    ("200", Relative(Fraction("0.01")), "202", "correct"),
    ("200", Relative(Fraction("0.01")), "202.1", "incorrect"),
    ("-200", Relative(Fraction("0.01")), "-198", "correct"),
    ("-200", Relative(Fraction("0.01")), "198", "incorrect"),
    ("0", Relative(Fraction("0.01")), "0", "correct"),
    ("0", Relative(Fraction("0.01")), "0.0001", "incorrect"),
    ("1.234", SignificantFigures(3), "1.226", "correct"),
    ("1.234", SignificantFigures(3), "1.239", "incorrect"),
    ("1.234", SignificantFigures(3), "1.23", "correct"),
    ("0.138", SignificantFigures(3), "138*10^-3", "correct"),
    ("0.142857142857", SignificantFigures(4), "0.14286", "correct"),
    ("0.142857142857", SignificantFigures(4), "0.143", "incorrect"),
    ("6.0221409e23", SignificantFigures(4), "6.022e+23", "correct"),
    ("999.6", SignificantFigures(3), "1000", "correct"),
    ("999.6", SignificantFigures(3), "1003", "incorrect"),
    ("80", SignificantFigures(2), "80", "correct"),
    ("80", SignificantFigures(2, written_so=True), "80", "partial"),
    ("80", SignificantFigures(2, written_so=True), "80.", "correct"),
    ("80", SignificantFigures(2, written_so=True), "8.0e1", "correct"),
    ("0", SignificantFigures(2), "0", "correct"),
    ("0", SignificantFigures(2), "0.001", "incorrect"),
    ("62.5", DecimalPlaces(0), "62", "correct"),
    ("62.5", DecimalPlaces(0), "63", "correct"),
    ("62.5", DecimalPlaces(0), "61", "incorrect"),
    ("-62.5", DecimalPlaces(0), "-63", "correct"),
    ("1.27", DecimalPlaces(1), "1.3", "correct"),
    ("1.27", DecimalPlaces(1), "1.2", "incorrect"),
    ("1.27", DecimalPlaces(1, written_so=True), "1.27", "partial"),
    ("1.27", DecimalPlaces(1, written_so=True), "1.3", "correct"),
    ("0.125", DecimalPlaces(3, written_so=True), "1/8", "partial"),
    ("1", Integer(), "∞", "incorrect"),
    ("1", Absolute(Fraction("1e9")), "-∞", "incorrect"),
    ("1.5", SignificantFigures(2), "∞", "incorrect"),
    ("1", Integer(), "", "unreadable"),
    ("1", Integer(), "one", "unreadable"),
]


@pytest.mark.parametrize(("key", "rule", "text", "verdict"), CASES)
def test_an_answer_is_judged_on_exact_decimals(key, rule, text, verdict):
    mark = mark_value(rule, read(text, "en"), Fraction(key))
    assert mark.verdict == verdict
    assert mark.score == {"correct": 1, "partial": Fraction(1, 2)}.get(verdict, 0)


def test_minus_infinity_is_right_only_where_it_is_the_key():
    blocked = exact(float("-inf"))
    assert mark_value(Integer(), read("−∞"), blocked).verdict == "correct"
    assert mark_value(Absolute(Fraction(1)), read("−∞"), blocked).verdict == "correct"
    assert mark_value(Integer(), read("∞"), blocked).verdict == "incorrect"
    assert mark_value(Absolute(Fraction(10)), read("-1e9"), blocked).verdict == "incorrect"


def test_a_float_key_is_the_decimal_it_prints():
    assert exact(0.1) == Fraction(1, 10)
    assert mark_value(Absolute(Fraction(0)), read("0.1"), exact(0.1)).verdict == "correct"


def test_a_wrong_value_gets_no_hint_about_its_precision():
    mark = mark_value(DecimalPlaces(1, written_so=True), read("7.777", "en"), Fraction("1.27"))
    assert [note.code for note in mark.feedback] == ["incorrect"]


def test_a_right_value_in_the_wrong_precision_is_told_so():
    mark = mark_value(DecimalPlaces(1, written_so=True), read("1.27"), Fraction("1.27"))
    assert mark.feedback == (
        ("precision", "Read as 1.27. The value is right; write it with 1 decimal place."),
    )


@given(st.decimals(-1000, 1000, places=3), st.decimals(0, 10, places=3))
def test_both_bounds_are_inside_and_the_next_decimal_is_not(key, tolerance):
    rule = Absolute(Fraction(tolerance))
    for bound, outward in ((key + tolerance, 1), (key - tolerance, -1)):
        beyond = Fraction(bound) + outward * Fraction(1, 10**6)
        assert mark_value(rule, read(f"{bound:f}", "en"), Fraction(key)).verdict == "correct"
        text = f"{float(beyond):.6f}"
        assert mark_value(rule, read(text, "en"), Fraction(key)).verdict == "incorrect"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Integer(), "The whole number, exactly."),
        (Absolute(Fraction("0.2")), "Within 0.2 of the exact value, the bounds included."),
        (Absolute(Fraction(0)), "The exact value, in any notation."),
        (Integer(arithmetic=True), "The whole number, exactly. Simple arithmetic is read too."),
        (
            Range(Fraction(1), Fraction(2)),
            "Inside the range that counts as right, its bounds included.",
        ),
        (
            Range(Fraction(1), Fraction(2), False),
            "Inside the range that counts as right, the upper bound included and the other not.",
        ),
        (
            Range(highest=Fraction(2), highest_included=False),
            "Inside the range that counts as right, its bounds not included.",
        ),
        (Ordering(), "The right order, from first to last."),
        (
            Ordering(partial=True),
            "The right order; each pair in the wrong one takes back a right pair.",
        ),
        (ShortText(("a",)), "The right words; capitals, spaces and hyphens do not matter."),
        (
            ShortText(case_matters=True),
            "The right words, capitals included; spaces and hyphens do not matter.",
        ),
        (
            Expression((Variable("q", 0, 1), Variable("d_k", 1, 2))),
            "A formula in q, d_k with the same values as the right one everywhere.",
        ),
        (
            Expression((Variable("q", 0, 1),), Fraction(1, 20)),
            "A formula in q with the same values as the right one everywhere, within 5 % of each.",
        ),
        (
            Cells(Integer(), True, True),
            "Cell by cell, and the shape has to fit: the whole number, exactly. A blocked cell has"
            " to be exactly 0; in each row the share of blocked cells that are right is multiplied"
            " by that of the others. A row in which a number other than 0 is right gets back a"
            " quarter of what it lost if it has no negative weight and sums to 1 and is 0 wherever"
            " a cell is blocked.",
        ),
        (
            Tensor(Cells(Integer())),
            "Head by head, and their number has to fit: cell by cell, and the shape has to "
            "fit: the whole number, exactly.",
        ),
        (Relative(Fraction("0.01")), "Within 1 % of the exact value, the bounds included."),
        (
            SignificantFigures(3),
            "Equal to the exact value when both are rounded to 3 significant figures.",
        ),
        (
            DecimalPlaces(2, written_so=True),
            "Equal to the exact value when both are rounded to 2 decimal places, "
            "and written with exactly as many.",
        ),
        (Choice(), "The one right choice."),
        (Choice(several=True), "All right choices and no other."),
        (
            Choice(several=True, partial=True),
            "All right choices and no other; each wrong one takes back a right one.",
        ),
        (
            Cells(Integer()),
            "Cell by cell, and the shape has to fit: the whole number, exactly.",
        ),
    ],
)
def test_a_rule_can_be_said_in_words(rule, words):
    assert in_words(rule) == words
