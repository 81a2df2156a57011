"""The laws that a trace says of itself."""

import numpy as np
import pytest

from service.engine.blocks import Blocked
from service.engine.invariants import invariants
from service.engine.layernorm import layernorm
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.trace import find

RNG = np.random.default_rng(3)
QKV = {"Q": RNG.normal(size=(4, 2)), "K": RNG.normal(size=(4, 2)), "V": RNG.normal(size=(4, 3))}
LONG = {name: RNG.normal(size=(300, 2)) for name in "QKV"}


def found(steps, names=None):
    return {(one.law.name, one.step): one for one in invariants(steps, names)}


def broken(steps, name, change):
    """The steps, with the value of one of them changed."""
    value = find(steps, name).value.copy()
    change(value)
    return [step._replace(value=value) if step.rule.name == name else step for step in steps]


def test_a_head_says_that_its_weights_sum_to_one_and_that_what_is_hidden_is_zero():
    laws = found(attention(**QKV, mask=Mask(causal=True)).steps)
    assert set(laws) == {("rows_sum_to_one", "weights"), ("hidden_is_zero", "weights")}
    assert all(one.largest_deviation <= 4e-16 for one in laws.values())


def test_a_row_that_does_not_sum_to_one_is_found_with_its_deviation():
    steps = broken(
        attention(**QKV).steps, "weights", lambda w: w.__setitem__((2, 1), w[2, 1] + 0.25)
    )
    assert found(steps)["rows_sum_to_one", "weights"].largest_deviation == pytest.approx(0.25)


def test_a_hidden_weight_that_is_not_zero_is_found():
    steps = attention(**QKV, mask=Mask(causal=True)).steps
    steps = broken(steps, "weights", lambda w: w.__setitem__((0, 3), 1e-300))
    one = found(steps)["hidden_is_zero", "weights"]
    assert (one.largest_deviation, one.law.tolerance) == (1e-300, 0.0)


def test_a_row_with_nothing_to_see_may_sum_to_zero():
    steps = attention(**QKV, mask=Mask(block=np.array([[True] * 4]))).steps
    assert found(steps)["rows_sum_to_one", "weights"].largest_deviation == 0.0


def test_a_head_of_several_blocks_is_checked_in_all_of_them():
    trace = attention(**LONG, mask=Mask(causal=True))
    weights = find(trace.steps, "weights").value

    def tampered(i, start, stop):
        rows = weights.block(i).copy()
        rows[-1, 0] += 0.5 if stop == 300 else 0.0
        return rows

    changed = Blocked(weights.shape, weights.rows, tampered, keep=True)
    steps = [s._replace(value=changed) if s.rule.name == "weights" else s for s in trace.steps]
    assert len(list(weights)) > 1
    assert found(steps)["rows_sum_to_one", "weights"].largest_deviation == pytest.approx(0.5)


@pytest.mark.parametrize("norm", ["layer", "rms"])
def test_a_norm_says_what_its_rows_have_become(norm):
    laws = found(layernorm(RNG.normal(size=(3, 5)), norm=norm, eps=0.5).steps)
    names = {"layer": {"mean_is_zero", "variance_normalised"}, "rms": {"mean_square_normalised"}}
    assert {law for law, _ in laws} == names[norm]
    assert all(one.largest_deviation < 1e-15 for one in laws.values())


def test_a_normalised_row_of_variance_one_breaks_the_law_where_eps_is_not_small():
    steps = layernorm(np.array([[1.0, 2.0, 3.0]]), eps=1.0).steps
    v = 2 / 3
    steps = broken(steps, "normalised", lambda n: n.__imul__(((v + 1) / v) ** 0.5))
    # Its variance is now 1, and ought to be v / (v + 1) = 0.4.
    assert found(steps)["variance_normalised", "normalised"].largest_deviation == pytest.approx(0.6)


def test_only_the_steps_that_are_returned_are_checked():
    assert found(attention(**QKV).steps, {"scores"}) == {}
