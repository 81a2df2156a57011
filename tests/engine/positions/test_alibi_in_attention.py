"""ALiBi inside heads is a bias matrix of −m |i − j|."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.blocks import whole
from service.engine.errors import OverflowingStep
from service.engine.heads import Head
from service.engine.mask import Mask
from service.engine.multihead import multihead
from service.engine.one_head import attention
from service.engine.positions.alibi import Alibi, Slopes
from service.engine.sources import Tokens, Weights
from service.engine.trace import find

RNG = np.random.default_rng(5)
X, C = RNG.normal(size=(4, 4)), RNG.normal(size=(3, 4))
W_Q, W_K, W_V, W_O = RNG.normal(size=(4, 6, 4))
PACKED = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": RNG.normal(size=(4, 6)), "n_heads": 3}
THREE = [1 / 16, 1 / 256, 1 / 4]  # the published slopes of three heads


def step(trace, name):
    return whole(find(trace.steps, name).value)


def table(slope, n_q, n_k, offset=0):
    return np.array([[-slope * abs(i + offset - j) for j in range(n_k)] for i in range(n_q)])


def heads(slopes, n_q, n_k, offset=0):
    """The packed matrices as heads of their own, each with its bias as a mask."""
    return [
        Head(
            f"head {i + 1}",
            Weights(*(PACKED[name][2 * i : 2 * i + 2] for name in ("W_Q", "W_K", "W_V")))._replace(
                W_O=PACKED["W_O"][:, 2 * i : 2 * i + 2]
            ),
            Mask(bias=table(slope, n_q, n_k, offset)),
        )
        for i, slope in enumerate(slopes)
    ]


def assert_same_heads(found, expected):
    for ours, theirs in zip(found["heads"], expected["heads"], strict=True):
        for name in ("masked", "weights", "head", "update"):
            np.testing.assert_allclose(
                step(ours["trace"], name), step(theirs["trace"], name), 1e-14, 1e-15, strict=True
            )
    np.testing.assert_allclose(
        step(found["combined"], "output"), step(expected["combined"], "output"), 1e-13, 1e-14
    )


def test_heads_with_published_slopes_have_those_biases():
    assert_same_heads(
        multihead(X, alibi=Slopes(), **PACKED), multihead(X, heads=heads(THREE, 4, 4))
    )


def test_heads_with_slopes_of_their_own_have_those_biases():
    own = [0.3, -2.0, 0.0]
    found = multihead(X, alibi=Slopes(np.array([own])), **PACKED)
    assert_same_heads(found, multihead(X, heads=heads(own, 4, 4)))


def test_cross_attention_measures_the_distance_of_positions():
    found = multihead(X, context=Tokens(C), alibi=Slopes(offset=2), **PACKED)
    own = heads(THREE, 4, 3, offset=2)
    assert_same_heads(found, multihead(X, context=Tokens(C), heads=own))


def test_grouped_heads_have_a_slope_each():
    grouped = PACKED | {"W_K": W_K[:2], "W_V": W_V[:2], "n_kv_heads": 1}
    found = multihead(X, alibi=Slopes(), **grouped)
    for head, slope in zip(found["heads"], THREE, strict=True):
        np.testing.assert_array_equal(step(head["trace"], "alibi"), table(slope, 4, 4))


@given(
    slope=st.floats(-3, 3),
    offset=st.integers(0, 9),
    softcap=st.sampled_from([None, 1.5]),
    causal=st.booleans(),
)
def test_a_head_is_the_head_with_that_bias_after_the_soft_cap(slope, offset, softcap, causal):
    Q, K, V = X, C, C[:, :2]
    options = {"Q": Q, "K": K, "V": V, "softcap": softcap}
    found = attention(alibi=Alibi(slope, offset), mask=Mask(causal=causal), **options)
    with_bias = Mask(causal=causal, bias=table(slope, 4, 3, offset))
    expected = attention(mask=with_bias, **options)
    for name in ("masked", "weights", "head"):
        np.testing.assert_allclose(step(found, name), step(expected, name), 1e-14, 1e-15)


def test_a_slope_of_0_changes_no_bit():
    plain = attention(Q=X, K=C, V=C)
    found = attention(Q=X, K=C, V=C, alibi=Alibi(0.0))
    np.testing.assert_array_equal(step(found, "weights"), step(plain, "weights"), strict=True)


def test_a_steep_slope_leaves_each_token_to_itself():
    found = attention(Q=X, K=X, V=X, alibi=Alibi(1e6))
    np.testing.assert_array_equal(step(found, "weights"), np.eye(4), strict=True)


def test_a_text_of_many_blocks_has_one_bias():
    Q, K = RNG.normal(size=(300, 2)), RNG.normal(size=(400, 2))
    options = {"Q": Q, "K": K, "V": np.ones((400, 1))}
    found = attention(alibi=Alibi(0.125), **options)
    assert not isinstance(find(found.steps, "biased").value, np.ndarray)
    expected = attention(mask=Mask(bias=table(0.125, 300, 400)), **options)
    np.testing.assert_array_equal(step(found, "weights"), step(expected, "weights"), strict=True)


@pytest.mark.parametrize("slope", [1e308, -1e308])
def test_a_slope_whose_bias_overflows_is_refused(slope):
    with pytest.raises(OverflowingStep, match="alibi overflows: its cell in row 0, column 2"):
        attention(Q=X, K=C, V=C, alibi=Alibi(slope))


def test_the_largest_slope_of_a_token_alone_is_no_overflow():
    found = attention(Q=X[:1], K=C[:1], V=C[:1], alibi=Alibi(1.7e308))
    assert step(found, "weights").tolist() == [[1]]


def test_a_far_offset_that_overflows_is_refused():
    with pytest.raises(OverflowingStep, match="alibi overflows"):
        attention(Q=X, K=C, V=C, alibi=Alibi(1e300, 1 << 40))
