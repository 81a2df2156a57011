"""A row from which the mask hides every key: weights of 0, or the same weight for each key."""

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from service.engine.blocks import whole
from service.engine.invariants import invariants
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.trace import find

RNG = np.random.default_rng(11)
FEW = {name: RNG.normal(size=(4, 3)) for name in "QKV"}
MANY = {name: RNG.normal(size=(300, 3)) for name in "QKV"}
BLIND = Mask(keep=np.array([[True] * 4, [False] * 4, [True, False, True, False], [False] * 4]))


def steps(numbers, mask, rule="zeros"):
    trace = attention(**numbers, mask=mask, fully_masked_rows=rule)
    return {step.rule.name: whole(step.value) for step in trace.steps}


def filled(numbers, seen, low):
    """softmax with hidden scores made `low` in place of −∞, and the head."""
    S = np.where(seen, numbers["Q"] @ numbers["K"].T / np.sqrt(3), low)
    e = np.exp(S - S.max(axis=1, keepdims=True))
    A = e / e.sum(axis=1, keepdims=True)
    return A, A @ numbers["V"]


def by_onnx(numbers, attn_mask):
    """Attention as the onnx package's reference has it, in float32: the head, the weights."""
    names = ["Q", "K", "V", "attn_mask"]
    node = onnx.helper.make_node(
        "Attention", names, ["Y", "", "", "A"], qk_matmul_output_mode=3, q_num_heads=None
    )
    inputs = [onnx.helper.make_tensor_value_info(name, 1, None) for name in names]
    outputs = [onnx.helper.make_tensor_value_info(name, 1, None) for name in ("Y", "A")]
    graph = onnx.helper.make_graph([node], "one_head", inputs, outputs)
    opset = [onnx.helper.make_opsetid("", 24)]
    model = onnx.helper.make_model(graph, opset_imports=opset)
    feeds = {name: part[None, None].astype(np.float32) for name, part in numbers.items()}
    Y, A = ReferenceEvaluator(model).run(None, feeds | {"attn_mask": attn_mask})
    return Y[0, 0], A[0, 0]


def test_zeros_are_the_default():
    found = steps(FEW, BLIND)
    assert not found["weights"][[1, 3]].any()
    assert not found["head"][[1, 3]].any()


def test_uniform_gives_each_key_of_such_a_row_one_nth_and_nothing_else_changes():
    zeros, uniform = steps(FEW, BLIND), steps(FEW, BLIND, "uniform")
    np.testing.assert_array_equal(uniform["weights"][[1, 3]], np.full((2, 4), 0.25))
    for name in zeros:
        np.testing.assert_array_equal(zeros[name][[0, 2]], uniform[name][[0, 2]])


def test_the_head_of_a_uniform_row_is_the_mean_of_all_values():
    head = steps(FEW, BLIND, "uniform")["head"]
    np.testing.assert_allclose(head[[1, 3]], [FEW["V"].mean(axis=0)] * 2, rtol=1e-14)


def test_uniform_is_what_a_large_negative_number_in_place_of_infinity_gives():
    found = steps(FEW, BLIND, "uniform")
    A, H = filled(FEW, BLIND.keep, -1e9)
    np.testing.assert_allclose(found["weights"], A, rtol=1e-14, strict=True)
    np.testing.assert_allclose(found["head"], H, rtol=1e-14, strict=True)


def test_infinity_itself_gives_what_no_reply_can_say():
    with np.errstate(invalid="ignore"):
        A, _ = filled(FEW, BLIND.keep, -np.inf)
    assert np.isnan(A[1]).all()


def test_onnx_gives_zeros_for_a_row_of_false():
    Y, A = by_onnx(FEW, BLIND.keep)
    found = steps(FEW, BLIND)
    np.testing.assert_allclose(found["weights"], A, atol=1e-6)
    np.testing.assert_allclose(found["head"], Y, atol=1e-6)


