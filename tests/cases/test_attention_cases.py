"""Cases from public reports, read from a folder beside the repository.

Without that folder the tests of the engine hold the same kinds with numbers of their own.
"""

import numpy as np
import pytest
from case_requests import (
    STEP_OF,
    attention_forms,
    layernorm_request,
    mask_request,
    multihead_forms,
    params_request,
    positions_forms,
    speaks_of_positions,
)
from cases_folder import cases

CASES = cases("attention.jsonl")

EXCLUDED = {
    "L12": "the variant of RMSNorm that stores gamma − 1 is optional and not offered",
}


def cases_of(op):
    """The cases of one operation; those of positions are apart, whatever they call themselves."""
    return [
        case
        for case in CASES
        if ("positions" if speaks_of_positions(case) else case["op"]) == op
        and case["id"] not in EXCLUDED
    ]


def refused(case):
    return isinstance(case["expected"], str)


def forms_of(op, forms, is_refused):
    return [
        pytest.param(case, asked, id=f"{case['id']}-{name}")
        for case in cases_of(op)
        if refused(case) == is_refused
        for name, asked in forms(case).items()
    ]


def plain(op, is_refused):
    return [
        pytest.param(case, id=case["id"]) for case in cases_of(op) if refused(case) == is_refused
    ]


def post(client, asked):
    return client.post(f"/v1/{asked.path}", json=asked.body)


def values(trace, columns=False):
    """Each step's value by name; null is −∞, and tokens are rows."""
    read = {
        step["name"]: np.array(
            [[-np.inf if cell is None else cell for cell in row] for row in step["value"]]
        )
        for step in trace["steps"]
    }
    return {name: value.T for name, value in read.items()} if columns else read


def matrix(rows):
    return np.array([[-np.inf if cell is None else cell for cell in row] for row in rows])


def assert_close(actual, expected, options, name):
    rtol = options.get("tolerance", 1e-12)
    # 0.1 + 0.2 and the like: a sum that should be 0 may differ by a few units in the last place.
    np.testing.assert_allclose(actual, expected, rtol, 1e-15, err_msg=name, strict=True)


def is_also_acceptable(case, response):
    said = case["expected"].get("also_acceptable", "")
    return said.startswith("error") and 400 <= response.status_code < 500


def assert_refused(response):
    assert response.status_code in (413, 422), response.text
    assert response.content_type == "application/problem+json"
    assert response.get_json()["errors"][0]["pointer"].startswith("#")


@pytest.mark.parametrize(("case", "asked"), forms_of("attention", attention_forms, False))
def test_one_head_has_the_numbers_of_the_case(case, asked, client):
    response = post(client, asked)
    if is_also_acceptable(case, response):
        return
    assert response.status_code == 200, response.text
    steps = values(response.get_json(), asked.columns)
    for name, expected in case["expected"].items():
        if name != "also_acceptable":
            assert_close(steps[STEP_OF.get(name, name)], matrix(expected), case["options"], name)


@pytest.mark.parametrize(("case", "asked"), forms_of("attention", attention_forms, True))
def test_one_head_that_cannot_be_computed_is_refused(case, asked, client):
    assert_refused(post(client, asked))


def joined(parts):
    return np.concatenate(parts, axis=1)


