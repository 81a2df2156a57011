"""What holds for one head whatever the numbers."""

import numpy as np
import pytest
from heads_by_hand import head_by_loops
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.blocks import rows_a_block, whole
from service.engine.mask import Mask
from service.engine.one_head import Tokens, attention
from service.engine.trace import find

SIZES = st.integers(1, 5)
NUMBERS = st.floats(-8, 8, allow_subnormal=False)


def matrices(n, m, elements=NUMBERS):
    return arrays(np.float64, (n, m), elements=elements)


def tables(n, m):
    return arrays(np.bool_, (n, m))


@st.composite
def qkv(draw, sizes=SIZES):
    """Q, K, V that fit together."""
    n_q, n_k, d_k, d_v = (draw(sizes) for _ in range(4))
    return {
        "Q": draw(matrices(n_q, d_k)),
        "K": draw(matrices(n_k, d_k)),
        "V": draw(matrices(n_k, d_v)),
    }


@st.composite
def masked_qkv(draw):
    """Q, K, V and a mask with any of its parts."""
    head = draw(qkv())
    n_q, n_k = len(head["Q"]), len(head["K"])
    bias = st.one_of(NUMBERS, st.just(-np.inf))
    mask = Mask(
        causal=draw(st.booleans()),
        alignment=draw(st.sampled_from(["upper_left", "lower_right"])),
        window=draw(st.none() | st.integers(1, 4)),
        keep=draw(st.none() | tables(n_q, n_k) | tables(1, n_k) | tables(n_q, 1)),
        block=draw(st.none() | tables(n_q, n_k)),
        keep_keys=draw(st.none() | tables(1, n_k)),
        bias=draw(st.none() | matrices(n_q, n_k, bias)),
    )
    return head | {"mask": mask}


@st.composite
def embedded(draw):
    """X with W_Q, W_K, W_V and W_O."""
    n, d_model, d_k, d_v = (draw(SIZES) for _ in range(4))
    shapes = {"W_Q": (d_k, d_model), "W_K": (d_k, d_model), "W_V": (d_v, d_model)}
    shapes["W_O"] = (d_model, d_v)
    small = st.floats(-2, 2, allow_subnormal=False)
    weights = {name: draw(matrices(*shape, small)) for name, shape in shapes.items()}
    return {"X": draw(matrices(n, d_model))} | weights


def step(trace, name):
    return whole(find(trace.steps, name).value)


def values(trace):
    return {s.rule.name: whole(s.value) for s in trace.steps}


def assert_same_bits(ours, theirs):
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        assert value.tobytes() == theirs[name].tobytes(), name


@given(masked_qkv())
def test_weights_are_never_negative(head):
    assert (step(attention(**head), "weights") >= 0).all()


@given(masked_qkv())
def test_weights_of_a_row_sum_to_1_or_to_0_if_it_sees_nothing(head):
    trace = attention(**head)
    blind = find(trace.steps, "masked").hidden.all(axis=1)
    total = step(trace, "weights").sum(axis=1)
    np.testing.assert_allclose(total, np.where(blind, 0.0, 1.0), 1e-14, strict=True)


@given(masked_qkv())
def test_a_hidden_key_gets_a_weight_of_exactly_0(head):
    trace = attention(**head)
    hidden = find(trace.steps, "masked").hidden == 1
    assert (step(trace, "weights")[hidden] == 0).all()


@given(masked_qkv())
def test_a_query_that_sees_nothing_gets_zeros_and_a_warning(head):
    trace = attention(**head)
    blind = find(trace.steps, "masked").hidden.all(axis=1)
    assert (step(trace, "head")[blind] == 0).all()
    assert [warning.code for warning in trace.warnings] == ["nothing_to_see"] * bool(blind.any())


@given(masked_qkv())
def test_hidden_is_where_any_part_of_the_mask_hides(head):
    mask, (n_q, n_k) = head["mask"], (len(head["Q"]), len(head["K"]))
    offset = n_k - n_q if mask.alignment == "lower_right" else 0
    hidden = find(attention(**head).steps, "masked").hidden

    def at(part, i, j):
        return part[i if len(part) > 1 else 0, j if part.shape[1] > 1 else 0]

    for i in range(n_q):
        for j in range(n_k):
            hides = [mask.causal and j > i + offset]
            hides += [mask.window is not None and abs(i + offset - j) > mask.window - 1]
            hides += [not at(p, i, j) for p in (mask.keep, mask.keep_keys) if p is not None]
            hides += [bool(at(mask.block, i, j))] if mask.block is not None else []
            hides += [at(mask.bias, i, j) == -np.inf] if mask.bias is not None else []
            assert hidden[i, j] == any(hides), (i, j)


