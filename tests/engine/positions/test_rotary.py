"""Rotary embeddings against complex numbers, and their laws."""

import math

import mpmath
import numpy as np
import pytest
from by_hand import pairs, rotated
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.blocks import whole
from service.engine.errors import OverflowingStep, ShapeError
from service.engine.positions.encode import rotary
from service.engine.positions.rotary import Rotary, rotate
from service.engine.trace import find

PAIRINGS = ("half_split", "interleaved")
numbers = st.floats(-100, 100, width=32)
HOW = {
    "whole": {},
    "interleaved": {"pairing": "interleaved"},
    "other_base": {"base": 500_000.0},
    "tiny_base": {"base": 1e-3},
    "later": {"offset": 97},
    "first_two": {"dims": 2},
    "first_four_interleaved": {"dims": 4, "pairing": "interleaved", "offset": 11},
}


def turned(x, **how):
    return whole(find(rotary(np.asarray(x, dtype=float), Rotary(**how)).steps, "rotated").value)


def matrices(width=None):
    widths = st.sampled_from([2, 4, 6, 8]) if width is None else width
    shapes = st.tuples(st.integers(1, 5), widths)
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=numbers))


def test_position_0_turns_nothing():
    x = [[1.0, 2.0, 3.0, 4.0]]
    np.testing.assert_array_equal(turned(x), x)


def test_one_pair_turns_by_as_many_radians_as_its_position():
    found = turned([[1.0, 0.0]] * 4)
    expected = [[math.cos(p), math.sin(p)] for p in range(4)]
    np.testing.assert_allclose(found, expected, 1e-15, 1e-16, strict=True)


def test_half_split_turns_a_dimension_with_the_one_half_a_width_away():
    # Base 1: every pair turns by the position itself, here 1.
    cos, sin = float(mpmath.cos(1)), float(mpmath.sin(1))
    found = turned([[1.0, 0.0, 0.0, 0.0]], base=1.0, offset=1)
    np.testing.assert_allclose(found, [[cos, 0, sin, 0]], 1e-15, strict=True)


def test_interleaved_turns_neighbours_together():
    cos, sin = float(mpmath.cos(1)), float(mpmath.sin(1))
    found = turned([[1.0, 0.0, 0.0, 0.0]], base=1.0, offset=1, pairing="interleaved")
    np.testing.assert_allclose(found, [[cos, sin, 0, 0]], 1e-15, strict=True)


@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
def test_a_pair_is_a_complex_number_times_a_turn(how):
    x = np.random.default_rng(1).normal(size=(6, 8))
    np.testing.assert_allclose(turned(x, **how), rotated(x, **how), 1e-12, 1e-13, strict=True)


@pytest.mark.parametrize("pairing", PAIRINGS)
@given(x=matrices(), offset=st.integers(0, 1 << 40))
def test_rotation_keeps_the_length_of_every_pair(pairing, x, offset):
    found = turned(x, pairing=pairing, offset=offset)
    for first, second in pairs(x.shape[1], pairing):
        before = np.hypot(x[:, first], x[:, second])
        after = np.hypot(found[:, first], found[:, second])
        np.testing.assert_allclose(after, before, 1e-14, 1e-300, strict=True)


@pytest.mark.parametrize("pairing", PAIRINGS)
@given(x=matrices(), offset=st.integers(0, 1 << 40), drop=st.integers(0, 4))
def test_an_offset_drops_the_first_rows(pairing, x, offset, drop):
    longer = np.concatenate([np.ones((drop, x.shape[1])), x])
    np.testing.assert_array_equal(
        turned(x, pairing=pairing, offset=offset + drop),
        turned(longer, pairing=pairing, offset=offset)[drop:],
        strict=True,
    )


@pytest.mark.parametrize("pairing", PAIRINGS)
@given(x=matrices(width=st.integers(3, 9)), offset=st.integers(0, 1000))
def test_dimensions_beyond_dims_keep_every_bit(pairing, x, offset):
    found = turned(x, dims=2, pairing=pairing, offset=offset)
    assert found[:, 2:].tobytes() == x[:, 2:].tobytes()
    np.testing.assert_array_equal(found[:, :2], turned(x[:, :2], offset=offset), strict=True)


@given(x=matrices(), offset=st.integers(0, 1 << 40))
def test_interleaved_is_half_split_of_permuted_dimensions(x, offset):
    d = x.shape[1]
    apart = [*range(0, d, 2), *range(1, d, 2)]  # first halves of the pairs, then second ones
    np.testing.assert_array_equal(
        turned(x, pairing="interleaved", offset=offset)[:, apart],
        turned(x[:, apart], offset=offset),
        strict=True,
    )


@given(x=matrices(width=st.just(6)), factor=st.sampled_from([0.5, -1.0, 4.0]))
def test_rotation_is_linear(x, factor):
    # Powers of two scale without rounding (nothing here is subnormal but for the tiniest cells).
    np.testing.assert_allclose(turned(factor * x), factor * turned(x), 1e-15, 1e-300, strict=True)


def test_turning_back_gives_the_vectors_again():
    x = np.random.default_rng(2).normal(size=(4, 6))
    alpha = np.random.default_rng(3).uniform(0, 9, (4, 3))
    there = rotate(x, np.cos(alpha), np.sin(alpha), "half_split")
    back = rotate(there, np.cos(alpha), -np.sin(alpha), "half_split")
    np.testing.assert_allclose(back, x, 1e-14, strict=True)


def test_rotation_leaves_the_given_vectors_alone():
    x = np.ones((3, 4))
    turned(x, offset=5)
    np.testing.assert_array_equal(x, np.ones((3, 4)), strict=True)


@pytest.mark.parametrize(
    ("d", "dims", "sentence"),
    [
        (3, None, "The width is 3; rotary needs an even one, or dims."),
        (3, 4, "dims is 4; it must be even and at most 3, the width."),
        (8, 3, "dims is 3; it must be even and at most 8, the width."),
    ],
    ids=["odd_width", "wider_than_x", "odd_dims"],
)
def test_a_width_that_has_no_pairs_is_refused(d, dims, sentence):
    with pytest.raises(ShapeError) as refusal:
        rotary(np.ones((2, d)), Rotary(dims=dims))
    assert (refusal.value.field, refusal.value.message) == ("dims", sentence)


def test_an_angle_that_overflows_is_refused():
    with pytest.raises(OverflowingStep, match="angles overflows") as refusal:
        rotary(np.ones((2, 64)), Rotary(base=5e-324))
    assert refusal.value.field == "base"


def test_a_rotated_cell_that_overflows_is_refused():
    with pytest.raises(OverflowingStep, match="rotated overflows: its cell in row 0, column 1"):
        rotary(np.full((1, 2), 1.7e308), Rotary(offset=1))


def test_large_vectors_that_do_not_overflow_are_turned():
    found = turned([[1e308, 0.0]], offset=1)
    expected = [[float(mpmath.cos(1)) * 1e308, float(mpmath.sin(1)) * 1e308]]
    np.testing.assert_allclose(found, expected, 1e-15, strict=True)
