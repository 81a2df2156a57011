"""Rounding to significant digits: the float64 nearest to the decimal that Python writes."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.api import rounding
from service.api.rounding import round_significant, round_together

DIGITS = range(1, 17)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
# Numbers of few binary digits, as a lecture has them: many lie just between two decimals.
DYADIC = st.builds(lambda k, n: k / 2.0**n, st.integers(-(10**7), 10**7), st.integers(0, 20))


def written(cell, digits):
    found = float(f"{cell:.{digits - 1}e}")
    return cell if np.isinf(found) else found


def assert_rounds(cells, digits):
    found = round_significant(np.array([cells]), digits)
    np.testing.assert_array_equal(found, [[written(cell, digits) for cell in cells]], strict=True)


@given(arrays(np.float64, 8, elements=NUMBERS | DYADIC), st.sampled_from(DIGITS))
def test_a_cell_is_rounded_as_its_exact_digits_say(cells, digits):
    assert_rounds(cells.tolist(), digits)


@pytest.mark.parametrize(
    ("cell", "digits", "rounded"),
    [
        (2.5, 1, 2.0),
        (3.5, 1, 4.0),
        (0.125, 2, 0.12),
        (0.375, 2, 0.38),
        (-1234567.5, 7, -1234568.0),
        (1 / 2048, 7, 0.0004882812),
        (25e20, 1, 2e21),
        (35e20, 1, 4e21),
    ],
)
def test_a_tie_goes_to_the_even_digit(cell, digits, rounded):
    assert round_significant(np.array([[cell]]), digits) == rounded


@pytest.mark.parametrize("up", [-1, 1])
@pytest.mark.parametrize("tie", [2.5, 0.125, 1234567.5, 25e20, 0.0009765625])
@pytest.mark.parametrize("digits", [1, 2, 7, 9])
def test_one_bit_beside_a_tie_decides(tie, up, digits):
    assert_rounds([np.nextafter(tie, up * np.inf), -np.nextafter(tie, up * np.inf)], digits)


@pytest.mark.parametrize("cell", [0.15, 0.35, 1.005, 2.675, 1.45, 8.345, 1234.5675])
@pytest.mark.parametrize("digits", range(1, 11))
def test_a_decimal_that_is_no_float64_is_no_tie(cell, digits):
    assert_rounds([cell, cell * 1e6, -cell], digits)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("power", [-22, -9, 0, 3, 5, 15, 22])
def test_beside_a_power_of_ten(power, digits):
    ten = float(f"1e{power}")
    assert_rounds([ten, np.nextafter(ten, 0), np.nextafter(ten, np.inf), ten * 0.99996], digits)


@pytest.mark.parametrize("digits", DIGITS)
def test_digits_may_roll_over_and_sizes_may_be_extreme(digits):
    cells = [9.9999999999, 0.99999, 99999.5, 5e-324, 2.2e-308, 1e-23, 1e22, 1e23, 1.797e308, 8e-15]
    assert_rounds(cells, digits)


def test_what_would_not_fit_stays_as_it_is():
    assert round_significant(np.array([[1.797e308, -1.797e308]]), 2).tolist() == [
        [1.797e308, -1.797e308]
    ]


def test_infinity_and_zero_stay_as_they_are():
    np.testing.assert_array_equal(
        round_significant(np.array([[-np.inf, 0.0, 0.123]]), 2), [[-np.inf, 0.0, 0.12]]
    )


def test_more_cells_than_are_rounded_at_once_are_all_rounded():
    n = rounding._CELLS_AT_ONCE + 3
    found = round_significant(np.full((1, n), 0.125), 2)
    assert (found == 0.12).all()


def test_only_numbers_out_of_reach_are_written_to_be_read_again():
    rng = np.random.default_rng(2)
    others = [[0.0, -np.inf, 1e-30], np.full(500, 1 / 2048), np.arange(500) + 0.5]
    cells = np.concatenate([rng.normal(size=500), *others])
    with patch.object(rounding, "_by_text", wraps=rounding._by_text) as by_text:
        round_significant(cells[None, :], 7)
    assert [call.args[0].tolist() for call in by_text.call_args_list] == [[1e-30]]


def test_what_is_given_is_not_written_to():
    cells = np.array([[0.123]])
    round_significant(cells, 1)
    assert cells == 0.123


def test_matrices_are_rounded_together_as_they_are_alone():
    rng = np.random.default_rng(8)
    matrices = [rng.normal(size=(3, 4)), rng.normal(size=(4, 2)).T, rng.normal(size=(1, 7))]
    for rounded, matrix in zip(round_together(matrices, 3), matrices, strict=True):
        np.testing.assert_array_equal(rounded, round_significant(matrix, 3), strict=True)


def test_no_matrices_are_rounded_to_none():
    assert list(round_together([], 3)) == []
