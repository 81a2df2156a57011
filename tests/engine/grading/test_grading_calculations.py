"""Calculations, read where a rule allows them; values worked out by hand."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.grading.reading.powers import DIVISION_BY_ZERO
from service.engine.grading.reading.read import read, read_cell

CALCULATIONS = [
    ("96*96", None, "9216"),
    ("96×96", None, "9216"),
    ("96 x 96", None, "9216"),
    ("96 · 96", None, "9216"),
    ("96·96", "de", "9216"),
    ("4·128·12288", None, "6291456"),
    ("96\uff0a96", None, "9216"),
    ("2·2+0·0", None, "4"),
    ("2·2 + 0·0", None, "4"),
    ("12288/96", None, "128"),
    ("12288÷96", None, "128"),
    ("12288/96*2", None, "256"),
    ("2*12288/96", None, "256"),
    ("(1+2)*3", None, "9"),
    ("1+2*3", None, "7"),
    ("2*(3+4)*5", None, "70"),
    ("((1+1))*((2))", None, "4"),
    ("10-2-3", None, "5"),
    ("10\u22122\u22123", None, "5"),
    ("1 - 1/2", None, "1/2"),
    ("1\u22121/2", None, "1/2"),
    ("-1-1/2", None, "-3/2"),
    ("1-3/2", None, "-1/2"),
    ("3-10", None, "-7"),
    ("2×103", None, "206"),
    ("3·(4+1)", None, "15"),
    ("2·-1+3·4", None, "10"),
    ("1,5·2", None, "3"),
    ("1/2+1/3", None, "5/6"),
    ("(1/2)/3", None, "1/6"),
    ("1/(2/3)", None, "3/2"),
    ("3*-2", None, "-6"),
    ("3*(-2)", None, "-6"),
    ("-3*-2", None, "6"),
    ("-(3)*2", None, "-6"),
    ("2^10", None, "1024"),
    ("2^10-1", None, "1023"),
    ("2^(5*2)", None, "1024"),
    ("(2^5)^2", None, "1024"),
    ("-2^2+1", None, "-3"),
    ("(-2)^2", None, "4"),
    ("2²+3²", None, "13"),
    ("(1+2)²", None, "9"),
    ("4*2^-1", None, "2"),
    ("3·10²+1", None, "301"),
    ("2.5e3*2", None, "5000"),
    ("sqrt(16)/2+1", None, "3"),
    ("√(9)*√(16)", None, "12"),
    ("√(3²+4²)", None, "5"),
    ("0.1+0.2", None, "3/10"),
    ("1,5*2", None, "3"),
    ("1,5*2", "de", "3"),
    ("1.000*2", "de", "2000"),
    ("1.000*2", "en", "2"),
    ("1,000*2", "en", "2000"),
    ("1,000,000*2", None, "2000000"),
    ("1 000*2", None, "2000"),
    ("12'288*2", None, "24576"),
    ("4*128*12288*12288", None, "77309411328"),
    ("10^400/10^399", None, "10"),
    ("1" + "+1" * 99, None, "100"),
    ("\u0669\u0666*\u0669\u0666", "ar", "9216"),
    # More than one meaning, and shown
    ("1,234*2", None, "unreadable:ambiguous"),
    ("9.216*2", None, "unreadable:ambiguous"),
    ("0·47", None, "unreadable:ambiguous"),
    ("1 100/200", None, "unreadable:ambiguous"),
    ("0·47", "de", "unreadable:ambiguous"),
    ("96·96", None, "unreadable:ambiguous"),
    ("3·14", None, "unreadable:ambiguous"),
    ("3\u221914", "en", "unreadable:ambiguous"),
    ("1·5", "en-GB", "unreadable:ambiguous"),
    ("-1·5", None, "unreadable:ambiguous"),
    ("1·5+2", None, "unreadable:ambiguous"),
    ("2*1·5", None, "unreadable:ambiguous"),
    ("1·05*2", "de", "unreadable:ambiguous"),
    ("1·000", "en-GB", "unreadable:ambiguous"),
    ("1·000", "de", "unreadable:ambiguous"),
    ("1·000·000", None, "unreadable:ambiguous"),
    ("1-1/2", None, "unreadable:ambiguous"),
    ("3-3/4", "en", "unreadable:ambiguous"),
    ("3/14*2", "fa", "unreadable:ambiguous"),
    ("1'234*2", "es", "unreadable:ambiguous"),
    # More than one meaning: parentheses are asked for
    ("1/2/3", None, "unreadable:expression"),
    ("1/2/2026", None, "unreadable:expression"),
    ("2^3^2", None, "unreadable:expression"),
    ("2**3**2", None, "unreadable:expression"),
    ("√16/2", None, "unreadable:expression"),
    ("√16+9", None, "unreadable:expression"),
    ("3*10e5", None, "unreadable:expression"),
    ("2--3", None, "unreadable:expression"),
    ("2+-3", None, "unreadable:expression"),
    ("3\u20135", None, "unreadable:expression"),
    ("3 \u2014 5", None, "unreadable:expression"),
    ("1 1/2+1", None, "unreadable:expression"),
    ("2026-11-29", None, "unreadable:expression"),
    ("01-02-2020", None, "unreadable:expression"),
    ("1-2-2020", None, "unreadable:expression"),
    ("01-02-20", None, "unreadable:expression"),
    ("1 - 2 - 2020", None, "unreadable:expression"),
    ("2*6.10^3", None, "unreadable:expression"),
    ("6.10^3+1", "fr", "unreadable:expression"),
    ("3^1/2", None, "unreadable:expression"),
    # No value
    ("1/(2-2)", None, "unreadable:division_by_zero"),
    ("2*0^-1", None, "unreadable:division_by_zero"),
    ("2+0^0", None, "unreadable:undefined"),
    ("√(2)+1", None, "unreadable:expression"),
    ("2*4^0.5", None, "unreadable:expression"),
    ("2*9^99999999", None, "unreadable:out_of_range"),
    ("10^300*10^300", None, "unreadable:out_of_range"),
    ("1e999+1", None, "unreadable:out_of_range"),
    # No calculation
    ("0x10", None, "unreadable:not_understood"),
    ("2(3)", None, "unreadable:not_understood"),
    ("(1)(2)", None, "unreadable:not_understood"),
    ("2*(3", None, "unreadable:expression"),
    ("2*3)", None, "unreadable:expression"),
    ("*3", None, "unreadable:not_understood"),
    ("3*", None, "unreadable:not_understood"),
    ("()", None, "unreadable:not_understood"),
    ("(5)", None, "unreadable:ambiguous"),
    ("5!", None, "unreadable:not_understood"),
    ("--5", None, "unreadable:not_understood"),
    ("+-5", None, "unreadable:not_understood"),
    ("50%*80", None, "unreadable:not_understood"),
    ("7 mod 3", None, "unreadable:not_understood"),
    ("7%3", None, "unreadable:not_understood"),
    ("7//3", None, "unreadable:not_understood"),
    ("max(1,2)", None, "unreadable:not_understood"),
    ("x*2", None, "unreadable:not_understood"),
    ("96*96=9216", None, "unreadable:expression"),
    ("__import__('os')", None, "unreadable:not_understood"),
    ("(" * 30 + "1+1" + ")" * 30, None, "unreadable:expression"),
    ("(" * 100 + ")" * 100, None, "unreadable:not_understood"),
]


@pytest.mark.parametrize(("text", "locale", "expected"), CALCULATIONS)
def test_a_calculation_has_its_exact_value_or_a_reason_for_none(text, locale, expected):
    reading = read(text, locale, True)
    if reading.problem:
        assert f"unreadable:{reading.problem.code}" == expected
    else:
        assert reading.value == Fraction(expected)


@pytest.mark.parametrize(("text", "locale", "expected"), CALCULATIONS[:48])
def test_a_calculation_is_refused_where_the_rule_does_not_allow_it(text, locale, expected):
    reading = read(text, locale)
    assert reading.value in (None, Fraction(expected))
    if reading.problem:
        assert reading.problem.code in ("expression", "not_understood")


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("96*96", r"96 \cdot 96 = 9216"),
        ("2·2+0·0", r"2 \cdot 2 + 0 \cdot 0 = 4"),
        ("1/2*3", r"\frac{1}{2} \cdot 3 = 1.5"),
        ("1/(2+1)+1", r"\frac{1}{2 + 1} + 1 = \frac{4}{3}"),
        ("2*-3", r"2 \cdot (-3) = -6"),
        ("-2^2+1", r"-2^{2} + 1 = -3"),
        ("(1+2)^(1+1)", r"(1 + 2)^{1 + 1} = 9"),
        ("sqrt(9)+1", r"\sqrt{9} + 1 = 4"),
    ],
)
def test_the_latex_shows_how_a_calculation_was_understood(text, latex):
    reading = read(text, None, True)
    assert reading.latex == latex
    assert reading.normal_form == latex.rpartition("= ")[2].replace(r"\frac{4}{3}", "4/3")


def test_a_calculation_has_no_typed_precision():
    assert read("2*4.50", None, True).digits is None


def test_a_raised_point_shows_both_of_its_readings():
    values = {alternative.value for alternative in read("0·47", None, True).alternatives}
    assert values == {Fraction(0), Fraction(47, 100)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3·14", {Fraction(42), Fraction(314, 100)}),
        ("1·000", {Fraction(0), Fraction(1), Fraction(1000)}),
        ("1·5+2", {Fraction(7), Fraction(7, 2)}),
        ("1-1/2", {Fraction(1, 2), Fraction(3, 2)}),
    ],
)
def test_what_schools_read_differently_shows_every_reading(text, expected):
    assert {alternative.value for alternative in read(text, None, True).alternatives} == expected


def test_where_a_comma_is_before_decimals_a_raised_point_is_for_times_and_the_other_shown():
    reading = read("3·14", "de", True)
    assert reading.value == 42
    assert reading.alternatives == ((Fraction(314, 100), "raised point before the decimals"),)


def test_a_cell_is_calculated_as_a_lone_answer_is():
    assert read_cell("96*96", None, True).value == 9216
    assert read_cell("96*96").value is None


def combined(children):
    """Two terms with an operator, in parentheses: what Python's Fraction makes of it is known."""
    return st.tuples(children, st.sampled_from("+-*/"), children)


