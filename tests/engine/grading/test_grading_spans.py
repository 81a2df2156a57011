"""Spans hold every result: compared with mpmath at points that lie within the operands."""

import math

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.tolerances.made_from import Spans
from service.engine.grading.tolerances.operations import OPERATIONS
from service.engine.grading.tolerances.spans import (
    BLOCKED,
    Span,
    cosine,
    dot,
    just,
    minus,
    product,
    quotient,
    sine,
    square,
    total,
)

mpmath.mp.dps = 40
# Nothing so near to 0 that a product of two is lost below the least float64.
FINITE = st.integers(-(10**15), 10**15).map(lambda n: n / 1e9)


@st.composite
def spans_with_points(draw, numbers=FINITE):
    """A span and a number in it."""
    low, point, high = sorted(draw(st.tuples(numbers, numbers, numbers)))
    return Span(low, high), mpmath.mpf(point)


def holds(span, value):
    return mpmath.mpf(span.lowest) <= value <= mpmath.mpf(span.highest)


@given(spans_with_points(), spans_with_points())
def test_sums_differences_and_products_are_held(x, y):
    (a, p), (b, q) = x, y
    assert holds(total([a, b]), p + q)
    assert holds(minus(a, b), p - q)
    assert holds(product(a, b), p * q)
    assert holds(square(a), p * p)
    assert holds(dot([a, b], [b, a]), 2 * p * q)


@given(spans_with_points(), spans_with_points(st.floats(1e-3, 1e6)))
def test_quotients_are_held(x, y):
    assert holds(quotient(x[0], y[0]), x[1] / y[1])


@given(spans_with_points(st.floats(-50, 50)))
def test_sines_and_cosines_are_held(x):
    assert holds(sine(x[0]), mpmath.sin(x[1]))
    assert holds(cosine(x[0]), mpmath.cos(x[1]))


@pytest.mark.parametrize(
    ("span", "lowest", "highest"),
    [
        (Span(0, 1), 0, math.sin(1)),
        (Span(1, 2), math.sin(1), 1),
        (Span(4, 5), -1, math.sin(4)),
        (Span(-2, 2), -1, 1),
        (Span(0, 7), -1, 1),
    ],
)
def test_a_sine_turns_back_at_crest_and_trough(span, lowest, highest):
    assert sine(span) == pytest.approx((lowest, highest))


def test_a_square_across_0_begins_there():
    assert square(Span(-1, 3)) == pytest.approx((0, 9))


def applied(operation, values, places=(), place=(0, 0), **constants):
    return OPERATIONS[operation](
        Spans(values, {name: i for i, name in enumerate(places)}, constants, place)
    )


@given(st.lists(spans_with_points(st.floats(-30, 30)), min_size=1, max_size=6), st.data())
def test_weights_are_held(row, data):
    j = data.draw(st.integers(0, len(row) - 1))
    due = mpmath.exp(row[j][1]) / sum(mpmath.exp(point) for _, point in row)
    assert holds(applied("softmax", [[span for span, _ in row]], place=(0, j)), due)


def test_the_bounds_of_a_weight_are_reached():
    low, high = applied("softmax", [[Span(0, 1), Span(-1, 2)]])
    assert (low, high) == pytest.approx((1 / (1 + math.e**2), 1 / (1 + math.e**-2)))


def test_a_blocked_score_has_weight_0_and_takes_no_share():
    row = [just(1.0), BLOCKED, just(1.0)]
    assert applied("softmax", [row], place=(0, 1)) == just(0.0)
    assert applied("softmax", [row], place=(0, 0)) == pytest.approx((0.5, 0.5))
    assert applied("softmax", [[BLOCKED, BLOCKED]]) == just(0.0)


@given(
    st.sampled_from(["gelu", "gelu_tanh", "silu", "relu"]), spans_with_points(st.floats(-20, 20))
)
def test_activations_are_held(name, x):
    span, p = x
    due = {
        "gelu": lambda: p * (1 + mpmath.erf(p / mpmath.sqrt(2))) / 2,
        "gelu_tanh": lambda: (
            p * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (p + 0.044715 * p**3))) / 2
        ),
        "silu": lambda: p / (1 + mpmath.exp(-p)),
        "relu": lambda: max(p, mpmath.mpf(0)),
    }[name]()
    found = applied(name, [[span]])
    slack = 1e-12  # 1 + erf loses digits far left, where the value is next to nothing
    assert found.lowest - slack <= due <= found.highest + slack


@given(
    st.lists(spans_with_points(st.floats(-100, 100)), min_size=2, max_size=5),
    spans_with_points(st.floats(-100, 100)),
)
def test_statistics_of_a_row_are_held(row, centre):
    spans, points = [span for span, _ in row], [point for _, point in row]
    n = len(row)
    assert holds(applied("mean", [spans]), sum(points) / n)
    assert holds(applied("mean_square", [spans]), sum(p * p for p in points) / n)
    due = sum((p - centre[1]) ** 2 for p in points) / n
    spread = applied("variance", [spans, [centre[0]]])
    assert holds(spread, due)
    eps = 1e-5
    value = applied("normalise", [[spans[0]], [centre[0]], [spread]], ("x", "mean", "v"), eps=eps)
    assert holds(value, (points[0] - centre[1]) / mpmath.sqrt(due + mpmath.mpf(eps)))
