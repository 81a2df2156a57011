"""Sinusoidal encodings against mpmath, and the laws that they are known for."""

import mpmath
import numpy as np
import pytest
from by_hand import angle, frequency
from hypothesis import given
from hypothesis import strategies as st

from service.engine.blocks import whole
from service.engine.errors import EngineError, OverflowingStep, ShapeError, TooLarge
from service.engine.positions.encode import sinusoidal
from service.engine.trace import find

WIDTHS = [1, 2, 3, 4, 7, 8, 64, 512]


def step(trace, name):
    return whole(find(trace.steps, name).value)


def encoding(**request):
    return step(sinusoidal(**request), "encoding")


def test_position_0_is_zeros_and_ones():
    np.testing.assert_array_equal(encoding(n=1, d_model=6), [[0, 1, 0, 1, 0, 1]], strict=False)


def test_the_first_pair_is_the_sine_and_cosine_of_the_position():
    found = encoding(n=4, d_model=4)[:, :2]
    expected = [[float(mpmath.sin(p)), float(mpmath.cos(p))] for p in range(4)]
    np.testing.assert_allclose(found, expected, 1e-15, 1e-16, strict=True)


@pytest.mark.parametrize("base", [10_000.0, 2.0, 0.5, 1e-100, 1e300])
@pytest.mark.parametrize("d_model", WIDTHS)
def test_frequencies_are_powers_of_the_base(base, d_model):
    found = step(sinusoidal(n=1, d_model=d_model, base=base), "frequencies")
    expected = [[float(frequency(base, i, d_model)) for i in range((d_model + 1) // 2)]]
    # A float64 exponent of at most 1 is off by 1e-16, times |ln base| ≤ 691.
    np.testing.assert_allclose(found, expected, 2e-13, 0, strict=True)


@pytest.mark.parametrize("d_model", WIDTHS)
def test_an_encoding_has_the_digits_of_mpmath(d_model):
    found = encoding(n=6, d_model=d_model, offset=20)
    for p, row in enumerate(found):
        for j, cell in enumerate(row.tolist()):
            wave = mpmath.cos if j % 2 else mpmath.sin
            assert abs(cell - wave(angle(10_000.0, j // 2, d_model, p + 20))) < 1e-14


def test_each_angle_is_a_position_times_a_frequency_even_far_away():
    trace = sinusoidal(n=2, d_model=6, offset=1 << 40)
    theta, found = step(trace, "frequencies")[0], step(trace, "angles")
    for p, row in enumerate(found.tolist()):
        for i, cell in enumerate(row):
            # One product of two float64: correctly rounded.
            assert cell == float(mpmath.mpf((1 << 40) + p) * mpmath.mpf(theta[i]))
    for alpha, sine, cosine in zip(
        found.ravel(),
        step(trace, "encoding")[:, 0::2].ravel(),
        step(trace, "encoding")[:, 1::2].ravel(),
        strict=True,
    ):
        with mpmath.workdps(60):
            assert abs(sine - mpmath.sin(mpmath.mpf(alpha))) < 1e-15
            assert abs(cosine - mpmath.cos(mpmath.mpf(alpha))) < 1e-15


def test_the_last_pair_of_an_odd_width_has_a_sine_alone():
    trace = sinusoidal(n=2, d_model=3, base=8.0)
    # 8^(−2/3) = 1/4: the exponent is over the width itself.
    np.testing.assert_allclose(step(trace, "frequencies"), [[1.0, 0.25]], 1e-15, strict=True)
    expected = float(mpmath.sin(mpmath.mpf(1) / 4))
    assert step(trace, "encoding")[1, 2] == pytest.approx(expected, rel=1e-15)


@given(n=st.integers(1, 12), d_model=st.integers(1, 9), offset=st.integers(0, 1 << 40))
def test_an_offset_drops_the_first_rows(n, d_model, offset):
    drop = offset % 7
    later = encoding(n=n, d_model=d_model, offset=offset + drop)
    np.testing.assert_array_equal(
        later, encoding(n=n + drop, d_model=d_model, offset=offset)[drop:], strict=True
    )


@given(d_model=st.integers(1, 6).map(lambda half: 2 * half), p=st.integers(0, 1 << 40))
def test_each_sine_and_cosine_of_a_pair_lie_on_the_unit_circle(d_model, p):
    row = encoding(n=1, d_model=d_model, offset=p)[0]
    np.testing.assert_allclose(row[0::2] ** 2 + row[1::2] ** 2, np.ones(d_model // 2), 1e-15)


@given(near=st.integers(0, 60), far=st.integers(0, 60), shift=st.integers(0, 60))
def test_the_product_of_two_encodings_depends_on_their_distance_alone(near, far, shift):
    rows = encoding(n=130, d_model=8)
    here, there = rows[near] @ rows[far], rows[near + shift] @ rows[far + shift]
    assert here == pytest.approx(there, abs=1e-12)


def test_the_encoding_is_added_to_the_vectors():
    x = np.array([[1.0, 2.0], [-3.0, 0.5]])
    trace = sinusoidal(x=x)
    expected = [[1, 3], [float(-3 + mpmath.sin(1)), float(0.5 + mpmath.cos(1))]]
    np.testing.assert_allclose(step(trace, "output"), expected, 1e-15, strict=True)
    names = [one.rule.name for one in trace.steps]
    assert names == ["x", "frequencies", "angles", "encoding", "output"]


def test_sizes_that_agree_with_the_vectors_may_be_said_too():
    x = np.ones((2, 3))
    found, plain = sinusoidal(n=2, d_model=3, x=x), sinusoidal(x=x)
    np.testing.assert_array_equal(step(found, "output"), step(plain, "output"), strict=True)


@pytest.mark.parametrize("size", [{"n": 3}, {"d_model": 2}], ids=str)
def test_sizes_other_than_those_of_the_vectors_are_refused(size):
    with pytest.raises(ShapeError, match="but x has") as refusal:
        sinusoidal(x=np.ones((2, 3)), **size)
    assert {refusal.value.field} == size.keys()


def test_without_sizes_or_vectors_there_is_nothing_to_encode():
    with pytest.raises(EngineError, match="Send n and d_model, or x"):
        sinusoidal(n=3)


def test_a_base_whose_powers_overflow_is_refused():
    with pytest.raises(OverflowingStep, match="angles overflows") as refusal:
        sinusoidal(n=1, d_model=64, base=5e-324)
    assert refusal.value.field == "base"


def test_a_base_whose_last_angle_overflows_is_refused():
    request = {"d_model": 1 << 10, "base": 1e-300}
    assert np.isfinite(encoding(n=2, **request)).all()
    with pytest.raises(OverflowingStep, match="position 1,099,511,627,777 does not fit"):
        sinusoidal(n=2, offset=1 << 40, **request)


def test_a_table_that_is_too_large_is_refused_before_it_is_made():
    with pytest.raises(TooLarge):
        sinusoidal(n=1 << 22, d_model=1 << 22)
