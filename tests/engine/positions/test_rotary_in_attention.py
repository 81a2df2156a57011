"""Rotary embeddings inside a head: scores see how far apart two tokens are, not where."""

import numpy as np
import pytest
from by_hand import rotated
from hypothesis import given
from hypothesis import strategies as st

from service.engine.blocks import whole
from service.engine.errors import OverflowingStep, ShapeError
from service.engine.multihead import multihead
from service.engine.one_head import attention
from service.engine.positions.rotary import Rotary
from service.engine.sources import Tokens
from service.engine.trace import find

RNG = np.random.default_rng(4)
Q, K, V = RNG.normal(size=(3, 6)), RNG.normal(size=(5, 6)), RNG.normal(size=(5, 2))
HOW = {
    "whole": {},
    "interleaved": {"pairing": "interleaved"},
    "partial": {"dims": 4, "base": 100.0},
}
offsets = st.integers(0, 500)


def step(trace, name):
    return whole(find(trace.steps, name).value)


def scores(Q, K, **how):
    return step(attention(Q=Q, K=K, V=np.ones((len(K), 1)), rotary=Rotary(**how)), "scores")


@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
def test_a_head_is_the_plain_head_of_rotated_queries_and_keys(how):
    found = attention(Q=Q, K=K, V=V, rotary=Rotary(offset=7, key_offset=2, **how))
    plain = attention(Q=rotated(Q, 7, **how), K=rotated(K, 2, **how), V=V)
    for ours, theirs in (("Q_rotated", "Q"), ("K_rotated", "K")):
        np.testing.assert_allclose(step(found, ours), step(plain, theirs), 1e-12, 1e-14)
    for name in ("scores", "scaled", "weights", "head"):
        np.testing.assert_allclose(step(found, name), step(plain, name), 1e-12, 1e-14, strict=True)


def test_steps_show_what_is_turned_before_the_scores():
    names = [one.rule.name for one in attention(Q=Q, K=K, V=V, rotary=Rotary()).steps]
    assert names[:8] == [
        "Q",
        "K",
        "frequencies",
        "query_angles",
        "key_angles",
        "Q_rotated",
        "K_rotated",
        "scores",
    ]


@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
@given(offset=offsets, key_offset=offsets, shift=offsets)
def test_shifting_queries_and_keys_alike_changes_no_score(how, offset, key_offset, shift):
    here = scores(Q, K, offset=offset, key_offset=key_offset, **how)
    there = scores(Q, K, offset=offset + shift, key_offset=key_offset + shift, **how)
    np.testing.assert_allclose(there, here, 0, 1e-12, strict=True)


@given(offset=offsets)
def test_a_score_of_one_place_with_itself_is_the_plain_one(offset):
    found = scores(Q[:1], K[:1], offset=offset, key_offset=offset)
    np.testing.assert_allclose(found, Q[:1] @ K[:1].T, 1e-13, 1e-13, strict=True)


@given(drop=st.integers(0, 2), offset=st.integers(0, 1 << 40))
def test_a_later_query_is_a_row_of_the_longer_text(drop, offset):
    longer = scores(Q, K, offset=offset)
    np.testing.assert_allclose(
        scores(Q[drop:], K, offset=offset + drop), longer[drop:], 1e-13, 1e-13, strict=True
    )


def test_values_are_not_turned():
    found = attention(Q=Q[:1], K=K[:1], V=V[:1], rotary=Rotary(offset=9))
    np.testing.assert_array_equal(step(found, "head"), V[:1], strict=True)


def test_queries_of_one_text_and_keys_of_another_have_positions_of_their_own():
    X, C, W = RNG.normal(size=(2, 4)), RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4, 4))
    found = attention(
        X=X, context=Tokens(C), W_Q=W[0], W_K=W[1], W_V=W[2], rotary=Rotary(key_offset=5)
    )
    Q, K = rotated(X @ W[0].T), rotated(C @ W[1].T, 5)
    np.testing.assert_allclose(step(found, "scores"), Q @ K.T, 1e-12, 1e-14, strict=True)
    given = {one.rule.name: one.value for one in found.inputs}
    assert given["query_positions"].tolist() == [[0], [1]]
    assert given["key_positions"].tolist() == [[5], [6], [7]]


def test_grouped_heads_turn_the_keys_that_they_share():
    X, W = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 8, 4))
    W_K, W_V = RNG.normal(size=(4, 4)), RNG.normal(size=(2, 4))
    found = multihead(X, n_heads=2, n_kv_heads=1, W_Q=W[0], W_K=W_K, W_V=W_V, rotary=Rotary())
    K = rotated(X @ W_K.T)
    for i, head in enumerate(found["heads"]):
        Q = rotated(X @ W[0][4 * i : 4 * i + 4].T)
        np.testing.assert_allclose(step(head["trace"], "K_rotated"), K, 1e-12, 1e-14)
        np.testing.assert_allclose(step(head["trace"], "scores"), Q @ K.T, 1e-12, 1e-13)


def test_a_text_of_many_blocks_has_the_scores_of_its_parts():
    Q, K = RNG.normal(size=(300, 4)), RNG.normal(size=(400, 4))
    trace = attention(Q=Q, K=K, V=np.ones((400, 1)), rotary=Rotary())
    assert not isinstance(find(trace.steps, "scores").value, np.ndarray)
    expected = rotated(Q) @ rotated(K).T
    np.testing.assert_allclose(step(trace, "scores"), expected, 1e-12, 1e-12, strict=True)


def test_large_queries_that_do_not_overflow_keep_their_weights():
    found = attention(Q=1e200 * Q, K=1e-200 * K, V=V, rotary=Rotary(offset=3))
    plain = attention(Q=Q, K=K, V=V, rotary=Rotary(offset=3))
    np.testing.assert_allclose(step(found, "weights"), step(plain, "weights"), 1e-12)


def test_an_odd_width_is_refused_by_the_name_of_the_option():
    with pytest.raises(ShapeError, match="The width is 3") as refusal:
        attention(Q=Q[:, :3], K=K[:, :3], V=V, rotary=Rotary())
    assert refusal.value.field == "rotary/dims"


@pytest.mark.parametrize("late", ["offset", "key_offset"])
def test_an_angle_of_either_side_that_overflows_is_refused(late):
    how = Rotary(base=1e-300, **{late: 1 << 40})
    wide = np.ones((1, 1 << 10))
    with pytest.raises(OverflowingStep, match="angles overflows") as refusal:
        attention(Q=wide, K=wide, V=np.ones((1, 1)), rotary=how)
    assert refusal.value.field == "rotary/base"
