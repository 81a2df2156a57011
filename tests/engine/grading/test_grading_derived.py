"""What honest rounding reaches: many careful students, each rounding in a way of their own."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.errors import EngineError, TooLarge
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.rules import Cells, Derived
from service.engine.grading.marking.task import Task
from service.engine.grading.marking.words import in_words
from service.engine.grading.reading.notation import normal_form
from service.engine.grading.tolerances.honest import reach, rounded
from service.engine.grading.tolerances.reached import Reached, reached
from service.engine.grading.tolerances.spans import Span, just
from service.engine.layernorm import layernorm
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.trace import Axis, Read, Rule, Step, Trace

STUDENTS = 1_000
CAUSAL = np.tril(np.ones((3, 3), dtype=bool))


def student_rounds(rng, x, decimals):
    """Each cell to `decimals` or up to three more, or not at all."""
    choices = [np.round(x, decimals + more) for more in range(4)] + [x]
    return np.choose(rng.integers(len(choices), size=np.shape(x)), choices)


def student_attention(rng, X, W_Q, W_K, W_V, decimals):
    """Causal attention by hand, every intermediate result rounded."""
    Q, K, V = (student_rounds(rng, X @ W.T, decimals) for W in (W_Q, W_K, W_V))
    scores = student_rounds(rng, Q @ K.T, decimals)
    scaled = student_rounds(rng, scores / np.sqrt(W_Q.shape[0]), decimals)
    e = np.where(CAUSAL, np.exp(scaled), 0)
    weights = student_rounds(rng, e / e.sum(axis=1, keepdims=True), decimals)
    return {"weights": weights, "head": student_rounds(rng, weights @ V, decimals)}


def student_layernorm(rng, x, gamma, beta, decimals):
    """Layer norm by hand, every intermediate result rounded."""
    mean = student_rounds(rng, x.mean(axis=1, keepdims=True), decimals)
    variance = student_rounds(rng, ((x - mean) ** 2).mean(axis=1, keepdims=True), decimals)
    normalised = student_rounds(rng, (x - mean) / np.sqrt(variance + 1e-5), decimals)
    return {
        "normalised": normalised,
        "output": student_rounds(rng, gamma * normalised + beta, decimals),
    }


def bounds(trace, name, decimals):
    spans = reach(trace, name, decimals)
    return np.array([[cell.lowest for cell in row] for row in spans]), np.array(
        [[cell.highest for cell in row] for row in spans]
    )


def numbers(seed, *shape):
    return np.round(np.random.default_rng(seed).uniform(-2, 2, shape), 1)


@pytest.fixture(scope="module", params=[1, 2, 3])
def heads(request):
    """A head's trace, and what each of many students came to."""
    decimals = request.param
    X, W_Q, W_K, W_V = numbers(1, 3, 4), numbers(2, 2, 4), numbers(3, 2, 4), numbers(4, 2, 4)
    trace = attention(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, mask=Mask(causal=True))
    rng = np.random.default_rng(5)
    came_to = [student_attention(rng, X, W_Q, W_K, W_V, decimals) for _ in range(STUDENTS)]
    return trace, decimals, came_to


@pytest.mark.parametrize("name", ["weights", "head"])
def test_every_careful_student_of_attention_is_within_reach(heads, name):
    trace, decimals, came_to = heads
    low, high = bounds(trace, name, decimals)
    all_of_them = np.array([student[name] for student in came_to])
    assert (all_of_them >= low - 1e-12).all()
    assert (all_of_them <= high + 1e-12).all()


@pytest.mark.parametrize("name", ["weights", "head"])
def test_the_reach_is_not_much_wider_than_the_students_of_attention(heads, name):
    trace, decimals, came_to = heads
    low, high = bounds(trace, name, decimals)
    all_of_them = np.array([student[name] for student in came_to])
    covered = all_of_them.max(axis=0) - all_of_them.min(axis=0)
    assert ((high - low) <= 5 * covered + 10.0**-decimals).all()


@pytest.mark.parametrize("decimals", [1, 2, 4])
def test_every_careful_student_of_layer_norm_is_within_reach(decimals):
    x, gamma, beta = numbers(7, 2, 5), numbers(8, 1, 5), numbers(9, 1, 5)
    trace = layernorm(x, gamma=gamma, beta=beta)
    rng = np.random.default_rng(10)
    for name in ("normalised", "output"):
        low, high = bounds(trace, name, decimals)
        for _ in range(STUDENTS):
            value = student_layernorm(rng, x, gamma, beta, decimals)[name]
            assert (value >= low - 1e-12).all()
            assert (value <= high + 1e-12).all()


@given(st.floats(-1e6, 1e6), st.integers(0, 6), st.integers(0, 6))
def test_rounding_to_as_many_decimals_or_more_stays_within_its_span(value, decimals, more):
    low, high = rounded(just(value), decimals)
    assert low <= round(value, decimals + more) <= high
    assert low <= value <= high
    assert high - low <= 10.0**-decimals * (1 + 1e-6)


@pytest.mark.parametrize("value", [4.0, 0.5, -0.25, 0.0, 0.1 + 0.2])
def test_what_has_no_more_decimals_is_not_moved(value):
    low, high = rounded(just(value), 2)
    assert (low, high) == pytest.approx((value, value), abs=1e-10)


