"""What a reply is asked to show changes no bit of what it computes."""

import decimal
import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from provenance import nodes, traces
from samples import SAMPLES, numbers

from service.engine.blocks import rows_a_block

ATTENTION_STEPS = ["X", "Q", "K", "scores", "scaled", "masked", "weights", "V", "head", "update"]


def shown(reply):
    """The steps of every trace by path and name, with values as they are written."""
    return {
        (path, step["name"]): step
        for path, trace in traces(reply).items()
        for step in trace["steps"]
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_each_step_asked_for_alone_has_the_bits_of_the_whole(name, ask):
    sample = SAMPLES[name]
    whole = shown(ask(sample.path, sample.body))
    for last in {last for _, last in whole}:
        alone = shown(ask(sample.path, sample.body | {"steps": [last]}))
        assert alone == {node: step for node, step in whole.items() if node[1] == last}


@pytest.mark.parametrize("pair", list(itertools.combinations(ATTENTION_STEPS, 2)), ids="+".join)
def test_any_two_steps_have_the_bits_of_the_whole(pair, ask):
    sample = SAMPLES["every_part"]
    whole = shown(ask(sample.path, sample.body))
    two = shown(ask(sample.path, sample.body | {"steps": list(pair)}))
    assert two == {node: step for node, step in whole.items() if node[1] in pair}


@pytest.mark.parametrize("name", SAMPLES)
def test_arithmetic_on_demand_changes_no_bit(name, ask):
    sample = SAMPLES[name]
    plain, explained = (
        ask(sample.path, sample.body),
        ask(sample.path, sample.body | {"explain": "all"}),
    )
    assert nodes(plain) == nodes(explained)


@pytest.mark.parametrize("name", SAMPLES)
def test_rounding_is_of_the_finished_number(name, ask):
    sample = SAMPLES[name]
    plain = nodes(ask(sample.path, sample.body))
    rounded = nodes(ask(sample.path, sample.body | {"significant_digits": 3}))
    for node, step in plain.items():
        expected = [
            [cell if cell is None else nearest(cell, 3) for cell in row] for row in step["value"]
        ]
        assert rounded[node]["value"] == expected, node


@pytest.fixture(scope="module")
def long():
    """Enough tokens for three blocks, which are written as they are computed."""
    n_q = 2 * rows_a_block(900) + 16
    return {"Q": numbers(1, n_q, 3), "K": numbers(2, 900, 3), "V": numbers(3, 900, 2)}


@pytest.mark.parametrize("step", ["scores", "scaled", "masked", "weights", "head"])
def test_a_step_of_many_blocks_has_the_same_bits_alone(step, long, ask):
    body = long | {"mask": {"causal": True, "alignment": "lower_right"}}
    whole, alone = ask("attention", body), ask("attention", body | {"steps": [step]})
    assert shown(alone)["", step] == shown(whole)["", step]


def test_many_blocks_in_columns_are_the_exact_transpose(long, ask):
    rows = ask("attention", long | {"steps": ["weights"]})
    columns = ask("attention", long | {"steps": ["weights"], "orientation": "columns"})
    assert np.array(columns["steps"][0]["value"]).T.tolist() == rows["steps"][0]["value"]


def test_the_rows_of_a_long_trace_are_those_of_a_short_one(long, ask):
    whole = shown(ask("attention", long))["", "weights"]["value"]
    # One query alone is another product for the processor, which may round its sums differently.
    alone = shown(ask("attention", long | {"Q": long["Q"][77:78]}))["", "weights"]["value"]
    np.testing.assert_allclose(whole[77], alone[0], 1e-13)


def nearest(x, digits):
    """The float64 nearest to the decimal that x, taken exactly, rounds to."""
    context = decimal.Context(digits, decimal.ROUND_HALF_EVEN, Emin=-10_000, Emax=10_000)
    return float(context.plus(decimal.Decimal(x)))


def as_shown(ask, values, digits):
    body = {"scores": [values], "significant_digits": digits, "steps": ["scores"]}
    return ask("mask", body)["steps"][0]["value"][0]


HARD = [
    1e-300, 5e-324, 2.2250738585072014e-308, 9.9995, 0.65, 7.35, 2.4595, 6.525, 0.1, 0.3,
    1e22, 1e23, 8.5e22, 999999.5, 9.9999999999999995, 123456789.5, 4.5, 5.5, 2.5, -0.65, -1e-7,
    1.0000000000000002, 1e16, 4503599627370497.5, 1e300, -1.2345678901234567e-289, 0.0, -0.0,
]  # fmt: skip


@pytest.mark.parametrize("digits", range(1, 18))
def test_hard_numbers_are_rounded_as_decimals_are(digits, ask):
    assert as_shown(ask, HARD, digits) == [nearest(x, digits) for x in HARD]


@given(
    st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20),
    st.integers(1, 17),
)
def test_any_number_is_rounded_as_a_decimal_is(ask, values, digits):
    assert as_shown(ask, values, digits) == [nearest(x, digits) for x in values]


@given(st.integers(1, 10**9), st.integers(-45, 35), st.integers(1, 12))
def test_a_number_that_ends_in_5_is_rounded_from_its_exact_value(ask, head, exponent, digits):
    x = float(f"{head}5e{exponent}")
    assert as_shown(ask, [x], digits) == [nearest(x, digits)]


def test_the_largest_number_is_not_rounded_to_infinity(ask):
    largest = math.nextafter(math.inf, 0)
    assert all(cell is not None for cell in as_shown(ask, [largest, -largest], 1))


@pytest.mark.parametrize(
    "shown",
    [{}, {"orientation": "columns"}, {"significant_digits": 2}, {"steps": ["scores"]}],
    ids=["plain", "columns", "rounded", "one_step"],
)
@pytest.mark.parametrize("n", [1, 30], ids=["few_cells", "many_cells"])
def test_a_negative_zero_is_written_without_its_sign(n, shown, client):
    body = {"Q": [[-0.0, 0.0]] * n, "K": [[1, 0.0]] * n, "V": [[-0.0]] * n, "scale": -1} | shown
    text = client.post("/v1/attention", json=body).text
    assert not re.search(r"-0\.0[],]", text)