def multihead_numbers(reply, asked, case):
    """What a case of several heads speaks of, from the traces of our reply."""
    heads = [values(head["trace"], asked.columns) for head in reply["heads"]]
    combined = values(reply["combined"], asked.columns)
    # Heads of one group repeat their keys and values.
    apart = heads[:: case["options"]["n_heads"] // case["options"]["n_kv_heads"]]
    return {
        "Q": joined([head["Q"] for head in heads]),
        "K": joined([head["K"] for head in apart]),
        "V": joined([head["V"] for head in apart]),
        "head_weights": np.array([head["weights"] for head in heads]),
        "head_outputs": np.array([head["head"] for head in heads]),
        "concat": combined["concat"],
        "output": combined["update"],
        "average_weights": np.mean([head["weights"] for head in heads], axis=0),
    }


@pytest.mark.parametrize(("case", "asked"), forms_of("multihead", multihead_forms, False))
def test_several_heads_have_the_numbers_of_the_case(case, asked, client):
    response = post(client, asked)
    assert response.status_code == 200, response.text
    found = multihead_numbers(response.get_json(), asked, case)
    for name, expected in case["expected"].items():
        assert_close(found[name], np.array(expected), case["options"], name)


@pytest.mark.parametrize(("case", "asked"), forms_of("multihead", multihead_forms, False))
def test_the_updates_of_several_heads_sum_to_the_output_of_the_case(case, asked, client):
    reply = post(client, asked).get_json()
    updates = [values(head["trace"], asked.columns)["update"] for head in reply["heads"]]
    assert_close(sum(updates), np.array(case["expected"]["output"]), case["options"], "update")


@pytest.mark.parametrize(("case", "asked"), forms_of("multihead", multihead_forms, True))
def test_heads_that_cannot_be_grouped_are_refused(case, asked, client):
    response = post(client, asked)
    assert_refused(response)
    assert "multiple" in response.get_json()["detail"]


@pytest.mark.parametrize("case", plain("mask", False))
def test_a_mask_hides_what_the_case_hides(case, client):
    response = post(client, mask_request(case))
    assert response.status_code == 200, response.text
    reply, expected = response.get_json(), case["expected"]
    steps = {step["name"]: step for step in reply["steps"]}
    hidden = np.array(steps["masked"]["hidden"])
    np.testing.assert_array_equal(hidden == 0, np.array(expected["keep"]), strict=True)
    assert steps["masked"]["value"] == expected["additive"]
    assert (hidden == 0).sum() == expected["visible"]
    assert hidden.sum() == expected["hidden"]
    weights = np.array(steps["weights"]["value"])
    assert np.flatnonzero(weights.sum(axis=1) == 0).tolist() == expected["fully_masked_rows"]


@pytest.mark.parametrize("case", plain("mask", True))
def test_a_mask_that_cannot_be_is_refused(case, client):
    assert_refused(post(client, mask_request(case)))


@pytest.mark.parametrize("window", [-1, 2.5])
@pytest.mark.parametrize("case", [pytest.param(c, id="M16") for c in CASES if c["id"] == "M16"])
def test_a_window_that_is_no_count_is_refused(case, window, client):
    asked = mask_request(case)
    asked.body["mask"]["window"] = window
    assert_refused(post(client, asked))


@pytest.mark.parametrize("case", plain("layernorm", False))
def test_add_and_norm_has_the_numbers_of_the_case(case, client):
    response = post(client, layernorm_request(case))
    if is_also_acceptable(case, response):
        return
    assert response.status_code == 200, response.text
    steps = values(response.get_json())
    for name, expected in case["expected"].items():
        if name == "output":
            assert_close(steps["output"], np.array(expected), case["options"], name)
        elif name in ("mean", "variance", "mean_square"):
            assert_close(steps[name][:, 0], np.array(expected), case["options"], name)
        else:
            assert name == "also_acceptable"


@pytest.mark.parametrize("case", plain("layernorm", True))
def test_add_and_norm_that_does_not_fit_is_refused(case, client):
    assert_refused(post(client, layernorm_request(case)))


def positions_numbers(reply, asked, case):
    """What a case of positions speaks of; several places are rows of one table."""
    steps = values(reply, asked.columns)
    if "rotated" in steps:
        return {"rotated": steps["rotated"][case["inputs"]["positions"]]}
    return {"pe": steps["encoding"]} if "encoding" in steps else {"slopes": steps["slopes"][:, 0]}


@pytest.mark.parametrize(("case", "asked"), forms_of("positions", positions_forms, False))
def test_positions_have_the_numbers_of_the_case(case, asked, client):
    response = post(client, asked)
    assert response.status_code == 200, response.text
    found = positions_numbers(response.get_json(), asked, case)
    for name, expected in case["expected"].items():
        assert_close(found[name], np.array(expected), case["options"], name)


def params_numbers(reply):
    """What a count speaks of, by the names of the cases."""
    totals, scores = reply["totals"], reply["scores"]
    layers, groups = totals["per_layer"], totals["groups"]
    final = [part["total"] for part in reply["components"] if "final_norm" in part["name"]]
    return {
        "per_layer_attention": layers[0]["attention"]["total"],
        "per_layer_ffn": layers[0]["mlp"]["total"],
        "per_layer_norms": layers[0]["norm"]["total"],
        "encoder_layer": layers[0]["layer"]["total"],
        "decoder_layer": layers[-1]["layer"]["total"],
        "layers_total": totals["layers"]["total"],
        "stacks_total": totals["layers"]["total"],
        "final_norm": sum(final),
        "token_embedding": groups["embedding"]["total"],
        "position_embedding": groups["positions"]["total"],
        "lm_head": groups["unembedding"]["total"],
        "per_head": scores["per_head"],
        "per_layer": scores["per_layer"],
        "causal_visible_per_head": scores["causal_visible_per_head"],
        "causal_visible_total": scores["causal_visible_total"],
        "total": totals["total"],
    }


# Totals that a case gives for another switch.
SWITCHED = {
    "total_with_two_final_norms": {"final_norm": True},
    "total_without_biases_in_attention": {"attention_biases": False},
    "total_embeddings_counted_three_times": {"tied": False},
}
NOT_COUNTS = {"total_as_nearest_double_WRONG", "encoding"}


@pytest.mark.parametrize("case", plain("params", False))
def test_a_configuration_has_the_counts_of_the_case(case, client):
    asked, expected = params_request(case), case["expected"]
    reply = post(client, asked).get_json()
    found = params_numbers(reply)
    if case["options"].get("what") == "score_count":
        found["total"] = reply["scores"]["total"]
    for name, change in SWITCHED.items():
        if name in expected:
            other = asked._replace(body=asked.body | change)
            found[name] = post(client, other).get_json()["totals"]["total"]
    for name in expected.keys() - NOT_COUNTS:
        assert found[name] == int(expected[name]), name


@pytest.mark.parametrize("case", [pytest.param(c, id="P13") for c in CASES if c["id"] == "P13"])
def test_a_count_that_no_double_holds_is_also_given_as_text(case, client):
    totals = post(client, params_request(case)).get_json()["totals"]
    assert totals["exact"]["total"] == case["expected"]["total"]


def test_every_case_is_run_or_excluded_by_name():
    run = {
        case["id"]
        for op in ("attention", "multihead", "mask", "layernorm", "params", "positions", "softmax")
        for case in cases_of(op)
    }
    assert run | EXCLUDED.keys() == {case["id"] for case in CASES}