@given(qkv(), st.integers(-100, 100))
def test_a_constant_added_to_a_row_of_scores_changes_no_weight(head, constant):
    plain = step(attention(**head), "weights")
    bias = np.full((len(head["Q"]), 1), float(constant))
    shifted = step(attention(**head, mask=Mask(bias=bias)), "weights")
    np.testing.assert_allclose(shifted, plain, 1e-11, 1e-300, strict=True)


@given(qkv(), st.randoms(use_true_random=False))
def test_keys_permuted_together_with_their_values_change_nothing(head, random):
    order = list(range(len(head["K"])))
    random.shuffle(order)
    plain = attention(**head)
    other = attention(Q=head["Q"], K=head["K"][order], V=head["V"][order])
    weights = step(plain, "weights")[:, order]
    np.testing.assert_allclose(step(other, "weights"), weights, 1e-13, 1e-300, strict=True)
    np.testing.assert_allclose(step(other, "head"), step(plain, "head"), 1e-13, 1e-13, strict=True)


@given(embedded(), st.data())
def test_a_causal_output_ignores_later_tokens(head, data):
    X = head["X"]
    i = data.draw(st.integers(0, len(X) - 1))
    other = X.copy()
    other[i + 1 :] = data.draw(matrices(len(X) - i - 1, X.shape[1])) if i + 1 < len(X) else 0
    causal = Mask(causal=True)
    plain = step(attention(**head, mask=causal), "output")
    changed = step(attention(**head | {"X": other}, mask=causal), "output")
    assert plain[: i + 1].tobytes() == changed[: i + 1].tobytes()


@given(qkv(), st.data())
def test_what_a_hidden_key_and_its_value_hold_changes_no_bit(head, data):
    n_k = len(head["K"])
    j = data.draw(st.integers(0, n_k - 1))
    mask = Mask(keep_keys=np.arange(n_k)[None] != j)
    other = {name: part.copy() for name, part in head.items()}
    other["K"][j] = data.draw(st.floats(-1e100, 1e100))
    other["V"][j] = data.draw(st.floats(-1e100, 1e100))
    plain, changed = attention(**head, mask=mask), attention(**other, mask=mask)
    for name in ("masked", "weights", "head"):
        # A row that sees nothing may be −0, whose sign no reply tells.
        before, after = step(plain, name) + 0.0, step(changed, name) + 0.0
        assert before.tobytes() == after.tobytes(), name


@given(embedded())
def test_the_layout_in_out_of_transposed_matrices_changes_nothing(head):
    turned = {name: np.ascontiguousarray(head[name].T) for name in head if name != "X"}
    plain = values(attention(**head))
    other = values(attention(X=head["X"], **turned, weights_layout="in_out"))
    for name, value in plain.items():
        np.testing.assert_allclose(other[name], value, 1e-12, 1e-12, err_msg=name, strict=True)


@given(qkv(), st.data())
def test_block_is_not_keep(head, data):
    keep = data.draw(tables(len(head["Q"]), len(head["K"])))
    kept = attention(**head, mask=Mask(keep=keep))
    blocked = attention(**head, mask=Mask(block=~keep))
    assert_same_bits(values(kept), values(blocked))


@given(qkv(), st.data())
def test_keep_of_one_row_is_the_same_row_for_each_query(head, data):
    keep = data.draw(tables(1, len(head["K"])))
    every = np.repeat(keep, len(head["Q"]), axis=0)
    one = attention(**head, mask=Mask(keep=keep))
    assert_same_bits(values(one), values(attention(**head, mask=Mask(keep=every))))


@given(qkv())
def test_a_scale_of_0_makes_the_head_the_mean_of_the_values(head):
    found = step(attention(**head, scale=0.0), "head")
    mean = np.tile(head["V"].mean(axis=0), (len(head["Q"]), 1))
    np.testing.assert_allclose(found, mean, 1e-13, 1e-14, strict=True)