def test_onnx_gives_a_uniform_row_where_the_least_float32_is_added():
    added = np.where(BLIND.keep, np.float32(0), np.finfo(np.float32).min)
    Y, A = by_onnx(FEW, added)
    found = steps(FEW, BLIND, "uniform")
    np.testing.assert_allclose(found["weights"], A, atol=1e-6)
    np.testing.assert_allclose(found["head"], Y, atol=1e-6)


@pytest.mark.parametrize("causal", [True, False])
def test_in_several_blocks_only_the_rows_that_see_nothing_change(causal):
    hidden = np.zeros((300, 300), dtype=np.bool_)
    hidden[[0, 7, 150, 299]] = True
    mask = Mask(causal=causal, block=hidden)
    zeros, uniform = steps(MANY, mask), steps(MANY, mask, "uniform")
    others = np.setdiff1d(np.arange(300), [0, 7, 150, 299])
    for name in zeros:
        np.testing.assert_array_equal(zeros[name][others], uniform[name][others])
    mean = [MANY["V"].mean(axis=0)] * 4
    np.testing.assert_array_equal(uniform["weights"][[0, 7, 150, 299]], np.full((4, 300), 1 / 300))
    np.testing.assert_allclose(uniform["head"][[0, 7, 150, 299]], mean, atol=1e-14)


def test_the_first_queries_of_more_queries_than_keys_are_spread_over_all_keys():
    numbers = {"Q": MANY["Q"], "K": MANY["K"][:250], "V": MANY["V"][:250]}
    mask = Mask(causal=True, alignment="lower_right")
    found = steps(numbers, mask, "uniform")
    np.testing.assert_array_equal(found["weights"][:50], np.full((50, 250), 1 / 250))
    np.testing.assert_allclose(found["head"][49], numbers["V"].mean(axis=0), atol=1e-14)
    np.testing.assert_array_equal(found["weights"][50], [1.0] + [0.0] * 249)


def laws(trace):
    return {one.law.name: one for one in invariants(trace.steps)}


@pytest.mark.parametrize("numbers", [FEW, MANY], ids=["one block", "several blocks"])
def test_the_laws_of_a_uniform_row_are_said_as_they_are_and_hold(numbers):
    n = len(numbers["Q"])
    mask = Mask(keep=np.arange(n)[:, None] != 1)
    found = laws(attention(**numbers, mask=mask, fully_masked_rows="uniform"))
    assert found["rows_sum_to_one"].law.statement == (
        "Each row sums to 1, also one that may see nothing."
    )
    assert found["hidden_is_zero"].law.statement == (
        "Each hidden cell is exactly 0, but 1/n_k in a row that may see nothing."
    )
    assert found["rows_sum_to_one"].largest_deviation < 1e-13
    assert found["hidden_is_zero"].largest_deviation == 0.0


@pytest.mark.parametrize(
    ("row", "off"), [(1, 0.25), (2, 1e-9)], ids=["a spread row", "a row that sees"]
)
def test_a_hidden_weight_that_is_not_as_it_should_be_is_found(row, off):
    trace = attention(**FEW, mask=BLIND, fully_masked_rows="uniform")
    value = find(trace.steps, "weights").value.copy()
    value[row, 3] += off if row == 2 else -off
    changed = [s._replace(value=value) if s.rule.name == "weights" else s for s in trace.steps]
    found = laws(trace._replace(steps=changed))
    assert found["hidden_is_zero"].largest_deviation == pytest.approx(off)
    assert found["rows_sum_to_one"].largest_deviation == pytest.approx(off, abs=1e-15)


def test_a_row_that_should_be_uniform_and_is_zero_breaks_the_law():
    trace = attention(**FEW, mask=BLIND, fully_masked_rows="uniform")
    value = find(trace.steps, "weights").value.copy()
    value[1] = 0.0
    changed = [s._replace(value=value) if s.rule.name == "weights" else s for s in trace.steps]
    assert laws(trace._replace(steps=changed))["rows_sum_to_one"].largest_deviation == 1.0
