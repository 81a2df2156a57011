"""Drawn numbers: the same everywhere, and normal."""

import math
from statistics import NormalDist

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.normals import Normals, dot, logarithm, quantile

MASK = 2**64 - 1


def philox(key, blocks):
    """Philox4x64-10 in plain integers, after Salmon et al. 2011, section 3.3."""
    for i in range(1, blocks + 1):  # numpy counts before the first block
        c, (k0, k1) = [i, 0, 0, 0], key
        for _ in range(10):
            p0, p1 = 0xD2E7470EE14C6C93 * c[0], 0xCA5A826395121157 * c[2]
            c = [(p1 >> 64) ^ c[1] ^ k0, p1 & MASK, (p0 >> 64) ^ c[3] ^ k1, p0 & MASK]
            k0, k1 = (k0 + 0x9E3779B97F4A7C15) & MASK, (k1 + 0xBB67AE8584CAA73B) & MASK
        yield from c


@pytest.mark.parametrize("key", [(0, 2), (1, 64), (2**53 - 1, 512)])
def test_uniforms_are_philox_in_plain_integers(key):
    expected = [((k >> 12) + 0.5) / 2**52 for k in philox(key, 5)]
    assert Normals(*key).uniforms(20).tolist() == expected


def test_the_first_numbers_are_these_to_the_last_bit():
    assert [x.hex() for x in Normals(1, 2).next(4).tolist()] == [
        "-0x1.fdbd7eea364ffp-2", "-0x1.7767b96f89261p-2",
        "-0x1.c9acf1ad76995p+0", "0x1.c5f0908109d46p+0",
    ]  # fmt: skip


def test_a_stream_is_the_same_whatever_pieces_it_is_read_in():
    whole, pieces = Normals(7, 8).next(100), Normals(7, 8)
    parts = [pieces.next(n) for n in (1, 2, 3, 5, 89)]
    assert np.array_equal(np.concatenate(parts), whole)


def test_seeds_and_widths_have_streams_of_their_own():
    drawn = [tuple(Normals(seed, d).next(3)) for seed in range(4) for d in (2, 8, 64)]
    assert len(set(drawn)) == len(drawn)


EDGES = [2.0**-53, 1e-13, 1.3e-11, 1.5e-11, 1e-6, 0.0749999, 0.0750001, 0.25, 0.5]


@pytest.mark.parametrize("u", EDGES)
def test_a_quantile_agrees_with_40_digits(u):
    with mpmath.workdps(40):
        expected = float(mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(u) - 1))
    assert quantile(np.array([u]))[0] == pytest.approx(expected, rel=4e-15, abs=1e-300)


@given(st.integers(0, 2**52 - 1))
def test_a_quantile_agrees_with_the_standard_library_and_is_odd(k):
    u = (k + 0.5) / 2**52
    found = quantile(np.array([u, 1.0 - u]))
    assert found[0] == pytest.approx(NormalDist().inv_cdf(u), rel=1e-14, abs=1e-300)
    assert found[0] == -found[1]


@given(st.floats(2.0**-53, 0.999))
def test_the_logarithm_is_within_three_units_in_the_last_place(u):
    found, expected = logarithm(np.array([u]))[0], math.log(u)
    assert abs(found - expected) <= 3 * math.ulp(expected)


def test_a_hundred_thousand_numbers_have_the_moments_of_the_normal_distribution():
    x = Normals(3, 1).next(100_000)
    # Five standard errors: 1/√n, √(2/n), √(15/n), √(96/n).
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((x**power).mean() - moment) < 5 * math.sqrt(variance / len(x)), power


@given(st.integers(1, 40), st.integers(0, 100))
def test_a_dot_product_in_halves_is_the_sum_of_products(width, seed):
    a, b = Normals(seed, 1).next(width), Normals(seed, 2).next(width)
    terms = [x * y for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    size = math.fsum(map(abs, terms))
    assert abs(dot(a[None], b[None])[0] - math.fsum(terms)) <= 1e-14 * size


def test_the_order_of_a_dot_product_in_halves_is_fixed():
    a = np.array([[1e16, 1.0, -1e16, 1.0, 1.0]])
    # (1e16 + 1) and (1 + 1) and −1e16: the 1 beside 1e16 is lost.
    assert dot(a, np.ones((1, 5))).tolist() == [2.0]
