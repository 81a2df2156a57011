"""Add & norm against laws, fractions and 50 digits."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from heads_by_hand import DIGITS
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.layernorm import layernorm
from service.engine.trace import find

NUMBERS = st.floats(-100, 100, allow_subnormal=False)


@st.composite
def rows(draw):
    shape = (draw(st.integers(1, 4)), draw(st.integers(1, 6)))
    return draw(arrays(np.float64, shape, elements=NUMBERS))


def step(trace, name):
    return find(trace.steps, name).value


def normed(row, eps, rms=False):
    """One row with 50 digits, without gain and bias."""
    with mpmath.workdps(DIGITS):
        row = [mpmath.mpf(float(x)) for x in row]
        mean = 0 if rms else sum(row) / len(row)
        variance = sum((x - mean) ** 2 for x in row) / len(row)
        return [float((x - mean) / mpmath.sqrt(variance + mpmath.mpf(eps))) for x in row]


@given(rows())
def test_normalised_rows_have_a_mean_of_0(x):
    mean = step(layernorm(x), "normalised").mean(axis=1)
    # A row of nearly equal numbers is divided by no less than √ε.
    np.testing.assert_allclose(mean, np.zeros(len(x)), 0, 1e-11, strict=True)


@given(rows(), st.floats(1e-6, 10))
def test_normalised_rows_have_the_variance_v_over_v_plus_eps(x, eps):
    found = step(layernorm(x, eps=eps), "normalised").var(axis=1)
    v = x.var(axis=1)
    np.testing.assert_allclose(found, v / (v + eps), 1e-9, 1e-15, strict=True)


@given(rows(), st.floats(1e-6, 10), st.booleans())
def test_a_norm_agrees_with_50_digits(x, eps, rms):
    found = step(layernorm(x, eps=eps, norm="rms" if rms else "layer"), "normalised")
    expected = [normed(row, eps, rms) for row in x]
    # x − μ cancels: its error is that of the largest number, over at least √ε.
    np.testing.assert_allclose(found, expected, 1e-12, 1e-10, strict=True)


@given(arrays(np.float64, (2, 5), elements=st.integers(-40, 40).map(float)))
def test_the_mean_of_whole_numbers_is_the_nearest_float_to_the_fraction(x):
    exact = [[float(sum(map(Fraction, row)) / 5)] for row in x.tolist()]
    assert step(layernorm(x), "mean").tolist() == exact


@given(rows(), st.integers(-1000, 1000))
def test_a_constant_added_to_a_row_changes_no_layer_norm(x, constant):
    plain, shifted = (step(layernorm(v, eps=1.0), "output") for v in (x, x + float(constant)))
    np.testing.assert_allclose(shifted, plain, 1e-9, 1e-11, strict=True)


@given(rows())
def test_a_factor_of_0_leaves_the_norm_of_x_alone(x):
    delta = np.ones_like(x)
    plain, none = layernorm(x), layernorm(x, delta=delta, delta_factor=0.0)
    assert step(plain, "output").tolist() == step(none, "output").tolist()


@given(rows(), st.floats(-20, 20))
def test_post_is_the_norm_of_the_sum(x, factor):
    delta = np.cos(np.arange(x.size)).reshape(x.shape)
    post = layernorm(x, delta=delta, delta_factor=factor)
    alone = layernorm(x + factor * delta)
    assert step(post, "output").tolist() == step(alone, "output").tolist()


@given(rows(), st.floats(-20, 20))
def test_pre_adds_to_x_what_no_norm_touches(x, factor):
    delta = np.cos(np.arange(x.size)).reshape(x.shape)
    pre = layernorm(x, delta=delta, delta_factor=factor, placement="pre")
    assert step(pre, "output").tolist() == (x + factor * delta).tolist()


@given(rows())
def test_pre_gives_the_sublayer_the_norm_of_x(x):
    pre = layernorm(x, delta=np.ones_like(x), placement="pre")
    assert step(pre, "sublayer_input").tolist() == step(layernorm(x), "output").tolist()


def test_a_constant_row_comes_out_as_beta():
    gamma, beta = np.array([[2.0, 3.0, 4.0]]), np.array([[0.5, -0.5, 1.5]])
    assert step(layernorm(np.full((1, 3), 7.0), gamma=gamma, beta=beta), "output").tolist() == (
        beta.tolist()
    )


def test_the_variance_divides_by_n_and_not_by_n_less_1():
    assert step(layernorm(np.array([[1.0, 0, 0, 0]])), "variance").tolist() == [[0.1875]]


def test_eps_is_inside_the_root():
    found = step(layernorm(np.array([[1.0, 2.0, 4.0]]), eps=0.5), "output")
    expected = [[-0.9299811099505543, -0.23249527748763857, 1.1624763874381927]]
    np.testing.assert_allclose(found, expected, 1e-15)


def test_rms_norm_subtracts_no_mean():
    found = step(layernorm(np.array([[3.0, 4.0]]), norm="rms", eps=1e-6), "output")
    with mpmath.workdps(DIGITS):
        root = mpmath.sqrt(mpmath.mpf("12.5") + mpmath.mpf(1e-6))
        expected = [[float(3 / root), float(4 / root)]]
    np.testing.assert_allclose(found, expected, 1e-15)


def test_a_row_far_from_0_keeps_its_variance():
    # In one pass, E[x²] − E[x]² would lose every digit.
    trace = layernorm(np.array([[1e9, 1e9 + 1, 1e9 + 2]]))
    np.testing.assert_allclose(step(trace, "variance"), [[2 / 3]], 1e-15)


@pytest.mark.parametrize("stage", ["x", "sum", "normalised", "output"])
def test_the_statistics_of_each_stage_are_those_of_its_rows(stage):
    x, delta = np.array([[1.0, 2, 3, 6], [5, -5, 0, 1]]), np.array([[0.5, 0, -1, 2], [1, 1, 1, 4]])
    gamma = np.array([[1.0, 2.0, 0.5, -1.0]])
    trace = layernorm(x, delta=delta, gamma=gamma)
    found = trace.more["statistics"][stage]
    for i, row in enumerate(step(trace, stage).tolist()):
        mean = sum(map(Fraction, row)) / len(row)
        variance = sum((Fraction(v) - mean) ** 2 for v in row) / len(row)
        assert found["mean"][i] == pytest.approx(float(mean), rel=1e-14, abs=1e-15)
        assert found["variance"][i] == pytest.approx(float(variance), rel=1e-14)
