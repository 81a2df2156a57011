"""Heads computed side by side are the heads computed one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine import attention_rules as rules
from service.engine.attention import Options
from service.engine.heads import Head
from service.engine.invariants import invariants, laws_of, laws_of_each
from service.engine.mask import Mask
from service.engine.multihead import head_trace
from service.engine.positions.alibi import Alibi
from service.engine.positions.rotary import Rotary
from service.engine.side_by_side import side_by_side
from service.engine.sources import Tokens, Weights
from service.engine.trace import Step, Trace

D_MODEL, D_K, D_V = 3, 2, 4
NOTHING_SEEN = np.array([[False] * 4] + [[True] * 4] * 3)


def x(n=4, seed=0):
    return Step(rules.X, np.random.default_rng(seed).normal(size=(n, D_MODEL)))


def head(i, d_k=D_K, mask=None, with_O=True, times=1.0):
    draw = np.random.default_rng(i + 1)
    W_Q, W_K, W_V, W_O = (
        times * draw.normal(size=size)
        for size in ((d_k, D_MODEL), (d_k, D_MODEL), (D_V, D_MODEL), (D_MODEL, D_V))
    )
    return Head(f"head {i + 1}", Weights(W_Q, W_K, W_V, W_O if with_O else None), mask)


def together(heads, options=None, alibis=None, of=None, source=None):
    options, source = options or Options(), source or Tokens()
    return side_by_side(of or x(), source, heads, options, alibis, None, None)


@settings(max_examples=60)
@given(
    st.integers(3, 5),
    st.integers(1, 5),
    st.sampled_from([None, Mask(causal=True), Mask(causal=True, window=1), Mask(window=2)]),
    st.sampled_from([None, 0.0, 0.7]),
    st.sampled_from([None, 2.0]),
    st.sampled_from([None, Rotary(), Rotary(pairing="interleaved", offset=2)]),
    st.booleans(),
    st.booleans(),
)
def test_each_head_is_what_it_is_alone(n_heads, n, mask, scale, softcap, rotary, slopes, crossing):
    heads = [head(i) for i in range(n_heads)]
    source = Tokens(x(n + 1, seed=7).value) if crossing else Tokens()
    options = Options(mask, scale, softcap, rotary=rotary)
    alibis = [Alibi(2.0**-i, 1) for i in range(n_heads)] if slopes else None
    found, _ = together(heads, options, alibis, x(n), source)
    for i, trace in enumerate(found):
        own = options._replace(alibi=alibis[i]) if slopes else options
        alone, _ = head_trace(x(n), source, heads[i].weights, own, None, None)
        assert trace.axes == alone.axes
        assert trace.conventions == alone.conventions
        assert trace.warnings == alone.warnings
        for name in ("inputs", "steps"):
            for step, due in zip(getattr(trace, name), getattr(alone, name), strict=True):
                assert step.rule is due.rule
                assert step.constants == due.constants
                np.testing.assert_allclose(step.value, due.value, rtol=1e-12, atol=1e-14)
                if due.hidden is not None:
                    np.testing.assert_array_equal(step.hidden, due.hidden)


@pytest.mark.parametrize("rule", ["zeros", "uniform"])
@pytest.mark.parametrize("mask", [None, Mask(causal=True), Mask(keep=NOTHING_SEEN)])
def test_the_laws_of_each_head_are_those_of_its_own_steps(mask, rule):
    found, _ = together([head(0), head(1), head(2)], Options(mask, fully_masked_rows=rule))
    for trace in found:
        seen = [(one.law, one.step, one.largest_deviation) for one in laws_of(trace)]
        due = [(one.law, one.step, one.largest_deviation) for one in invariants(trace.steps)]
        assert [one[:2] for one in seen] == [one[:2] for one in due]
        assert [one[2] for one in seen] == pytest.approx([one[2] for one in due], abs=1e-15)
        assert laws_of(trace, {"head"}) == []


def test_a_head_that_breaks_a_law_is_told_which_and_by_how_much():
    hidden = np.array([[0, 1], [0, 0]], dtype=np.uint8)
    weights = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.875, 0.125], [0.5, 0.75]]])
    masked = Step(rules.masked("scaled", ()), weights, hidden)
    steps = [masked, Step(rules.WEIGHTS, weights)]
    lawful, unlawful = laws_of_each(Trace({}, [], steps, {}, []))
    assert [one.largest_deviation for one in lawful] == [0.0, 0.0]
    sums, leak = unlawful
    assert (sums.law.name, sums.largest_deviation) == ("rows_sum_to_one", 0.25)
    assert (leak.law.name, leak.largest_deviation) == ("hidden_is_zero", 0.125)


@pytest.mark.parametrize(
    "heads",
    [
        [head(0), head(1)],
        [head(0), head(1), head(2, d_k=1)],
        [head(0), head(1), head(2, mask=Mask(causal=True))],
        [head(0), head(1), head(2, with_O=False)],
        [head(0), head(1), Head("no W_Q", Weights())],
        [head(0, times=1e200), head(1), head(2)],
    ],
    ids=["two", "another width", "own mask", "no W_O", "no matrices", "may overflow"],
)
def test_heads_that_are_few_or_differ_or_may_overflow_are_left_to_be_computed_one_by_one(heads):
    assert together(heads) is None


def test_slopes_of_which_one_may_overflow_are_left_to_be_computed_one_by_one():
    heads = [head(0), head(1), head(2)]
    assert together(heads, alibis=[Alibi(1.0), Alibi(0.5), Alibi(-0.25)]) is not None
    assert together(heads, alibis=[Alibi(1.0), Alibi(0.5), Alibi(-1e300)]) is None


def test_heads_with_more_scores_than_a_block_are_left_to_be_computed_one_by_one():
    heads = [head(0), head(1), head(2), head(3)]
    assert together(heads, of=x(128)) is not None  # 4 · 128² cells are a block
    assert together(heads, of=x(129)) is None


def test_what_is_wrong_is_said_of_the_head_one_by_one():
    heads = [head(0), head(1), head(2)]
    assert together(heads, of=Step(rules.X, np.ones((4, D_MODEL + 1)))) is None
