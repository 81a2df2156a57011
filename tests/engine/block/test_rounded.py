"""Numbers to three decimals: those of the quantile, however quickly they are found."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from service.engine.block.rounded import OFF, quick_quantile, rounded
from service.engine.normals import Normals, quantile


def below(x):
    """The share of normal numbers below x, with all its digits also where it is small."""
    return math.erfc(-x / math.sqrt(2)) / 2


SHARES = {
    "centre": np.linspace(0.075, 0.925, 100_000),
    "lower tail": np.geomspace(2e-11, 0.08, 100_000),
    "upper tail": 1.0 - np.geomspace(2e-11, 0.08, 100_000),
}


@pytest.mark.parametrize("where", SHARES)
def test_a_quick_number_is_off_by_half_of_what_is_allowed_or_less(where):
    u = SHARES[where]
    exact = quantile(u)
    some = np.abs(exact) > 1e-9
    assert np.abs(quick_quantile(u)[some] / exact[some] - 1.0).max() < OFF / 2


@pytest.mark.parametrize("deviation", [1.0, 0.5, 1 / math.sqrt(3), 1 / 256])
def test_a_hundred_thousand_numbers_are_their_quantiles_rounded(deviation):
    u = Normals(5, 1).uniforms(100_000)
    expected = np.rint(quantile(u) * (deviation * 1000.0)) / 1000.0
    np.testing.assert_array_equal(rounded(u, [len(u)], [deviation]), expected, strict=True)


@pytest.mark.parametrize("first", [-8200, -6800, -1000, 0], ids=str)
def test_numbers_beside_a_half_are_rounded_to_their_own_side(first):
    halves = (np.arange(first, first + 1000) + 0.5) / 1000
    u = [below(half + off) for off in (-1e-9, 1e-9) for half in halves]
    found = rounded(np.array(u), [2000], [1.0]).reshape(2, 1000)
    assert found[0].tolist() == [k / 1000 for k in range(first, first + 1000)]
    assert found[1].tolist() == [k / 1000 for k in range(first + 1, first + 1001)]


@pytest.mark.parametrize("u", [2.0**-53, 1 - 2.0**-50])
def test_the_farthest_numbers_are_rounded_like_all_others(u):
    assert rounded(np.array([u]), [1], [1.0]).tolist() == [round(NormalDist().inv_cdf(u), 3)]


def test_each_number_has_the_deviation_of_its_own_matrix():
    u = Normals(2, 1).uniforms(60)
    parts = [rounded(part, [len(part)], [d]) for part, d in ((u[:20], 0.1), (u[20:], 1.0))]
    assert rounded(u, [20, 40], [0.1, 1.0]).tolist() == np.concatenate(parts).tolist()


def test_what_is_unsure_is_rounded_with_the_deviation_of_its_own_matrix():
    u = below(0.0125 + 1e-10)  # 12.5 thousandths, and a quarter of it 3.125
    assert rounded(np.array([u, u]), [1, 1], [0.25, 1.0]).tolist() == [0.003, 0.013]


def test_no_number_is_minus_0():
    found = rounded(np.array([0.4999, 0.49999, 0.5001]), [3], [1.0])
    assert not np.signbit(found[found == 0.0]).any()
    assert found.tolist() == [0.0, 0.0, 0.0]
