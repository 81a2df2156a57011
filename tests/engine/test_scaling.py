"""Softmax of raw and scaled scores against cases, 50 digits and laws."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.errors import EngineError, OverflowingStep, ShapeError, TooLarge
from service.engine.scaling_experiments import scaling_experiments
from service.engine.trace import find

# Scores, temperature, weights, entropy, largest derivative: reported cases, with 60 digits.
CASES = {
    "far below 0": (
        [-1000.0, -1001.0, -1002.0], 1.0,
        [0.6652409557748219, 0.24472847105479764, 0.09003057317038046],
        0.8323955818399389, 0.22269542653462335,
    ),
    "ties": ([5.0] * 4, 1.0, [0.25] * 4, 1.3862943611198906, 0.1875),
    "a blocked key": (
        [1.0, -math.inf, 2.0], 1.0, [0.2689414213699951, 0.0, 0.7310585786300049],
        0.5822031088882179, 0.19661193324148185,
    ),
    "saturated": (
        [8.0, 16.0, 24.0, 32.0], 1.0,
        [3.773868127724236e-11, 1.1249742337381775e-07, 0.00033535009272779684,
         0.9996645373721101],
        0.0030201205143888625, 0.00033535009271514117,
    ),
    "a small difference of large scores": (
        [1e16, 1.0000000000000002e16], 1.0, [0.11920292202211756, 0.8807970779778824],
        0.3653338550872076, 0.10499358540350652,
    ),
    "a smallest number": ([0.0, -745.0], 1.0, [1.0, 5e-324], 2.105e-321, 5e-324),
}  # fmt: skip


def traced(**request):
    return scaling_experiments(**request)["experiments"][0]["trace"]


def of_scores(*rows, **options):
    return traced(scores=np.array(rows, dtype=float), **options)


def value(trace, name):
    return find(trace.steps, name).value


def close(found, expected, rel=1e-12, smallest=1e-300):
    np.testing.assert_allclose(found, np.array(expected), rel, smallest, strict=True)


@pytest.mark.parametrize("name", CASES)
def test_a_reported_case_comes_to_its_numbers(name):
    scores, temperature, weights, entropy, derivative = CASES[name]
    trace = of_scores(scores, temperature=temperature)
    close(value(trace, "weights_raw"), [weights])
    close(trace.more["statistics"]["raw"]["entropy"], [entropy])
    close(trace.more["statistics"]["raw"]["max_derivative"], [derivative])


@pytest.mark.parametrize(
    ("difference", "ratio"), [(1, 2.718281828459045), (10, 22026.465794806718)]
)
def test_a_difference_of_scores_is_a_ratio_of_weights(difference, ratio):
    (a, b), *_ = value(of_scores([difference, 0]), "weights")
    assert a / b == pytest.approx(ratio, rel=1e-13)


def test_scores_are_divided_by_the_root_of_their_width():
    trace = of_scores([8, 16, 24, 32], d_k=[64])
    close(value(trace, "scaled"), [[1.0, 2.0, 3.0, 4.0]])
    e = [math.exp(i) for i in range(4)]
    close(value(trace, "weights"), [[x / sum(e) for x in e]])
    assert trace.conventions["scale_rule"] == "1/sqrt(d_k)"


def test_scores_of_no_known_width_are_not_scaled():
    trace = of_scores([1, 2])
    assert np.array_equal(value(trace, "scaled"), value(trace, "scores"))
    assert (trace.conventions["scale"], trace.conventions["scale_rule"]) == (1.0, "none")


def test_queries_and_keys_give_their_dot_products():
    # q·k = 8, 1, 1 and d_k = 4.
    Q = np.array([[2.0, -1, 2, 1]])
    K = np.array([[2.0, -1, 1, 1], [1, 2, 1, -1], [-1, 1, 2, 0]])
    trace = traced(Q=Q, K=K)
    close(value(trace, "scores"), [[8.0, 1.0, 1.0]])
    close(value(trace, "scaled"), [[4.0, 0.5, 0.5]])
    raw, scaled = (trace.more["statistics"][kind] for kind in ("raw", "scaled"))
    close(raw["range"], [7.0])
    close(scaled["range"], [3.5])
    close(raw["standard_deviation"], [math.sqrt(Fraction(98, 9))])
    assert scaled["gradient_norm"][0] > 20 * raw["gradient_norm"][0]


def test_a_given_scale_is_used_as_it_is():
    trace = of_scores([1, 2], scale=-3.0)
    close(value(trace, "scaled"), [[-3.0, -6.0]])


@pytest.mark.parametrize("scale", [0.0, -1.0, 1e300])
def test_a_blocked_cell_stays_blocked_whatever_the_scale(scale):
    trace = of_scores([1e-3, -math.inf, 2e-3], scale=scale)
    assert value(trace, "scaled")[0, 1] == -math.inf
    assert value(trace, "weights")[0, 1] == 0
    assert find(trace.steps, "scaled").hidden.tolist() == [[0, 1, 0]]


def test_a_row_of_blocked_cells_has_weights_0_and_a_warning():
    trace = of_scores([1, 2], [-math.inf, -math.inf], tokens=["a", "b"])
    assert value(trace, "weights")[1].tolist() == [0, 0]
    for kind in ("raw", "scaled"):
        assert all(rows[1] == 0 for rows in trace.more["statistics"][kind].values())
    assert trace.warnings[0].message == "Every score of row 1 (b) is −∞: the weights are 0 there."


def test_a_blocked_cell_counts_in_no_statistic():
    with_it, without = of_scores([1, -math.inf, 4, 0]), of_scores([1, 4, 0])
    for name, rows in without.more["statistics"]["raw"].items():
        close(with_it.more["statistics"]["raw"][name], rows, 1e-14)


SCORES = arrays(
    np.float64,
    st.tuples(st.integers(1, 3), st.integers(1, 6)),
    elements=st.floats(-60, 60, allow_subnormal=False),
)


@given(SCORES, st.floats(0.05, 50))
def test_statistics_agree_with_50_digits(scores, temperature):
    found = traced(scores=scores, temperature=temperature).more["statistics"]["raw"]
    for i, row in enumerate(scores.tolist()):
        with mpmath.workdps(50):
            e = [mpmath.exp(mpmath.mpf(s) / mpmath.mpf(temperature)) for s in row]
            p = [x / sum(e) for x in e]
            J = [
                [(p[a] if a == b else 0) - p[a] * p[b] for b in range(len(p))]
                for a in range(len(p))
            ]
            mean = sum(map(mpmath.mpf, row)) / len(row)
            expected = {
                "range": max(row) - mpmath.mpf(min(row)),
                "standard_deviation": mpmath.sqrt(sum((s - mean) ** 2 for s in row) / len(row)),
                "entropy": -sum(x * mpmath.log(x) for x in p),
                "largest_weight": max(p),
                "gradient_norm": mpmath.sqrt(sum(x * x for line in J for x in line)),
                "max_derivative": max(x * (1 - x) for x in p),
            }
        for name, number in expected.items():
            # exp(s/τ): an error of one unit in s/τ is one of |s/τ| units in the weight.
            assert found[name][i] == pytest.approx(float(number), rel=2e-12, abs=1e-14), name


@given(SCORES, st.floats(0.1, 10))
def test_a_temperature_is_a_scale_for_weights(scores, temperature):
    tempered = traced(scores=scores, temperature=temperature)
    scaled = traced(scores=scores, scale=1 / temperature)
    np.testing.assert_allclose(
        value(tempered, "weights_raw"), value(scaled, "weights"), 1e-11, 1e-300, strict=True
    )


@given(SCORES)
def test_a_higher_temperature_gives_more_entropy(scores):
    cold, hot = (
        np.array(traced(scores=scores, temperature=t).more["statistics"]["raw"]["entropy"])
        for t in (1, 3)
    )
    assert (hot >= cold - 1e-12).all()
    assert (hot <= math.log(scores.shape[1]) + 1e-12).all()


@given(
    arrays(np.float64, (2, 3), elements=st.floats(-1e308, 1e308)),
    st.sampled_from([5e-324, 1e-300, 1.0, 1e308]),
    st.sampled_from([0.0, 1e-300, 1.0]),
)
def test_no_number_is_ever_nan(scores, temperature, scale):
    try:
        trace = traced(scores=scores, temperature=temperature, scale=scale)
    except OverflowingStep:
        return
    for kind in trace.more["statistics"].values():
        assert all(np.isfinite(rows).all() for rows in kind.values())
    for name in ("weights", "weights_raw"):
        close(value(trace, name).sum(axis=1), [1.0, 1.0])


def test_a_product_that_overflows_is_refused_by_name():
    with pytest.raises(OverflowingStep, match="scores overflows"):
        traced(Q=np.array([[1e200]]), K=np.array([[1e200], [1.0]]))
    with pytest.raises(OverflowingStep, match="scaled overflows"):
        of_scores([1e200, 1], scale=1e200)
    with pytest.raises(OverflowingStep, match="range of row 0"):
        of_scores([1.7e308, -1.7e308])


A = np.ones((1, 2))


@pytest.mark.parametrize(
    ("request_", "field", "message"),
    [
        ({}, "Q", "Send Q and K, or scores, or a seed to draw them from."),
        ({"Q": A}, "K", "K is missing; Q and K are sent together."),
        ({"K": A}, "Q", "Q is missing; Q and K are sent together."),
        ({"Q": A, "K": A, "scores": A}, "scores", "scores are Q Kᵀ; send them, or Q and K."),
        ({"Q": A, "K": A, "d_k": [2]}, "d_k", "d_k is the width of Q and K; leave it out."),
        ({"scores": A, "d_k": [2, 4]}, "d_k",
         "scores come from one width, but d_k has 2; send one."),
        ({"scores": A, "d_k": [2], "scale": 1.0}, "scale",
         "scale and d_k both say how scores are scaled; leave one out."),
        ({"scores": A, "seed": 1}, "seed",
         "seed is for drawn numbers, but scores is given; leave one out."),
        ({"Q": A, "K": A, "draws": 1}, "draws",
         "draws is for drawn numbers, but Q is given; leave one out."),
        ({"seed": 1, "keys": ["a"]}, "keys",
         "keys are labels of Q, K or scores; leave them out."),
    ],
)  # fmt: skip
def test_members_that_do_not_go_together_are_refused(request_, field, message):
    with pytest.raises(EngineError) as error:
        scaling_experiments(**request_)
    assert (error.value.field, error.value.message) == (field, message)


def test_shapes_and_labels_have_to_fit():
    with pytest.raises(ShapeError, match="K has 3 columns, but Q has 2; both need d_k"):
        traced(Q=A, K=np.ones((1, 3)))
    with pytest.raises(ShapeError, match="keys has 1 label, but there are 2 keys"):
        of_scores([1, 2], keys=["a"])
    with pytest.raises(TooLarge, match="513 × 512 scores; at most 262,144"):
        traced(scores=np.zeros((513, 512)))
