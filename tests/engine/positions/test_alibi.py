"""ALiBi: slopes as published, and a bias that falls with the distance."""

from fractions import Fraction

import numpy as np
import pytest

from service.engine.blocks import whole
from service.engine.errors import ShapeError, TooLarge
from service.engine.positions.alibi import Alibi, Slopes, bias, slopes
from service.engine.positions.encode import alibi
from service.engine.trace import find


def published(n):
    """The exponents of 1/2 by the authors' recursion, as fractions."""
    if n & (n - 1) == 0:
        return [Fraction(8 * (i + 1), n) for i in range(n)]
    power = 1
    while 2 * power <= n:
        power *= 2
    return published(power) + published(2 * power)[0::2][: n - power]


def test_eight_heads_halve_from_one_half():
    assert slopes(8).tolist() == [[2.0**-i] for i in range(1, 9)]


def test_a_single_head_has_a_slope_of_1_in_256():
    assert slopes(1).tolist() == [[1 / 256]]


def test_three_heads_are_two_and_the_first_between_four():
    assert slopes(3).tolist() == [[1 / 16], [1 / 256], [1 / 4]]


@pytest.mark.parametrize("n_heads", range(1, 65))
def test_slopes_are_those_of_the_authors(n_heads):
    expected = [[2.0 ** -float(exponent)] for exponent in published(n_heads)]
    np.testing.assert_allclose(slopes(n_heads), expected, 1e-15, strict=True)


@pytest.mark.parametrize("n_heads", [2**i for i in range(10)])
def test_slopes_of_a_power_of_two_fall_geometrically_to_1_in_256(n_heads):
    m = slopes(n_heads)[:, 0]
    np.testing.assert_allclose(m, m[0] ** np.arange(1, n_heads + 1), 1e-12)
    assert m[-1] == 1 / 256


@pytest.mark.parametrize("n_heads", [1, 3, 12, 100, 512])
def test_every_slope_is_a_different_number_between_0_and_1(n_heads):
    m = slopes(n_heads)[:, 0]
    assert len(set(m.tolist())) == n_heads
    assert ((m > 0) & (m < 1)).all()


def test_the_bias_falls_by_the_slope_with_each_step_away():
    found = whole(bias(Alibi(0.5), 3, 4))
    expected = [[0, -0.5, -1, -1.5], [-0.5, 0, -0.5, -1], [-1, -0.5, 0, -0.5]]
    np.testing.assert_array_equal(found, expected)


def test_nothing_falls_at_distance_0_and_it_has_no_sign():
    diagonal = np.diag(whole(bias(Alibi(0.5), 3, 3)))
    assert not np.signbit(diagonal).any()


def test_an_offset_puts_the_queries_further_on():
    np.testing.assert_array_equal(
        whole(bias(Alibi(0.25, 2), 2, 4)), whole(bias(Alibi(0.25), 4, 4))[2:], strict=True
    )


def test_a_distance_of_2_to_the_40_is_exact():
    found = whole(bias(Alibi(1.0, 1 << 40), 1, 3))
    assert found.tolist() == [[-float((1 << 40) - j) for j in range(3)]]


def test_a_negative_slope_raises_what_is_far():
    assert whole(bias(Alibi(-2.0), 1, 3)).tolist() == [[0, 2, 4]]


def test_many_blocks_make_the_same_bias_as_one():
    n_q, n_k = 700, 300
    expected = [[-0.125 * abs(i - j) for j in range(n_k)] for i in range(n_q)]
    found = bias(Alibi(0.125), n_q, n_k)
    assert not isinstance(found, np.ndarray)
    np.testing.assert_array_equal(whole(found), expected)


def test_each_head_has_its_slope_and_its_bias():
    trace = alibi(n_heads=3, n=2, n_k=4, offset=1)
    names = [step.rule.name for step in trace.steps]
    assert names == ["slopes", "alibi_1", "alibi_2", "alibi_3"]
    m = find(trace.steps, "slopes").value[:, 0]
    for i, slope in enumerate(m):
        expected = [[-slope * abs(p - j) for j in range(4)] for p in (1, 2)]
        np.testing.assert_array_equal(find(trace.steps, f"alibi_{i + 1}").value, expected)


def test_as_many_keys_as_queries_unless_said():
    assert find(alibi(n_heads=1, n=3).steps, "alibi_1").value.shape == (3, 3)


def test_slopes_of_another_number_than_the_heads_are_refused():
    with pytest.raises(ShapeError, match="slopes has 3 numbers, but there are 2 heads") as refusal:
        Slopes(np.ones((1, 3))).of(2)
    assert refusal.value.field == "alibi/slopes"


def test_biases_of_all_heads_that_are_too_large_are_refused():
    with pytest.raises(TooLarge, match="512 times"):
        alibi(n_heads=512, n=1024)
