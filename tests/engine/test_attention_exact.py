"""One head against exact arithmetic: fractions, 50 digits, and figures from elsewhere."""

import mpmath
import numpy as np
import pytest
from heads_by_hand import product, softmax_row, turned
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.blocks import whole
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.softmax import softmax
from service.engine.trace import find

WHOLE = st.integers(-50, 50).map(float)


@st.composite
def whole_numbers(draw):
    n, d_model, d_k, d_v = (draw(st.integers(1, 4)) for _ in range(4))
    shapes = {
        "X": (n, d_model),
        "W_Q": (d_k, d_model),
        "W_K": (d_k, d_model),
        "W_V": (d_v, d_model),
        "W_O": (d_model, d_v),
    }
    return {name: draw(arrays(np.float64, s, elements=WHOLE)) for name, s in shapes.items()}


def step(trace, name):
    return whole(find(trace.steps, name).value)


def exact_steps(given):
    """Q, K, V and scores of whole numbers, in fractions."""
    X = given["X"].tolist()
    made = {name: product(X, turned(given[f"W_{name}"].tolist())) for name in "QKV"}
    return made | {"scores": product(made["Q"], turned(made["K"]))}


@pytest.mark.parametrize("name", ["Q", "K", "V", "scores"])
def test_whole_numbers_give_whole_numbers_to_the_last_digit(name):
    @given(whole_numbers())
    def check(given_matrices):
        found = step(attention(**given_matrices), name).tolist()
        assert found == exact_steps(given_matrices)[name]

    check()


@given(whole_numbers())
def test_a_head_is_its_weights_times_its_values_to_the_last_but_one_digit(given_matrices):
    trace = attention(**given_matrices)
    exact = product(step(trace, "weights").tolist(), step(trace, "V").tolist())
    found = step(trace, "head")
    largest = np.abs(step(trace, "V")).max()
    np.testing.assert_allclose(
        found, np.array(exact, dtype=np.float64), 4e-16, 4e-16 * largest, strict=True
    )


@given(whole_numbers())
def test_an_output_is_the_embedding_and_the_head_mapped_back(given_matrices):
    trace = attention(**given_matrices)
    mapped = product(step(trace, "head").tolist(), turned(given_matrices["W_O"].tolist()))
    exact = np.array(mapped, dtype=np.float64) + given_matrices["X"]
    np.testing.assert_allclose(step(trace, "output"), exact, 1e-14, 1e-11, strict=True)


ROWS = {
    "equal": [3.0, 3.0, 3.0],
    "one": [-7.5],
    "tenths": [0.1, 0.2, 0.3, -0.4],
    "far_below": [-1000.0, -1001.0, -1002.0],
    "far_above": [700.0, 710.0, 709.0],
    "far_apart": [1e300, -1e300, 0.0],
    "huge_but_near": [1e16, 1e16 + 2.0],
    "underflowing": [0.0, -745.0, -746.0],
    "subnormal": [5e-324, 0.0, -5e-324],
    "saturated": [8.0, 16.0, 24.0, 32.0],
    "negative_zero": [-0.0, 0.0],
    "creature": [0.0, 4 / 2**0.5, 4 / 2**0.5, 0.0],
}


@pytest.mark.parametrize("name", ROWS)
def test_softmax_agrees_with_50_digits(name):
    row = ROWS[name]
    found = softmax(np.array([row]), may_be_blind=False)[0]
    expected = [float(weight) for weight in softmax_row(row)]
    # Below the smallest normal number a float64 has fewer digits.
    np.testing.assert_allclose(found, expected, 1e-15, 5e-324, strict=False)


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=6), st.data())
def test_softmax_of_any_row_agrees_with_50_digits(row, data):
    seen = data.draw(st.lists(st.booleans(), min_size=len(row), max_size=len(row)))
    masked = np.where(seen, row, -np.inf)[None]
    found = softmax(masked, may_be_blind=True)[0]
    expected = [float(weight) for weight in softmax_row(row, seen)]
    # e^x is as uncertain as x: 700 is known to 6e-14.
    np.testing.assert_allclose(found, expected, 3e-13, 1e-300)


def test_equal_scores_share_the_weight_exactly():
    assert softmax(np.full((1, 4), 5.0), may_be_blind=False).tolist() == [[0.25] * 4]


