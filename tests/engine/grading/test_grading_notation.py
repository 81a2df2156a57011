from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.reading.notation import json_number, latex, normal_form
from service.engine.grading.reading.read import read
from service.engine.grading.reading.values import exact

INFINITY = float("inf")


@pytest.mark.parametrize(
    ("value", "form", "typeset"),
    [
        (Fraction(9216), "9216", "9216"),
        (Fraction(-12), "-12", "-12"),
        (Fraction(0), "0", "0"),
        (Fraction(1, 2), "0.5", "0.5"),
        (Fraction(-1, 8), "-0.125", "-0.125"),
        (Fraction(1, 3), "1/3", r"\frac{1}{3}"),
        (Fraction(-22, 7), "-22/7", r"-\frac{22}{7}"),
        (Fraction(602 * 10**21), "602000000000000000000000", "602000000000000000000000"),
        (Fraction(3 * 10**50), "3e+50", r"3 \times 10^{50}"),
        (Fraction(-25, 10**61), "-2.5e-60", r"-2.5 \times 10^{-60}"),
        (INFINITY, "∞", r"\infty"),
        (-INFINITY, "−∞", r"-\infty"),
    ],
)
def test_a_value_has_one_writing(value, form, typeset):
    assert normal_form(value) == form
    assert latex(value) == typeset


@given(st.fractions(max_denominator=10**9), st.integers(-250, 250))
def test_what_is_written_reads_back_exactly(ratio, exponent):
    value = ratio * Fraction(10) ** exponent
    if len(normal_form(value)) <= 200:
        assert read(normal_form(value), "en").value == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(2**53 - 1), 2**53 - 1),
        (Fraction(2**53), 2.0**53),
        (Fraction(-(2**53)), -(2.0**53)),
        (Fraction(1, 10), 0.1),
        (Fraction(1, 3), 1 / 3),
        (-INFINITY, None),
    ],
)
def test_json_gets_an_exact_integer_or_the_nearest_float_or_null(value, expected):
    number = json_number(value)
    assert number == expected
    assert type(number) is type(expected)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_exact_value_of_a_float_is_that_of_its_shortest_writing(number):
    value = exact(number)
    assert value == Fraction(repr(number))
    assert json_number(value) == number
