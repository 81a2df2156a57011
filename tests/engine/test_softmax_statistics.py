"""Statistics of a few rows are taken cell by cell, of many all at once: they are the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.errors import OverflowingStep
from service.engine.softmax_statistics import weigh

FEW, MANY = 2, 40
FINITE = st.floats(-700, 700, allow_subnormal=False)
ROWS = arrays(np.float64, st.tuples(st.just(FEW), st.integers(1, 6)), elements=FINITE)


def of_few_and_of_many(s, temperature, seen=None):
    """The statistics of these rows, and of the same rows again and again."""
    with np.errstate(over="ignore", invalid="ignore"):
        _, few = weigh(s, temperature, seen)
        again = None if seen is None else np.tile(seen, (MANY, 1))
        _, many = weigh(np.tile(s, (MANY, 1)), temperature, again)
    return few, many


def assert_the_same(few, many):
    for name, own, all_of_them in zip(few._fields, few, many, strict=True):
        np.testing.assert_allclose(all_of_them, own * MANY, 1e-13, 1e-300, err_msg=name)


@given(ROWS, st.floats(0.05, 50))
def test_a_few_rows_have_the_statistics_of_many(s, temperature):
    assert_the_same(*of_few_and_of_many(s, temperature))


@given(ROWS, st.data())
def test_so_they_have_with_blocked_cells(s, data):
    seen = data.draw(arrays(np.bool_, s.shape))
    assert_the_same(*of_few_and_of_many(np.where(seen, s, -np.inf), 1.0, seen))


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 1e308])
def test_so_they_have_at_any_temperature(temperature):
    assert_the_same(*of_few_and_of_many(np.array([[3.0, 1.0, 3.0], [0.0, -1.0, 5.0]]), temperature))


@pytest.mark.parametrize("rows", [FEW, MANY])
def test_a_range_that_overflows_is_refused_with_its_row(rows):
    s = np.zeros((rows, 2))
    s[-1] = [1.7e308, -1.7e308]
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(OverflowingStep, match=f"range of row {rows - 1} of the scores overflows"),
    ):
        weigh(s)