def test_creature_weighs_noun_and_article_by_0_0279036096035849():
    # The creature asks for adjectives: scores 0, 4, 4, 0 over √2.
    Q, K = np.array([[2.0, 0.0]]), np.array([[0.0, 0], [2, 0], [2, 0], [0, 0]])
    weights = step(attention(Q=Q, K=K, V=np.eye(4)), "weights")[0]
    with mpmath.workdps(50):
        power = mpmath.exp(4 / mpmath.sqrt(2))
        article, fluffy = 1 / (2 + 2 * power), power / (2 + 2 * power)
    assert mpmath.nstr(article, 15) == "0.0279036096035849"
    np.testing.assert_allclose(
        weights, [float(w) for w in (article, fluffy, fluffy, article)], 1e-15
    )


def test_causal_hides_the_adjectives_that_come_after_the_creature():
    Q, K = np.array([[2.0, 0.0]] * 4), np.array([[0.0, 0], [0, 0], [2, 0], [2, 0]])
    trace = attention(Q=Q, K=K, V=np.eye(4), mask=Mask(causal=True))
    assert step(trace, "weights")[1].tolist() == [0.5, 0.5, 0.0, 0.0]


def test_a_causal_diagonal_from_the_upper_left_has_the_figures_of_pytorch():
    # torch 2.13.0, scaled_dot_product_attention(is_causal=True) in float64: 2 queries, 4 keys.
    trace = attention(
        Q=np.array([[0.3, 0.9], [-0.8, 1.1]]),
        K=np.array([[0.5, 0.2], [-0.1, 0.7], [1.3, -0.4], [0.6, 0.6]]),
        V=np.array([[1.0, -1.0], [0.0, 2.0], [3.0, 0.5], [-2.0, 4.0]]),
        mask=Mask(causal=True),
    )
    expected = [[1.0, -1.0], [0.32556350344203183, 1.0233094896739046]]
    np.testing.assert_allclose(step(trace, "head"), expected, 1e-15)


def test_a_causal_diagonal_from_the_lower_right_sees_every_key_of_the_cache():
    # torch 2.13.0, scaled_dot_product_attention in float64: one query after four keys.
    trace = attention(
        Q=np.array([[0.3, 0.9]]),
        K=np.array([[0.5, 0.2], [-0.1, 0.7], [1.3, -0.4], [0.6, 0.6]]),
        V=np.array([[1.0, -1.0], [0.0, 2.0], [3.0, 0.5], [-2.0, 4.0]]),
        mask=Mask(causal=True, alignment="lower_right"),
    )
    expected = [[0.18250460094013196, 1.6360899118449748]]
    np.testing.assert_allclose(step(trace, "head"), expected, 1e-15)


def test_a_row_that_sees_nothing_has_the_zeros_of_pytorch():
    # torch 2.13.0, scaled_dot_product_attention(attn_mask=…) in float64; true may be seen.
    trace = attention(
        Q=np.array([[0.5, -1.0], [1.25, 0.75], [-0.5, 2.0]]),
        K=np.array([[1.0, 0.25], [-0.75, 1.5], [0.4, -0.6]]),
        V=np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]),
        mask=Mask(keep=np.array([[True, True, False], [False] * 3, [False, True, True]])),
    )
    expected = [
        [1.1820377787706122, 11.820377787706123],
        [0, 0],
        [2.0330401054531526, 20.330401054531524],
    ]
    np.testing.assert_allclose(step(trace, "head"), expected, 1e-15)


def test_a_soft_cap_before_the_mask_leaves_hidden_weights_at_0():
    # mpmath: tanh(13/√2), tanh(−6/√2); capping after the mask would give 0.787, 0.107, 0.107.
    trace = attention(
        Q=np.array([[4.0, 1.0]]),
        K=np.array([[3.0, 1.0], [-2.0, 2.0], [5.0, -4.0]]),
        V=np.array([[1.0], [2.0], [3.0]]),
        softcap=1.0,
        mask=Mask(keep=np.array([[True, True, False]])),
    )
    with mpmath.workdps(50):
        capped = [mpmath.tanh(s / mpmath.sqrt(2)) for s in (13, -6)]
        powers = [mpmath.exp(c) for c in capped]
        expected = [float(p / sum(powers)) for p in powers]
    np.testing.assert_allclose(step(trace, "weights"), [[*expected, 0.0]], 1e-15)
