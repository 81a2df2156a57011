"""Requests on which implementations are known to go wrong, with numbers of our own."""

import mpmath
import numpy as np
import pytest

QKV = {"Q": [[1.0, 0.5]], "K": [[0.25, 1.0], [2.0, -1.0]], "V": [[3.0], [5.0]]}


@pytest.fixture(scope="module")
def steps(ask):
    def of(path, **body):
        return {step["name"]: step["value"] for step in ask(path, body)["steps"]}

    return of


@pytest.fixture(scope="module")
def refusal(client):
    """Where a request that must be refused is wrong, and what is said."""

    def of(path, **body):
        response = client.post(f"/v1/{path}", json=body)
        assert response.status_code == 422, response.text
        first = response.get_json()["errors"][0]
        return first["pointer"], first["detail"]

    return of


@pytest.mark.parametrize(
    ("body", "step"),
    [
        ({"Q": [[1e180]], "K": [[1e180]], "V": [[1]]}, "scores"),
        ({"Q": [[1e100]], "K": [[1e100]], "V": [[1]], "scale": 1e200}, "scaled"),
        ({"X": [[1e200]], "W_Q": [[1e200]], "W_K": [[1]], "W_V": [[1]]}, "Q"),
        ({"Q": [[1]], "K": [[1]], "V": [[1e308]], "W_O": [[10]]}, "update"),
        ({"Q": [[1]], "K": [[1]], "V": [[1e308]], "W_O": [[1]], "X": [[1e308]]}, "output"),
        ({"Q": [[1e154]], "K": [[1e154]], "V": [[1]], "mask": {"bias": [[1.7e308]]}}, "masked"),
    ],
)
def test_an_overflow_is_refused_and_names_its_step(body, step, refusal):
    assert refusal("attention", **body)[1].startswith(f"{step} overflows")


def test_an_overflow_in_one_of_several_heads_names_the_head(refusal):
    W = {"W_Q": [[1e200], [1]], "W_K": [[1], [1]], "W_V": [[1], [1]]}
    assert "head 1: Q overflows" in refusal("multihead", X=[[1e200]], n_heads=2, **W)[1]


def test_the_largest_scores_that_fit_are_computed(steps):
    found = steps("attention", Q=[[1e154]], K=[[1e154], [-1e154]], V=[[1], [2]], scale=1)
    assert found["scores"] == [[1e308, -1e308]]
    assert found["weights"] == [[1.0, 0.0]]


def test_scores_of_thousands_leave_no_nan(steps):
    found = steps("attention", Q=[[1000.0]], K=[[3.0], [2.0], [-4.0]], V=[[1], [2], [3]])
    assert found["weights"] == [[1.0, 0.0, 0.0]]


def test_zeros_and_ones_as_a_bias_hide_nothing(steps):
    found = steps("attention", **QKV, mask={"bias": [[1, 0]]})
    assert all(weight > 0.1 for weight in found["weights"][0])
    assert found["masked"][0][0] == found["scaled"][0][0] + 1


def test_a_bias_is_added_after_the_scale(steps):
    found = steps("attention", **QKV, mask={"bias": [[10, -10]]}, scale=0.5)
    assert found["masked"] == [[0.375 + 10, 0.75 - 10]]


@pytest.mark.parametrize("name", ["keep", "block"])
def test_numbers_are_no_mask(name, refusal):
    pointer, said = refusal("attention", **QKV, mask={name: [[1, 0]]})
    assert pointer == f"#/mask/{name}/0/0"
    assert "true or false" in said


def test_padding_hides_a_key_from_every_query_and_no_query(steps):
    square = {"Q": QKV["K"], "K": QKV["K"], "V": QKV["V"]}
    found = steps("attention", **square, mask={"keep_keys": [True, False]})
    assert found["weights"] == [[1.0, 0.0], [1.0, 0.0]]


def test_a_negative_scale_turns_the_ranking_round(steps):
    plain, turned = (steps("attention", **QKV, scale=s)["weights"][0] for s in (1, -1))
    assert plain[0] < plain[1]
    assert turned[0] == pytest.approx(plain[1], rel=1e-15)


def test_a_scale_of_0_is_a_scale(steps):
    assert steps("attention", **QKV, scale=0)["weights"] == [[0.5, 0.5]]


@pytest.mark.parametrize("softcap", [0, -1, -0.0])
def test_a_soft_cap_is_positive(softcap, refusal):
    assert refusal("attention", **QKV, softcap=softcap)[0] == "#/softcap"


def test_a_soft_cap_far_below_the_scores_evens_them_out(steps):
    found = steps("attention", **QKV, softcap=1e-6)
    capped = [1e-6 * float(mpmath.tanh(s / mpmath.sqrt(2) / 1e-6)) for s in (0.75, 1.5)]
    np.testing.assert_allclose(found["capped"][0], capped, 1e-15)
    np.testing.assert_allclose(found["weights"], [[0.5, 0.5]], 1e-6)


def test_an_update_of_another_width_is_not_broadcast_onto_x(refusal):
    pointer, _ = refusal("attention", **QKV, X=[[1.0, 2.0]], W_O=[[1.0]])
    assert pointer == "#/W_O"


def test_as_many_values_as_keys_are_needed(refusal):
    assert refusal("attention", **QKV | {"V": [[3.0]]})[0] == "#/V"


def test_keys_as_wide_as_queries_are_needed(refusal):
    assert refusal("attention", **QKV | {"K": [[1.0], [2.0]]})[0] == "#/K"


def test_a_mask_wider_than_the_scores_is_refused(refusal):
    keep = [[True, False, True]]
    assert refusal("attention", **QKV, mask={"keep": keep})[0] == "#/mask/keep"


@pytest.mark.parametrize("window", [0, -1, 2.5])
def test_a_window_is_a_positive_count(window, refusal):
    assert refusal("mask", n_q=3, mask={"causal": True, "window": window})[0] == "#/mask/window"


def test_a_table_of_40_thousand_million_cells_is_refused_at_once(refusal):
    assert refusal("mask", n_q=200_000, n_k=200_000, mask={"causal": True})[0] == "#/n_q"


def test_a_gain_of_one_number_is_not_broadcast(refusal):
    assert refusal("layernorm", x=[[1.0, 2.0, 3.0]], gamma=[1.0])[0] == "#/gamma"


def test_a_row_whose_squares_overflow_is_refused_rather_than_zero(refusal):
    assert refusal("layernorm", x=[[3e200, -3e200]])[1].startswith("variance overflows")


def test_heads_in_groups_of_unequal_size_are_refused(refusal):
    W = {"W_Q": np.eye(6).tolist(), "W_K": np.ones((4, 6)).tolist()}
    body = {"X": [[1.0] * 6], "n_heads": 3, "n_kv_heads": 2, **W, "W_V": W["W_K"]}
    assert "multiple" in refusal("multihead", **body)[1]


def test_a_count_beyond_2_to_the_53_is_exact(ask):
    sizes = {"d_model": 999_999, "n_layers": 1_001, "n_heads": 999, "d_ff": 3_999_996}
    totals = ask("params", sizes | {"vocab_size": 50_257, "context": 2_049})["totals"]
    d, layers, d_ff = 999_999, 1_001, 3_999_996
    layer = 4 * d * d + 4 * d + 2 * d * d_ff + d_ff + d + 4 * d
    total = layers * layer + 2 * d + (50_257 + 2_049) * d
    assert totals["exact"]["total"] == str(total)
