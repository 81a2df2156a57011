"""A teacher's rule is checked before students meet it, and a key can be computed."""

import pytest
from refusals import assert_problem

HEAD = {"Q": [[1, 2], [0, 1]], "K": [[3, -1], [1, 1]], "V": [[1], [2]], "mask": {"causal": True}}


def checked(client, task, **more):
    response = client.post("/v1/quiz/check", json={"task": task, **more})
    assert response.status_code == 200, response.text
    return response.get_json()


def computed(rule, step, **more):
    return {
        "rule": rule,
        "computed": {"operation": "attention", "request": HEAD, "step": step, **more},
    }


def in_the_laboratory(widths, **more):
    return {
        "rule": {"kind": "decimal_places", "places": 2},
        "computed": {
            "operation": "softmax",
            "request": {"seed": 1, "d_k": widths, "n_keys": 2, "draws": 1},
            "step": "weights",
            "row": 0,
            "column": 0,
            **more,
        },
    }


def test_a_sound_rule_is_usable_and_says_what_students_are_told(client):
    found = checked(client, {"rule": {"kind": "integer"}, "key": {"kind": "text", "text": "96²"}})
    assert (found["usable"], found["findings"], found["key"]) == (True, [], "9216")
    assert found["rule"] == "The whole number, exactly."
    assert {one["verdict"] for one in found["tried"]} == {"correct"}


def test_what_is_wrong_comes_with_a_code_and_what_to_change(client):
    task = {
        "rule": {"kind": "absolute", "tolerance": "1"},
        "key": {"kind": "number", "number": 0.47},
    }
    found = checked(client, task)
    assert not found["usable"]
    assert found["findings"] == [
        {
            "severity": "error",
            "code": "zero_passes",
            "message": "The window is so wide that 0 passes.",
        }
    ]


@pytest.mark.parametrize(
    ("decimals", "usable"), [(1, False), (2, True)], ids=["too tight", "wide enough"]
)
def test_the_prompts_own_precision_has_to_pass(client, decimals, usable):
    task = {
        "rule": {"kind": "absolute", "tolerance": "0.005"},
        "key": {"kind": "number", "number": 0.4721},
    }
    assert checked(client, task, asked={"decimals": decimals})["usable"] is usable


@pytest.mark.parametrize("named", [{}, {"trace": "experiments/0"}])
def test_the_one_trace_of_a_reply_need_not_be_named(client, named):
    task = in_the_laboratory([2], **named)
    task["computed"]["request"] = {"scores": [[3, 3, 3, 3]]}  # four weights that are alike
    assert checked(client, task)["key"] == "0.25"


def test_a_computed_key_is_the_step_of_the_operation(client):
    # 1·3 + 2·(−1) = 1
    found = checked(client, computed({"kind": "integer"}, "scores", row=0, column=0))
    assert found["key"] == "1"


def test_a_derived_tolerance_lets_honest_rounding_pass_and_no_more(client):
    # e^(-1/√2) / (e^(-1/√2) + e^(1/√2)) = 0.1956 from ∓0.7071, which may be rounded to ∓0.71:
    # e^(-0.71) / (e^(-0.71) + e^(0.71)) = 0.1947, and that to 0.19.
    rule = {"kind": "cells", "each": {"kind": "derived", "decimals": 2}}
    for typed, score in (("0.1956", 1), ("0.2", 1), ("0.19", 1), ("0.18", 0.75), ("0.21", 0.75)):
        item = {
            "task": computed(rule, "weights"),
            "answer": {"kind": "matrix", "matrix": [["1", "0"], [typed, "0.80"]]},
        }
        graded = client.post("/v1/quiz/grade", json={"items": [item]}).get_json()
        assert graded["items"][0]["score"] == score, typed


@pytest.mark.parametrize(
    ("task", "pointer", "sentence"),
    [
        (
            {
                "rule": {"kind": "derived", "decimals": 2},
                "key": {"kind": "number", "number": 1},
            },
            "#/task/rule",
            "A derived tolerance takes a computed key, whose steps it knows.",
        ),
        ({"rule": {"kind": "integer"}}, "#/task", "A task has one of key and computed."),
        (
            computed({"kind": "integer"}, "scores"),
            "#/task/computed/row",
            "A rule of one number takes one cell; give its row.",
        ),
        (
            computed({"kind": "integer"}, "scores", row=0, column=2),
            "#/task/computed/column",
            "scores has 2 columns, counted from 0.",
        ),
        (
            computed({"kind": "integer"}, "heads", row=0, column=0),
            "#/task/computed/step",
            "There is no step 'heads'; there are Q, K, scores, scaled, masked, weights, V, head.",
        ),
        (
            computed({"kind": "integer"}, "scores", row=0, column=0, trace="heads/0"),
            "#/task/computed/trace",
            "There is no trace 'heads/0'. There is one; leave this out.",
        ),
        (
            in_the_laboratory([2], trace="experiments/1"),
            "#/task/computed/trace",
            "There is no trace 'experiments/1'. There is experiments/0.",
        ),
        (
            in_the_laboratory([2, 8]),
            "#/task/computed/trace",
            "Name one of the traces. There are experiments/0, experiments/1.",
        ),
        (
            computed({"kind": "short_text"}, "scores"),
            "#/task/computed",
            "A number or a matrix can be computed; this rule takes neither.",
        ),
        (
            computed({"kind": "cells", "each": {"kind": "integer"}}, "scores", row=0),
            "#/task/computed/row",
            "This rule takes the whole matrix; leave row and column out.",
        ),
        (
            {
                "rule": {"kind": "integer"},
                "computed": {
                    "operation": "attention",
                    "request": {**HEAD, "K": [[1]]},
                    "step": "scores",
                },
            },
            "#/task/computed/request/K",
            "K has 1 column, but Q has 2; both need d_k.",
        ),
        (
            {
                "rule": {"kind": "integer"},
                "computed": {
                    "operation": "attention",
                    "request": {**HEAD, "K": [["1"]]},
                    "step": "scores",
                },
            },
            "#/task/computed/request/K/0/0",
            "A cell must be a number, not a string.",
        ),
    ],
)
def test_a_task_that_does_not_fit_together_is_refused_with_its_place(
    client, task, pointer, sentence
):
    response = client.post("/v1/quiz/check", json={"task": task})
    assert_problem(response, 422, pointer, sentence)


FORMULA = {"rule": {"kind": "expression", "variables": {"s": [-3, 3], "d": [1, 128]}}}


def formula(*slips):
    mistakes = [
        {"code": f"slip_{i}", "message": "No.", "answer": {"kind": "text", "text": slip}}
        for i, slip in enumerate(slips)
    ]
    return FORMULA | {"key": {"kind": "text", "text": "s/sqrt(d)"}, "misconceptions": mistakes}


@pytest.mark.parametrize(
    ("slips", "codes"),
    [
        ((), []),
        (("s/d",), []),
        (("s d^(-1/2)",), ["misconception_passes"]),
        (("s/d", "s*1/d"), ["misconceptions_coincide"]),
    ],
)
def test_a_formula_is_checked_by_its_values(client, slips, codes):
    found = checked(client, formula(*slips), locale="en")
    assert [one["code"] for one in found["findings"]] == codes
    assert found["key"] == "s/sqrt(d)"