TREES = st.recursive(st.integers(0, 999), combined, max_leaves=8)


def as_text(tree) -> str:
    if isinstance(tree, int):
        return str(tree)
    left, operator, right = tree
    return f"({as_text(left)}{operator}{as_text(right)})"


def as_value(tree) -> Fraction:
    """Raises ZeroDivisionError as Fraction does."""
    if isinstance(tree, int):
        return Fraction(tree)
    left, operator, right = as_value(tree[0]), tree[1], as_value(tree[2])
    if operator == "/":
        return left / right
    return left * right if operator == "*" else left + right if operator == "+" else left - right


@given(combined(TREES))
@settings(max_examples=300)
def test_a_calculation_in_parentheses_comes_to_what_fractions_say(tree):
    text = as_text(tree)
    reading = read(text, None, True)
    try:
        expected = as_value(tree)
    except ZeroDivisionError:
        assert reading.problem == DIVISION_BY_ZERO
    else:
        assert reading.value == expected


@given(st.lists(st.tuples(st.sampled_from("+-*"), st.integers(0, 999)), min_size=1, max_size=20))
def test_products_come_before_sums_and_both_go_from_left_to_right(terms):
    text = "1" + "".join(f"{operator}{number}" for operator, number in terms)
    assert read(text, None, True).value == eval(text)
