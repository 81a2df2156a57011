"""Random queries and keys against what theory and published figures say."""

import math

import numpy as np
import pytest

from service.engine.errors import TooLarge
from service.engine.normals import Normals
from service.engine.scaling import Options
from service.engine.scaling_laboratory import laboratory
from service.engine.trace import find

WIDTHS = [2, 8, 64, 512]
# Mean largest weight raw and scaled, mean range raw: measured elsewhere over 4,000 draws.
MEASURED = {
    2: (0.458, 0.383, 3.2),
    8: (0.684, 0.409, 7.0),
    64: (0.888, 0.418, 20.2),
    512: (0.963, 0.421, 57.3),
}


@pytest.fixture(scope="module")
def thousand():
    return laboratory(seed=1, d_k=WIDTHS, draws=1000)


def by_width(reply):
    return {one["d_k"]: one["over_draws"] for one in reply["experiments"]}


@pytest.mark.parametrize("d_k", WIDTHS)
def test_the_largest_weight_is_what_was_measured_elsewhere(d_k, thousand):
    found = by_width(thousand)[d_k]
    raw, scaled, extent = MEASURED[d_k]
    # A largest weight is in [1/6, 1], so σ < 0.25: 4 standard errors of both means together.
    tolerance = 4 * 0.25 * math.sqrt(1 / 1000 + 1 / 4000)
    assert found["raw"]["mean_largest_weight"] == pytest.approx(raw, abs=tolerance)
    assert found["scaled"]["mean_largest_weight"] == pytest.approx(scaled, abs=tolerance)
    # A range is about 2.5 ± 1 standard deviations of the scores, √d_k each.
    assert found["raw"]["mean_range"] == pytest.approx(extent, abs=0.14 * math.sqrt(d_k))
    assert 2.1 < found["scaled"]["mean_range"] < 2.65


@pytest.mark.parametrize("d_k", WIDTHS)
def test_scores_have_the_predicted_mean_and_variance(d_k, thousand):
    found = by_width(thousand)[d_k]
    assert found["raw"]["predicted_mean"] == found["scaled"]["predicted_mean"] == 0
    assert found["raw"]["predicted_variance"] == d_k
    assert found["scaled"]["predicted_variance"] == 1
    # Six keys share a query: 6,000 uncorrelated scores; their squares correlate within a draw.
    # Var(mean) = d_k / 6000; Var(s²)/d_k² = 2 + 6/d_k, and Cov = 2/d_k, so at most:
    relative = math.sqrt(((2 + 6 / d_k) / 6 + 2 / d_k) / 1000)
    assert abs(found["raw"]["mean"]) < 5 * math.sqrt(d_k / 6000)
    assert found["raw"]["variance"] == pytest.approx(d_k, rel=5 * relative)
    assert found["scaled"]["variance"] == pytest.approx(1, rel=5 * relative)


def test_raw_entropy_and_gradient_vanish_with_width_and_scaled_ones_stay(thousand):
    found = list(by_width(thousand).values())
    for name in ("mean_entropy", "mean_gradient_norm", "mean_max_derivative"):
        raw = [one["raw"][name] for one in found]
        scaled = [one["scaled"][name] for one in found]
        assert raw == sorted(raw, reverse=True)
        assert raw[-1] < raw[0] / 5
        assert max(scaled) / min(scaled) < 1.2


def test_the_trace_is_the_first_draw_of_the_stream():
    reply = laboratory(seed=5, d_k=[3], n_keys=2, draws=4)
    numbers = Normals(5, 3).next(9)
    trace = reply["experiments"][0]["trace"]
    q, K = numbers[:3], numbers[3:].reshape(2, 3)
    assert np.array_equal(find(trace.steps, "Q").value, q[None])
    assert np.array_equal(find(trace.steps, "K").value, K)
    # Three products in halves: (1st + 3rd) + 2nd.
    expected = [(q[0] * k[0] + q[2] * k[2]) + q[1] * k[1] for k in K]
    assert find(trace.steps, "scores").value.tolist() == [expected]


def test_scores_are_these_to_the_last_bit():
    trace = laboratory(seed=1, d_k=[2], n_keys=2, draws=1)["experiments"][0]["trace"]
    assert [x.hex() for x in find(trace.steps, "scores").value[0].tolist()] == [
        "0x1.eb48a7a4c385cp-3", "0x1.197617ecfd2cap+0",
    ]  # fmt: skip


def test_the_first_draw_depends_on_no_other_width_and_not_on_how_many_draws_follow():
    def first(d_k, draws):
        return laboratory(2, d_k, draws=draws)["experiments"][-1]["trace"]

    alone, beside = first([8], 1), first([2, 8], 50)
    for name in ("Q", "K", "scores", "weights"):
        assert np.array_equal(find(alone.steps, name).value, find(beside.steps, name).value)


def test_the_same_seed_gives_the_same_reply_and_another_gives_another():
    one, same, other = (laboratory(seed, [4], draws=20) for seed in (1, 1, 2))
    assert by_width(one) == by_width(same) != by_width(other)


def test_draws_computed_in_pieces_are_the_draws_computed_at_once(monkeypatch):
    whole = laboratory(1, [8], draws=100)
    monkeypatch.setattr("service.engine.scaling_laboratory._NUMBERS_A_CHUNK", 150)
    assert by_width(laboratory(1, [8], draws=100)) == by_width(whole)


def test_a_given_scale_changes_what_is_predicted():
    found = by_width(laboratory(1, [16], draws=10, options=Options(scale=0.5)))[16]
    assert found["scaled"]["predicted_variance"] == 4
    assert found["scaled"]["variance"] == pytest.approx(found["raw"]["variance"] / 4)


def test_one_key_takes_all():
    found = by_width(laboratory(1, [2], n_keys=1, draws=5))[2]["raw"]
    assert (found["mean_largest_weight"], found["mean_entropy"], found["mean_range"]) == (1, 0, 0)


def test_the_widths_of_the_lecture_are_the_default():
    reply = laboratory(0, draws=1)
    assert [one["d_k"] for one in reply["experiments"]] == WIDTHS
    assert len(find(reply["experiments"][0]["trace"].steps, "K").value) == 6


def test_too_many_numbers_are_refused_before_any_is_drawn():
    with pytest.raises(TooLarge, match=r"is 7,168,000,000; at most 4,194,304 numbers are drawn"):
        laboratory(1, [1024], draws=10**6)


def test_too_many_scores_are_refused_before_any_is_weighed():
    with pytest.raises(TooLarge, match=r"makes 270,000 scores; at most 262,144 are weighed"):
        laboratory(1, [1, 1, 1], n_keys=3, draws=30_000)
