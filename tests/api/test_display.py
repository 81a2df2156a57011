"""Numbers for people: so many decimals, and rows of weights that still sum to 1."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import assert_problem

from service.api.display import largest_remainder

QKV = {"Q": [[0]], "K": [[0], [0], [0]], "V": [[1], [2], [3]]}


def shown(ask, **more):
    """The steps' displays by name."""
    body = {**QKV, "display": 2, **more}
    return {step["name"]: step.get("display") for step in ask("attention", body)["steps"]}


def test_three_thirds_are_shown_so_that_they_sum_to_one(ask):
    assert shown(ask)["weights"] == [["0.34", "0.33", "0.33"]]


def test_what_is_no_weight_is_rounded_cell_by_cell(ask):
    # 1/3 + 2/3 + 3/3 = 2
    assert shown(ask, V=[[1.005], [2], [-0.001]])["V"] == [["1.00"], ["2.00"], ["0.00"]]


def test_a_blocked_cell_is_shown_as_minus_infinity(ask):
    steps = shown(ask, mask={"keep_keys": [True, False, True]})
    assert steps["masked"] == [["0.00", "−∞", "0.00"]]
    assert steps["weights"] == [["0.50", "0.00", "0.50"]]


def test_columns_turn_what_is_shown(ask):
    assert shown(ask, orientation="columns")["weights"] == [["0.34"], ["0.33"], ["0.33"]]


def test_without_display_no_step_has_one(ask):
    assert set(shown(ask, display=None).values()) == {None}


def test_display_is_said_in_the_conventions(ask):
    assert ask("attention", {**QKV, "display": 0})["conventions"]["display"] == 0


def test_the_numbers_beside_it_stay_as_they_are(ask):
    plain, both = (ask("attention", {**QKV, **more}) for more in ({}, {"display": 1}))
    assert [step["value"] for step in plain["steps"]] == [step["value"] for step in both["steps"]]


def test_a_trace_too_large_to_be_read_is_not_put_into_words(client):
    body = {"Q": [[1]] * 300, "K": [[1]] * 300, "V": [[1]] * 300, "display": 2}
    assert_problem(
        client.post("/v1/attention", json=body),
        422,
        "#/display",
        "The steps have 361,200 cells; at most 65,536 are put into words in one reply. Ask for"
        " fewer steps, or leave display out.",
    )


@pytest.mark.parametrize("decimals", [0, 1, 2, 4])
@given(scores=st.lists(st.floats(-9, 9), min_size=1, max_size=12))
def test_any_row_of_weights_sums_to_one_as_shown(scores, decimals):
    e = np.exp(np.array([scores]))
    weights = e / e.sum()
    units = largest_remainder(weights, 10**decimals)
    assert units.sum() == 10**decimals
    # Nobody is moved by a whole unit, and nobody below 0.
    assert (np.abs(units - weights * 10**decimals) < 1 + 1e-9).all()
    assert (units >= 0).all()


def test_the_shown_weights_of_the_calculator_sum_to_one(ask, client):
    body = client.get("/v1/examples/calculator").get_json()["body"]
    steps = {s["name"]: s for s in ask("attention", {**body, "display": 2})["steps"]}
    assert steps["weights"]["display"][3] == ["0.03", "0.47", "0.47", "0.03"]
    assert [sum(map(Decimal, row)) for row in steps["weights"]["display"]] == [1, 1, 1, 1]
