"""What holds for several heads whatever the numbers."""

from fractions import Fraction

import numpy as np
import pytest
from heads_by_hand import product, turned
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.blocks import whole
from service.engine.errors import OverflowingStep
from service.engine.heads import Head
from service.engine.mask import Mask
from service.engine.multihead import multihead
from service.engine.one_head import attention
from service.engine.sources import Tokens, Weights
from service.engine.trace import find

NUMBERS = st.floats(-3, 3, allow_subnormal=False)


def matrices(*shape):
    return arrays(np.float64, shape, elements=NUMBERS)


@st.composite
def packed(draw, n_kv_heads=None):
    """X and packed matrices for 1 to 4 heads; widths of keys and values differ."""
    n_heads = draw(st.integers(1, 4))
    n_kv = draw(st.sampled_from([n for n in range(1, n_heads + 1) if n_heads % n == 0]))
    n_kv = n_kv if n_kv_heads == "any" else n_heads
    n, d_model, d_k, d_v = (draw(st.integers(1, 4)) for _ in range(4))
    return {
        "X": draw(matrices(n, d_model)),
        "n_heads": n_heads,
        "n_kv_heads": n_kv,
        "W_Q": draw(matrices(n_heads * d_k, d_model)),
        "W_K": draw(matrices(n_kv * d_k, d_model)),
        "W_V": draw(matrices(n_kv * d_v, d_model)),
        "W_O": draw(matrices(d_model, n_heads * d_v)),
    }


def step(trace, name):
    return whole(find(trace.steps, name).value)


def values(trace):
    return {s.rule.name: whole(s.value).tolist() for s in trace.steps}