@pytest.mark.parametrize("value", [2.0**53, -(2.0**53), 1e300, -1e300, np.inf])
def test_what_is_too_large_to_have_decimals_is_not_moved(value):
    assert rounded(just(value), 2) == just(value)


def test_each_number_of_decimals_that_is_allowed_counts():
    assert rounded(just(0.472), 2) == pytest.approx((0.47, 0.472))
    assert rounded(just(0.4785), 2) == pytest.approx((0.478, 0.48))
    assert rounded(just(0.0003), 2) == pytest.approx((0, 0.0003))
    assert rounded(Span(0.46, 0.479), 2) == pytest.approx((0.46, 0.48))


def test_a_half_may_be_rounded_either_way():
    assert rounded(just(0.125), 2) == pytest.approx((0.12, 0.13))
    assert rounded(just(-2.5), 0) == pytest.approx((-3, -2))


def test_whole_scores_keep_exact_halves_exact():
    trace = attention(
        Q=np.array([[1.0, 2.0]]), K=np.array([[2.0, 2.0]] * 2), V=np.eye(2), scale=1.0
    )
    (row,) = reach(trace, "weights", 2)
    assert row[0] == pytest.approx((0.5, 0.5), abs=1e-9)


def test_a_blocked_cell_stays_blocked_and_its_weight_0():
    Q = numbers(3, 3, 2)
    trace = attention(Q=Q, K=Q, V=Q, mask=Mask(causal=True))
    assert reach(trace, "masked", 2)[0][1] == (-np.inf, -np.inf)
    assert reach(trace, "weights", 2)[0][1] == (0.0, 0.0)


def test_an_unknown_step_is_named_with_those_there_are():
    with pytest.raises(EngineError, match=r"There is no step .score.; there are Q, K, scores"):
        reach(attention(Q=np.eye(2), K=np.eye(2), V=np.eye(2)), "score", 2)


def test_more_cells_than_are_carried_through_are_refused():
    Q = np.ones((64, 2))
    with pytest.raises(TooLarge, match="a tolerance is derived from 4,096"):
        reach(attention(Q=Q, K=Q, V=Q), "weights", 2)


def test_cells_of_more_numbers_than_are_carried_through_are_refused():
    Q = np.ones((16, 40))
    with pytest.raises(TooLarge, match=r"made from 45,568 numbers"):
        reach(attention(Q=Q, K=Q, V=Q), "head", 2)


def test_an_operation_without_spans_is_named():
    rule = Rule("y", "", "y", "", "", "sort", ("a", "b"), (Read("y", ("a", "b")),))
    trace = Trace({"a": Axis(1), "b": Axis(1)}, [], [Step(rule, np.eye(1))], {}, [])
    with pytest.raises(EngineError, match=r"y \(sort\) has no derived tolerance"):
        reach(trace, "y", 2)


def head_key(name, decimals):
    X, W_Q, W_K, W_V = numbers(1, 3, 4), numbers(2, 2, 4), numbers(3, 2, 4), numbers(4, 2, 4)
    trace = attention(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, mask=Mask(causal=True))
    return reached(trace, name, decimals)


def test_an_answer_within_reach_is_right_and_one_beyond_is_not():
    key = head_key("weights", 2)
    task = Task(Cells(Derived(2)), key)
    lowest, highest = (
        [[getattr(cell, bound, cell) for cell in row] for row in key]
        for bound in ("lowest", "highest")
    )
    beyond = [[cell + Fraction(1, 50) for cell in row] for row in highest]
    for cells, verdict in (
        (key, "correct"),
        (lowest, "correct"),
        (highest, "correct"),
        (beyond, "incorrect"),
    ):
        typed = [[normal_form(cell) for cell in row] for row in cells]
        assert graded(task, {"kind": "matrix", "matrix": typed}).mark.verdict == verdict


def test_a_blocked_cell_of_the_key_is_minus_infinity():
    assert head_key("masked", 2)[0][1] == -np.inf


def test_the_rule_says_what_may_be_rounded():
    assert in_words(Derived(2)) == (
        "Any value that rounding each intermediate result to 2 or more decimals can lead to."
    )


def test_a_variance_rounded_to_next_to_nothing_still_divides():
    trace = layernorm(np.array([[1.0, 1.0 + 1e-7]]), eps=1e-14)
    (row,) = reach(trace, "normalised", 2)
    assert all(span.lowest < span.highest for span in row)


def test_a_step_that_rests_on_another_trace_is_refused():
    rule = Rule("y", "", "y", "", "", "add", ("a", "b"), (Read("x", ("a", "b")),))
    trace = Trace({"a": Axis(1), "b": Axis(1)}, [], [Step(rule, np.eye(1))], {}, [])
    with pytest.raises(EngineError, match="y rests on x, which is in another trace"):
        reach(trace, "y", 2)


def test_the_exact_value_is_always_within_reach():
    below = Reached(Fraction(1), Fraction(2), Fraction(3))
    above = Reached(Fraction(4), Fraction(2), Fraction(3))
    assert (below.lowest, above.highest) == (1, 4)
