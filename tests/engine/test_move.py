"""An embedding moved, against hand-made numbers, exact fractions and laws."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.errors import OverflowingStep, ShapeError, TooLarge
from service.engine.move import move
from service.engine.target import angle, unit
from service.engine.trace import find


def moved(x, V, weights, target=None, **labels):
    given_target = None if target is None else np.array([target], dtype=float)
    x, V, weights = (np.array(m, dtype=float) for m in ([x], V, [weights]))
    return move(x, V, weights, given_target, **labels)


def value(trace, name):
    return find(trace.steps, name).value


def reaching(x, V, target):
    return moved(x, V, [0] * len(V), target).more["reaching"]


# creature, fluffy and blue; the target is the creature with half of each.
CREATURE, VALUES, TARGET = [2, 1], [[-1, 2], [2, 2]], [2.5, 3]


def test_a_vector_moves_by_its_weighted_values():
    trace = moved([1, 2], [[4, 0], [0, 8]], [0.5, 0.25])
    assert value(trace, "contributions").tolist() == [[2, 0], [0, 2]]
    assert value(trace, "update").tolist() == [[2, 2]]
    assert value(trace, "moved").tolist() == [[3, 4]]


def test_47_and_47_hundredths_get_almost_there():
    trace = moved(CREATURE, VALUES, [0.47, 0.47], TARGET)
    towards = trace.more["towards"]
    # What is missing is 0.03 · (fluffy + blue) = (0.03, 0.12).
    assert towards["distance_after"] == pytest.approx(math.hypot(0.03, 0.12), rel=1e-12)
    assert towards["distance_before"] == pytest.approx(math.hypot(0.5, 2), rel=1e-14)
    assert towards["angle_after"] < 1 < 20 < towards["angle_before"]
    assert trace.more["attention_weights"]["holds"]
    assert trace.more["attention_weights"]["rest"] == pytest.approx(0.06, abs=1e-15)


def test_the_weights_that_land_on_the_target_are_attention_weights():
    found = reaching(CREATURE, VALUES, TARGET)
    assert found["weights"] == pytest.approx([0.5, 0.5], rel=1e-14)
    assert (found["exact"], found["unique"], found["rank"]) == (True, True, 2)
    assert found["attention_weights"]["holds"]


def test_a_target_can_need_weights_that_attention_has_not():
    # (6, 3) − (2, 1) = a (−1, 2) + b (2, 2): a = −2/3, b = 5/3.
    found = reaching(CREATURE, VALUES, [6, 3])
    assert found["weights"] == pytest.approx([-2 / 3, 5 / 3], rel=1e-14)
    assert [one["code"] for one in found["attention_weights"]["failing"]] == ["negative_weight"]
    # 3 · (1, 0): more than 1.
    beyond = reaching([0, 0], [[1, 0]], [3, 0])["attention_weights"]
    assert [one["code"] for one in beyond["failing"]] == ["sum_above_1"]


def test_a_target_off_the_plane_is_approached_by_least_squares():
    # The values span the first two axes; 5 on the third stays.
    found = reaching([0, 0, 0], [[1, 0, 0], [1, 1, 0]], [3, 2, 5])
    assert found["weights"] == pytest.approx([1, 2], rel=1e-13)
    assert found["lands_on"] == pytest.approx([3, 2, 0], rel=1e-13, abs=1e-14)
    assert found["distance"] == pytest.approx(5, rel=1e-14)
    assert (found["exact"], found["unique"], found["rank"]) == (False, True, 2)


def test_values_that_point_the_same_way_share_the_work():
    # w₁ + 2 w₂ = 5 with the least w₁² + w₂²: (1, 2).
    found = reaching([0, 0], [[1, 0], [2, 0]], [5, 0])
    assert found["weights"] == pytest.approx([1, 2], rel=1e-13)
    assert (found["exact"], found["unique"], found["rank"]) == (True, False, 1)


def test_more_values_than_dimensions_are_never_unique():
    # w₁ + w₂ + w₃ = 3 in one dimension: a third each.
    found = reaching([0], [[1], [1], [1]], [3])
    assert found["weights"] == pytest.approx([1, 1, 1], rel=1e-13)
    assert not found["unique"]


def test_values_of_0_reach_nothing():
    found = reaching([1, 1], [[0, 0]], [2, 3])
    assert (found["weights"], found["rank"], found["exact"]) == ([0], 0, False)
    assert found["distance"] == pytest.approx(math.sqrt(5))


def test_who_is_there_already_needs_no_weights():
    found = reaching([1, 2], [[1, 0], [0, 1]], [1, 2])
    assert (found["weights"], found["distance"], found["exact"]) == ([0, 0], 0, True)


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-150, 1e150, 1e300])
def test_numbers_may_be_of_any_size(size):
    found = reaching([0, 0], [[2 * size, 0], [4 * size, 4 * size]], [4 * size, 2 * size])
    assert found["weights"] == pytest.approx([1, 0.5], rel=1e-13)
    assert (found["exact"], found["unique"], found["rank"]) == (True, True, 2)


def test_a_value_that_is_not_needed_may_be_as_short_as_can_be():
    assert reaching([0, 0], [[1, 0], [0, 5e-324]], [1, 0])["weights"] == [1, 0]


def test_a_short_value_is_a_direction_as_much_as_a_long_one():
    found = reaching([0, 0], [[1e-200, 1e-200], [0, 1e200]], [1, 0])
    assert found["weights"] == pytest.approx([1e200, -1e-200], rel=1e-13)
    assert (found["unique"], found["rank"]) == (True, 2)


WHOLE = st.integers(-9, 9).map(float)


def solve(A, b):
    """A x = b in fractions, or None where A is singular."""
    n = len(A)
    rows = [[Fraction(x) for x in row] + [Fraction(y)] for row, y in zip(A, b, strict=True)]
    for i in range(n):
        pivot = next((r for r in range(i, n) if rows[r][i] != 0), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


@given(st.data(), st.integers(1, 3), st.integers(1, 4))
def test_the_nearest_weights_solve_the_normal_equations_in_fractions(data, n, d):
    V = data.draw(arrays(np.float64, (n, d), elements=WHOLE))
    target = data.draw(arrays(np.float64, (d,), elements=WHOLE))
    found = reaching([0] * d, V.tolist(), target.tolist())
    rows = [[Fraction(x) for x in v] for v in V.tolist()]
    gram = [[sum(a * b for a, b in zip(u, v, strict=True)) for v in rows] for u in rows]
    right = [sum(a * Fraction(b) for a, b in zip(v, target.tolist(), strict=True)) for v in rows]
    exact = solve(gram, right)
    assert found["unique"] == (exact is not None)
    if exact is not None:
        assert found["weights"] == pytest.approx(list(map(float, exact)), rel=1e-9, abs=1e-9)
    # The gap that is left is at right angles to every value.
    left = target - found["lands_on"]
    np.testing.assert_allclose(V @ left, np.zeros(n), 0, 1e-9, strict=True)


@given(
    arrays(np.float64, (2, 3), elements=st.floats(-1e3, 1e3)),
    arrays(np.float64, (2,), elements=st.floats(-2, 2)),
)
def test_moving_on_by_other_weights_is_moving_by_their_sum(V, w):
    once = value(moved([1, 2, 3], V, w), "moved")
    first = value(moved([1, 2, 3], V, [w[0], 0]), "moved")
    then = value(moved(first[0], V, [0, w[1]]), "moved")
    np.testing.assert_allclose(once, then, 1e-12, 1e-10, strict=True)


ANGLES = [
    ([1, 0], [0, 1], 90), ([1, 0], [1, 1], 45), ([1, 0], [-1, 0], 180), ([3, 4], [6, 8], 0),
    ([1, 0], [1, 1e-9], math.degrees(1e-9)), ([1e300, 0], [1e300, 1e300], 45),
    ([5e-324, 0], [5e-324, 5e-324], 45), ([1e308, 1e308], [-1e308, -1e308], 180),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "degrees"), ANGLES)
def test_an_angle_is_exact_also_where_it_is_small_and_numbers_are_not(a, b, degrees):
    assert angle(unit(a), unit(b)) == pytest.approx(degrees, rel=1e-14, abs=1e-14)


def test_a_zero_vector_has_no_angle():
    towards = moved([0, 0], [[1, 0]], [1], [0, 1]).more["towards"]
    assert "angle_before" not in towards
    assert towards["angle_after"] == pytest.approx(90)


@pytest.mark.parametrize(
    ("weights", "codes"),
    [
        ([0.5, 0.5], []),
        ([1 / 3] * 3, []),
        ([0.1] * 10, []),
        ([0, 0], []),
        ([0.6, 0.6], ["sum_above_1"]),
        ([1.5, -0.1], ["negative_weight", "sum_above_1"]),
        ([-1, -1], ["negative_weight", "negative_weight"]),
    ],
)
def test_attention_weights_are_at_least_0_and_sum_to_at_most_1(weights, codes):
    found = moved([0], [[1]] * len(weights), weights).more["attention_weights"]
    assert [one["code"] for one in found["failing"]] == codes
    assert found["holds"] == (not codes)


def test_a_failing_weight_is_named():
    found = moved([0], [[1], [1]], [0.25, -0.5], tokens=["fluffy", "blue"])
    assert found.more["attention_weights"]["failing"][0]["message"] == (
        "Weight 1 (blue) is -0.5; an attention weight is at least 0."
    )


@pytest.mark.parametrize(
    ("x", "V", "weights", "target", "match"),
    [
        ([0], [[1e200]], [1e200], None, "contributions overflows"),
        ([0], [[1e308], [1e308]], [1, 1], None, "update overflows"),
        ([1.7e308], [[1e308]], [1], None, "moved overflows"),
        ([-1e308], [[1]], [0], [1.7e308], "distance of x to the target overflows"),
        ([0], [[1e-300]], [0], [1e300], "weights that reach the target overflow"),
        ([0], [[0], [0]], [1e308, 1e308], None, "sum of the weights overflows"),
        ([0], [[0], [0]], [-1e308, -1e308], None, "sum of the weights overflows"),
        ([0, 0], [[1e-308, 0], [0, 1e-308]], [1, 0], [1, 1], "that reach the target overflow"),
    ],
)
def test_what_overflows_is_refused_by_name(x, V, weights, target, match):
    with pytest.raises(OverflowingStep, match=match):
        moved(x, V, weights, target)


def test_weights_whose_sum_overflows_are_the_callers_only_where_the_caller_sent_them():
    with pytest.raises(OverflowingStep) as sent:
        moved([0], [[0], [0]], [1e308, 1e308])
    with pytest.raises(OverflowingStep) as found:
        moved([0, 0], [[1e-308, 0], [0, 1e-308]], [1, 0], [1, 1])
    assert (sent.value.field, found.value.field) == ("weights", "")


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(ShapeError, match="x has 1 number, but V has 2 columns; send 2"):
        moved([0], [[1, 2]], [1])
    with pytest.raises(ShapeError, match="target has 3 numbers, but V has 2 columns"):
        moved([0, 0], [[1, 2]], [1], [1, 2, 3])
    with pytest.raises(ShapeError, match="There are 2 weights, but V has 1 row"):
        moved([0, 0], [[1, 2]], [1, 1])
    with pytest.raises(TooLarge, match="V is 1 × 131,073; at most 131,072"):
        moved([0] * 131073, [[0] * 131073], [1])