def apart(body):
    """Each head's own matrices, cut by hand from the packed ones."""
    n, group = body["n_heads"], body["n_heads"] // body["n_kv_heads"]
    d_k, d_v = len(body["W_Q"]) // n, body["W_O"].shape[1] // n
    return [
        {
            "W_Q": body["W_Q"][i * d_k : (i + 1) * d_k],
            "W_K": body["W_K"][i // group * d_k : (i // group + 1) * d_k],
            "W_V": body["W_V"][i // group * d_v : (i // group + 1) * d_v],
            "W_O": np.ascontiguousarray(body["W_O"][:, i * d_v : (i + 1) * d_v]),
        }
        for i in range(n)
    ]


@given(packed("any"), st.booleans())
def test_each_head_has_the_numbers_of_that_head_alone(body, causal):
    mask = Mask(causal=causal)
    found = multihead(**body, mask=mask)["heads"]
    for head, own in zip(found, apart(body), strict=True):
        alone = values(attention(X=body["X"], **own, mask=mask))
        for name, value in values(head["trace"]).items():
            np.testing.assert_allclose(value, alone[name], 1e-13, 1e-13, err_msg=name)


@given(packed("any"))
def test_heads_sent_apart_are_the_packed_heads(body):
    heads = [Head(f"head {i + 1}", Weights(**own)) for i, own in enumerate(apart(body))]
    one, other = multihead(**body), multihead(X=body["X"], heads=heads)
    assert [values(head["trace"]) for head in one["heads"]] == [
        values(head["trace"]) for head in other["heads"]
    ]
    assert values(one["combined"]) == values(other["combined"])


@given(packed("any"))
def test_the_update_is_the_sum_of_what_the_heads_propose(body):
    reply = multihead(**body)
    updates = [step(head["trace"], "update").tolist() for head in reply["heads"]]
    total = step(reply["combined"], "update")
    for i, row in enumerate(total.tolist()):
        for j, cell in enumerate(row):
            exact = sum(Fraction(update[i][j]) for update in updates)
            assert abs(Fraction(cell) - exact) <= 1e-14 * (1 + sum(abs(u[i][j]) for u in updates))


@given(packed("any"))
def test_the_update_is_the_concatenated_heads_mapped_back(body):
    combined = multihead(**body)["combined"]
    mapped = product(step(combined, "concat").tolist(), turned(body["W_O"].tolist()))
    expected = np.array(mapped, dtype=np.float64)
    np.testing.assert_allclose(step(combined, "update"), expected, 1e-12, 1e-12, strict=True)


@given(packed("any"))
def test_the_concatenation_holds_the_heads_in_order(body):
    reply = multihead(**body)
    heads = [step(head["trace"], "head") for head in reply["heads"]]
    assert step(reply["combined"], "concat").tolist() == np.hstack(heads).tolist()


@given(packed("any"))
def test_the_output_adds_the_update_to_x_once(body):
    combined = multihead(**body)["combined"]
    expected = body["X"] + step(combined, "update")
    assert step(combined, "output").tolist() == expected.tolist()


@given(packed())
def test_one_head_among_several_is_one_head(body):
    W = apart(body)[0]
    reply = multihead(X=body["X"], heads=[Head("only", Weights(**W))])
    alone = values(attention(X=body["X"], **W))
    assert values(reply["heads"][0]["trace"]) == {n: v for n, v in alone.items() if n != "output"}
    assert values(reply["combined"])["output"] == alone["output"]


def test_grouped_heads_repeat_keys_and_values_side_by_side():
    # Four queries heads over two: 0 and 1 use the first, 2 and 3 the second.
    X = np.array([[1.0]])
    body = {"W_Q": np.ones((4, 1)), "W_K": np.array([[1.0], [2]]), "W_V": np.array([[10.0], [20]])}
    heads = multihead(X, n_heads=4, n_kv_heads=2, **body)["heads"]
    assert [step(head["trace"], "K")[0, 0] for head in heads] == [1, 1, 2, 2]
    assert [step(head["trace"], "V")[0, 0] for head in heads] == [10, 10, 20, 20]


def test_packed_heads_are_contiguous_blocks_and_not_every_second_row():
    X, W = np.array([[1.0]]), np.array([[1.0], [2], [3], [4]])
    heads = multihead(X, n_heads=2, W_Q=W, W_K=W, W_V=W)["heads"]
    assert [step(head["trace"], "Q").tolist() for head in heads] == [[[1, 2]], [[3, 4]]]


@pytest.mark.parametrize("scale", [None, 0.25])
def test_each_head_is_scaled_by_its_own_width(scale):
    X = np.array([[1.0, 1.0]])
    own = [np.ones((1, 2)), np.ones((4, 2))]
    heads = [Head(str(i), Weights(W, W, W)) for i, W in enumerate(own)]
    found = multihead(X, heads=heads, scale=scale)["heads"]
    # Scores are 4 for one number, 16 for four.
    expected = [4.0, 8.0] if scale is None else [1.0, 4.0]
    assert [step(head["trace"], "scaled")[0, 0] for head in found] == expected


def test_a_mask_of_a_heads_own_takes_the_place_of_the_shared_one():
    X, W = np.eye(2), Weights(np.eye(2), np.eye(2), np.eye(2))
    heads = [Head("a", W), Head("b", W, Mask(keep_keys=np.array([[False, True]])))]
    found = multihead(X, heads=heads, mask=Mask(causal=True))["heads"]
    hidden = [find(head["trace"].steps, "masked").hidden.tolist() for head in found]
    assert hidden == [[[0, 1], [0, 0]], [[1, 0], [1, 0]]]


def test_heads_look_at_a_context_of_another_width_and_length():
    X, C = np.ones((2, 3)), np.arange(20.0).reshape(5, 4)
    W = Weights(np.ones((2, 3)), np.ones((2, 4)), np.eye(4))
    found = multihead(X, context=Tokens(X=C), heads=[Head("h", W)])["heads"][0]["trace"]
    assert step(found, "weights").shape == (2, 5)
    # The last row of the context has by far the largest scores.
    np.testing.assert_allclose(step(found, "head"), [C[4], C[4]], 1e-12)


@pytest.mark.parametrize("n_heads", [2, 3])
def test_updates_that_overflow_only_together_are_refused(n_heads):
    one, W_O = np.ones((1, 1)), np.full((1, 1), 1e308)
    heads = [Head("h", Weights(one, one, one, W_O))] * n_heads
    with pytest.raises(OverflowingStep, match=r"^update overflows: its cell in row 0"):
        multihead(one, heads=heads)


def test_without_W_O_the_heads_stand_beside_each_other():
    heads = [Head("h", Weights(np.eye(2), np.eye(2), V)) for V in (np.eye(2), 3 * np.eye(2))]
    found = multihead(np.array([[0.0, 0.0], [2.0, 4.0]]), heads=heads)
    own = [step(head["trace"], "head") for head in found["heads"]]
    np.testing.assert_array_equal(step(found["combined"], "concat"), np.hstack(own), strict=True)
    assert [one.rule.name for one in found["combined"].steps] == ["concat"]