@given(qkv())
def test_a_head_lies_between_the_smallest_and_the_largest_value(head):
    found, V = step(attention(**head), "head"), head["V"]
    assert (found <= V.max(axis=0) + 1e-12).all()
    assert (found >= V.min(axis=0) - 1e-12).all()


@given(qkv(), st.floats(0.1, 50))
def test_capped_scores_stay_within_the_cap_and_in_order(head, softcap):
    trace = attention(**head, softcap=softcap)
    scaled, capped = step(trace, "scaled").ravel(), step(trace, "capped").ravel()
    assert (np.abs(capped) <= softcap * (1 + 1e-15)).all()
    assert (np.diff(capped[np.argsort(scaled)]) >= 0).all()


@given(embedded())
def test_a_context_that_is_x_itself_is_self_attention(head):
    own, cross = values(attention(**head)), values(attention(**head, context=Tokens(X=head["X"])))
    assert_same_bits(own, cross)


N_K = 900
N_Q = 2 * rows_a_block(N_K) + 16
MASKS = {
    "none": (None, lambda i, j: True),
    "causal": (Mask(causal=True), lambda i, j: j <= i),
    "lower_right": (
        Mask(causal=True, alignment="lower_right"),
        lambda i, j: j <= i + N_K - N_Q,
    ),
    "window": (Mask(window=7), lambda i, j: abs(i - j) < 7),
    "every_third_key": (Mask(keep_keys=np.arange(N_K)[None] % 3 == 0), lambda i, j: j % 3 == 0),
    "a_table": (
        Mask(keep=(np.arange(N_Q)[:, None] * 3 + np.arange(N_K)) % 5 < 3),
        lambda i, j: (i * 3 + j) % 5 < 3,
    ),
}


@pytest.fixture(scope="module")
def long():
    """Enough queries and keys for three blocks."""
    rng = np.random.default_rng(7)
    sizes = {"Q": (N_Q, 3), "K": (N_K, 3), "V": (N_K, 2)}
    return {name: rng.normal(size=shape) for name, shape in sizes.items()}


@pytest.mark.parametrize("name", MASKS)
def test_a_head_computed_in_blocks_is_what_plain_loops_give(name, long):
    mask, sees = MASKS[name]
    trace = attention(**long, mask=mask)
    assert len(list(find(trace.steps, "weights").value)) == 3
    slow = head_by_loops(*(long[letter].tolist() for letter in "QKV"), sees, 3**-0.5)
    for step_name, expected in slow.items():
        np.testing.assert_allclose(
            step(trace, step_name), expected, 1e-12, 1e-14, err_msg=step_name, strict=True
        )
    seen = np.array([[sees(i, j) for j in range(N_K)] for i in range(N_Q)])
    np.testing.assert_array_equal(
        step(trace, "masked"), np.where(seen, step(trace, "scaled"), -np.inf)
    )


@pytest.mark.parametrize("name", ["scores", "weights", "head"])
def test_blocks_read_in_any_order_hold_the_same_bits(name, long):
    forwards, backwards = (find(attention(**long).steps, name).value for _ in range(2))
    in_order = [block.tobytes() for block in forwards]
    last_first = [backwards.block(i).tobytes() for i in reversed(range(3))]
    assert in_order == last_first[::-1]


@pytest.fixture(scope="module")
def longer():
    """Enough queries and keys for ten blocks."""
    n = 774
    rng = np.random.default_rng(8)
    return {name: rng.normal(size=(n, width)) for name, width in (("Q", 3), ("K", 3), ("V", 2))}


def test_a_long_head_read_alone_or_after_its_weights_has_the_same_bits(longer):
    alone = step(attention(**longer, mask=Mask(causal=True)), "head")
    trace = attention(**longer, mask=Mask(causal=True))
    for name in ("scores", "masked", "weights"):
        step(trace, name)
    assert step(trace, "head").tobytes() == alone.tobytes()


@pytest.mark.parametrize("i", [0, 1, 400, 770])
def test_a_row_of_a_long_head_is_what_plain_loops_give(i, longer):
    trace = attention(**longer, mask=Mask(causal=True))
    Q, K, V = (longer[name].tolist() for name in "QKV")
    slow = head_by_loops([Q[i]], K, V, lambda _, j: j <= i, 3**-0.5)
    for name, expected in slow.items():
        np.testing.assert_allclose(step(trace, name)[i], expected[0], 1e-12, 1e-14, err_msg=name)
