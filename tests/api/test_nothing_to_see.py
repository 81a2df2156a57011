"""fully_masked_rows over HTTP: what a row with nothing to see gets, and that the reply says so."""

import pytest
from refusals import assert_problem

HIDE_SECOND = {"keep": [[True, True], [False, False]]}
ONE = [[1, 0], [0, 1]]
GIVEN = {"Q": [[1, 0], [0, 1]], "K": [[1, 0], [0, 1]], "V": [[2], [4]], "mask": HIDE_SECOND}
HEADS = {"X": ONE, "heads": [{"W_Q": ONE, "W_K": ONE, "W_V": ONE, "mask": HIDE_SECOND}]}
MATRICES = {"W_Q": ONE, "W_K": ONE, "W_V": ONE, "W_O": ONE, "W_up": ONE, "W_down": ONE}
BLOCK = {"X": ONE, "n_heads": 1, "blocks": [MATRICES], "mask": HIDE_SECOND}
SCORES = {"scores": [[1, 1], [1, 1]], "mask": HIDE_SECOND}
WARNINGS = {
    "zeros": "The mask hides every key from row 1: weights and head are 0 there.",
    "uniform": "The mask hides every key from row 1: each key, though hidden, has the same weight"
    " there, so the head is the mean of all values.",
}


def trace_of(reply):
    """The trace of the attention in a reply to any of the operations."""
    reply = reply["blocks"][0]["attention"] if "blocks" in reply else reply
    return reply["heads"][0]["trace"] if "heads" in reply else reply


def step(trace, name):
    return next(step for step in trace["steps"] if step["name"] == name)


KINDS = {"attention": GIVEN, "mask": SCORES, "multihead": HEADS, "block": BLOCK}
every = pytest.mark.parametrize(("path", "body"), KINDS.items(), ids=KINDS)


@every
@pytest.mark.parametrize(("rule", "weight"), [("zeros", 0.0), ("uniform", 0.5)])
def test_a_row_with_nothing_to_see_gets_what_was_asked_for(ask, path, body, rule, weight):
    trace = trace_of(ask(path, {**body, "fully_masked_rows": rule}))
    assert step(trace, "weights")["value"][1] == [weight, weight]
    assert trace["conventions"]["fully_masked_rows"] == rule
    assert [one["message"] for one in trace["warnings"]] == [WARNINGS[rule]]
    assert all(law["holds"] for law in trace["invariants"])


@every
def test_zeros_are_what_is_given_where_nothing_is_asked_for(ask, path, body):
    assert ask(path, body) == ask(path, {**body, "fully_masked_rows": "zeros"})


@every
def test_what_is_hidden_stays_hidden_and_null_in_a_uniform_row(ask, path, body):
    masked = step(trace_of(ask(path, {**body, "fully_masked_rows": "uniform"})), "masked")
    assert (masked["value"][1], masked["hidden"][1]) == ([None, None], [1, 1])


@pytest.mark.parametrize("orientation", ["rows", "columns"])
def test_the_formula_of_the_weights_says_what_such_a_row_gets(ask, orientation):
    body = {**GIVEN, "orientation": orientation}
    plain, spread = (
        step(ask("attention", {**body, "fully_masked_rows": rule}), "weights")["formula"]
        for rule in ("zeros", "uniform")
    )
    assert spread == plain + r", \text{ or } 1/n_k \text{ if } i \text{ may see nothing}"


def test_the_arithmetic_of_a_uniform_cell_is_one_over_the_number_of_keys(ask):
    cell = {"step": "weights", "row": 1, "column": 0}
    body = {**GIVEN, "fully_masked_rows": "uniform", "explain": [cell]}
    one = ask("attention", body)["explanations"][0]
    assert one["text"] == "nothing may be seen, so 1 / 2 = 0.5"
    assert one["latex"] == r"\text{nothing may be seen, so } \frac{1}{2} = 0.5"


def test_nan_is_not_offered(client):
    body = {**GIVEN, "fully_masked_rows": "nan"}
    assert_problem(
        client.post("/v1/attention", json=body),
        422,
        "#/fully_masked_rows",
        'This must be one of zeros, uniform, not "nan".',
    )


def test_the_two_rules_compared_differ_in_the_row_that_sees_nothing_alone(ask, client):
    body = client.get("/v1/examples/nothing-to-see").get_json()["body"]
    reply = ask("compare", body)
    changed = {one["step"]: one["cells"] for one in reply["traces"][0]["changed"]}
    assert {name: {cell["row"] for cell in cells} for name, cells in changed.items()} == {
        "weights": {2},
        "head": {2},
    }
    assert [cell["after"] for cell in changed["weights"]] == [1 / 3] * 3
    assert reply["conventions"] == [
        {"trace": "", "name": "fully_masked_rows", "before": '"zeros"', "after": '"uniform"'}
    ]
