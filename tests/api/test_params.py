"""Counts over HTTP: published numbers, sums that add up, and integers that no client misreads."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from refusals import assert_is_problem, assert_problem

# Published with the released weights, or counted from the papers' tables.
RELEASED = {
    "gpt2": 124_439_808,
    "gpt2-medium": 354_823_168,
    "gpt2-large": 774_030_080,
    "gpt2-xl": 1_557_611_200,
    "llama2-7b": 6_738_415_616,
    "llama2-70b": 68_976_648_192,
}
PUBLISHED = {
    "transformer-base": 65_000_000,
    "transformer-big": 213_000_000,
    "gpt3-small": 125_000_000,
    "gpt3-13b": 13_000_000_000,
    "gpt3": 175_000_000_000,
    "llama2-7b": 7_000_000_000,
}
PRESETS = [
    "transformer-base",
    "transformer-big",
    "gpt2",
    "gpt2-medium",
    "gpt2-large",
    "gpt2-xl",
    "gpt3-small",
    "gpt3-medium",
    "gpt3-large",
    "gpt3-xl",
    "gpt3-2.7b",
    "gpt3-6.7b",
    "gpt3-13b",
    "gpt3",
    "llama2-7b",
    "llama2-70b",
]
TINY = {
    "d_model": 4,
    "n_layers": 2,
    "n_heads": 2,
    "d_ff": 8,
    "vocab_size": 10,
    "context": 5,
    "positions": "none",
    "biases": False,
    "norm": "none",
}

presets = pytest.mark.parametrize("preset", PRESETS)


def get(client: FlaskClient, preset: str) -> Any:
    response = client.get("/v1/params", query_string={"preset": preset})
    assert response.status_code == 200, response.text
    return response.get_json()


def post(client: FlaskClient, **body: Any) -> Any:
    response = client.post("/v1/params", json=body)
    assert response.status_code == 200, response.text
    return response.get_json()


def total(client: FlaskClient, **changes: Any) -> int:
    return post(client, **TINY | changes)["totals"]["total"]


@pytest.mark.parametrize("preset", RELEASED)
def test_a_preset_has_as_many_weights_as_were_released(client: FlaskClient, preset: str) -> None:
    assert get(client, preset)["totals"]["total"] == RELEASED[preset]


@pytest.mark.parametrize("preset", PUBLISHED)
def test_the_published_number_stands_beside_the_computed_one(
    client: FlaskClient, preset: str
) -> None:
    reply = get(client, preset)
    assert reply["published"]["value"] == PUBLISHED[preset]
    assert reply["totals"]["total"] == pytest.approx(PUBLISHED[preset], rel=0.05)
    assert reply["totals"]["total"] != PUBLISHED[preset]


@presets
def test_a_preset_is_the_same_in_a_query_and_in_a_body(client: FlaskClient, preset: str) -> None:
    query = client.get(f"/v1/params?preset={preset}")
    assert client.post("/v1/params", json={"preset": preset}).data == query.data


@presets
def test_a_component_counts_what_its_shape_holds(client: FlaskClient, preset: str) -> None:
    for part in get(client, preset)["components"]:
        rows, columns = part["shape"]
        assert part["count"] == rows * columns
        assert part["total"] == part["count"] * part["times"]


@presets
def test_the_components_add_up_to_the_total(client: FlaskClient, preset: str) -> None:
    reply = get(client, preset)
    assert sum(part["total"] for part in reply["components"]) == reply["totals"]["total"]


@presets
def test_the_groups_add_up_to_the_total(client: FlaskClient, preset: str) -> None:
    totals = get(client, preset)["totals"]
    assert sum(group["total"] for group in totals["groups"].values()) == totals["total"]
    for kind in ("weights", "biases", "norms"):
        assert sum(group[kind] for group in totals["groups"].values()) == totals[kind]


@presets
def test_the_layers_add_up(client: FlaskClient, preset: str) -> None:
    totals = get(client, preset)["totals"]
    layers = sum(one["layer"]["total"] * one["n_layers"] for one in totals["per_layer"])
    assert layers == totals["layers"]["total"]


def test_a_model_small_enough_to_count_by_hand(client: FlaskClient) -> None:
    # embedding 10·4; each layer: 4 matrices of 4·4 and an MLP of 4·8 and 8·4
    assert total(client) == 40 + 2 * (4 * 16 + 2 * 32)


SWITCHES = {
    "an unembedding of its own": ({"tied": False}, 10 * 4),
    "learned positions": ({"positions": "learned"}, 5 * 4),
    "sinusoidal positions": ({"positions": "sinusoidal"}, 0),
    "rotary positions": ({"positions": "rotary"}, 0),
    "biases of attention": ({"attention_biases": True}, 2 * 4 * 4),
    "biases of the MLP": ({"mlp_biases": True}, 2 * (8 + 4)),
    "biases": ({"biases": True}, 2 * (4 * 4 + 8 + 4)),
    "a gated MLP": ({"mlp": "gated"}, 2 * 32),
    "norms with gain and bias": ({"norm": "layer"}, 2 * 2 * 8 + 8),
    "norms with gain alone": ({"norm": "rms"}, 2 * 2 * 4 + 4),
    "no last norm": ({"norm": "rms", "final_norm": False}, 2 * 2 * 4),
    "shared keys and values": ({"n_kv_heads": 1}, -2 * 2 * 8),
    "wider heads": ({"d_head": 4}, 2 * 4 * 16),
    "wider values": ({"d_v": 4}, 2 * 2 * 16),
    "a default MLP": ({"d_ff": None}, 2 * 2 * 32),
    "one more layer": ({"n_layers": 3}, 4 * 16 + 2 * 32),
}


@pytest.mark.parametrize(("change", "more"), SWITCHES.values(), ids=SWITCHES)
def test_a_switch_adds_what_it_says(client: FlaskClient, change: Any, more: int) -> None:
    assert total(client, **change) - total(client) == more


def test_a_member_beside_a_preset_changes_it(client: FlaskClient) -> None:
    untied = post(client, preset="gpt2", tied=False)["totals"]["total"]
    assert untied - RELEASED["gpt2"] == 50_257 * 768


def test_without_a_preset_nothing_is_published(client: FlaskClient) -> None:
    assert "published" not in post(client, **TINY)


def test_scores_are_the_square_of_the_context(client: FlaskClient) -> None:
    scores = post(client, **TINY)["scores"]
    found = (scores["per_head"], scores["per_layer"], scores["total"])
    assert found == (25, 2 * 25, 2 * 2 * 25)
    assert scores["causal_visible_per_head"] == 15


def test_the_cache_holds_a_key_and_a_value_for_each_head_and_layer(client: FlaskClient) -> None:
    cache = post(client, **TINY, bytes_per_value=4)["kv_cache"]
    assert cache["values_per_token"] == 2 * 2 * 2 * 2
    assert cache["bytes_at_context"] == 16 * 4 * 5


def test_a_multiply_add_counts_as_two(client: FlaskClient) -> None:
    flops = post(client, **TINY)["flops"]
    assert flops["scores"] == 2 * (2 * 2 * 25 * 2)
    assert flops["attention_projections"] == 2 * 5 * 2 * 4 * 16
    assert flops["mlp"] == 2 * 5 * 2 * 2 * 32
    assert flops["logits"] == 2 * 5 * 40


def test_every_default_is_said_in_the_conventions(client: FlaskClient) -> None:
    sizes = {"d_model": 8, "n_heads": 2, "n_layers": 1, "vocab_size": 3, "context": 4}
    said = post(client, **sizes)["conventions"]
    expected = {
        "architecture": "decoder_only",
        "n_encoder_layers": 0,
        "n_decoder_layers": 1,
        "n_kv_heads": 2,
        "d_head": 4,
        "d_v": 4,
        "d_ff": 32,
        "tied": True,
        "attention_biases": True,
        "mlp_biases": True,
        "norm": "layer",
        "norm_beta": True,
        "final_norm": True,
        "positions": "learned",
        "mlp": "plain",
        "bytes_per_value": 2,
    }
    assert {name: said[name] for name in expected} == expected


# Integers


def numbers(node: Any) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """Each number of a reply with the object and the name that hold it."""
    for name, value in node.items() if isinstance(node, dict) else ():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield node, name, value
        yield from numbers(value)
    for value in node if isinstance(node, list) else ():
        yield from numbers(value)


@presets
def test_every_count_of_a_preset_is_a_json_integer(client: FlaskClient, preset: str) -> None:
    assert all(type(value) is int for _, _, value in numbers(get(client, preset)))


HUGE = {
    "d_model": 10**6,
    "n_layers": 10,
    "n_heads": 1000,
    "vocab_size": 10**9,
    "context": 10**9,
    "positions": "none",
}


def test_a_number_that_a_double_may_not_hold_is_also_given_as_text(client: FlaskClient) -> None:
    reply = post(client, **HUGE)
    large = [(of, name, value) for of, name, value in numbers(reply) if value > 2**53 - 1]
    assert large
    for of, name, value in large:
        assert float(of["exact"][name]) == float(value)


def test_the_text_is_exact_where_the_number_is_rounded(client: FlaskClient) -> None:
    scores = post(client, **HUGE)["scores"]
    # n (n + 1) / 2 for n = 10⁹, times 1,000 heads and 10 layers
    assert scores["exact"]["causal_visible_total"] == "5000000005000000000000"
    assert scores["causal_visible_total"] == 5.000000005e21


def test_where_all_numbers_fit_there_is_no_exact_text(client: FlaskClient) -> None:
    assert "exact" not in json.dumps(post(client, **TINY))


def test_more_weights_than_fit_64_bits_are_refused(client: FlaskClient) -> None:
    body = dict.fromkeys(("d_model", "n_layers", "n_heads", "vocab_size", "context"), 10**9)
    response = client.post("/v1/params", json=body)
    assert_is_problem(response, 422)
    assert "use sizes below 2^63 in all" in response.get_json()["detail"]


# Refusals


@pytest.mark.parametrize("name", ["d_model", "n_heads", "vocab_size", "context"])
def test_without_a_preset_each_size_is_needed(client: FlaskClient, name: str) -> None:
    body = {key: value for key, value in TINY.items() if key != name}
    sentence = f"{name} is missing; send it, or a preset."
    assert_problem(client.post("/v1/params", json=body), 422, f"#/{name}", sentence)


REFUSED = {
    "no layers": (
        {"n_layers": None},
        "#/n_layers",
        "n_layers is missing; decoder_only needs the number of its layers.",
    ),
    "heads that do not divide": (
        {"n_heads": 3},
        "#/d_head",
        "d_head is missing, and its default d_model / n_heads is not whole: d_model is 4, n_heads"
        " is 3; give d_head, or an n_heads that divides 4.",
    ),
    "a stack too many": (
        {"n_encoder_layers": 3},
        "#/n_encoder_layers",
        "n_encoder_layers is 3, but decoder_only has one stack, which n_layers counts; give"
        " n_layers instead, or set architecture to encoder_decoder.",
    ),
    "a bias that RMSNorm lacks": (
        {"norm": "rms", "norm_beta": True},
        "#/norm_beta",
        "norm_beta is true, but norm is rms, which has no β; set norm to layer, or norm_beta to"
        " false.",
    ),
    "size 0": (
        {"d_model": 0},
        "#/d_model",
        "This must be from 1 to 1,000,000,000.",
    ),
    "a size beyond reason": (
        {"context": 10**9 + 1},
        "#/context",
        "This must be from 1 to 1,000,000,000.",
    ),
    "half a layer": ({"n_layers": 0.5}, "#/n_layers", "This must be a whole number, not 0.5."),
    "an unknown architecture": (
        {"architecture": "rnn"},
        "#/architecture",
        'This must be one of decoder_only, encoder_only, encoder_decoder, not "rnn".',
    ),
}


@pytest.mark.parametrize(("change", "pointer", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_configuration_that_makes_no_model_is_refused(
    client: FlaskClient, change: Any, pointer: str, sentence: str
) -> None:
    response = client.post("/v1/params", json=TINY | change)
    assert_problem(response, 422, pointer, sentence)


def test_a_query_without_a_preset_is_refused(client: FlaskClient) -> None:
    assert_problem(
        client.get("/v1/params"),
        422,
        "#/preset",
        f"Which preset? ?preset=gpt3 is one. Known: {', '.join(PRESETS)}.",
    )


def test_an_unknown_parameter_of_the_query_is_named(client: FlaskClient) -> None:
    response = client.get("/v1/params?preset=gpt3&tide=false")
    assert_is_problem(response, 422)
    assert response.get_json()["errors"][0]["pointer"] == "#/tide"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_nearest_preset_is_named(client: FlaskClient, method: str) -> None:
    sent = {"query_string" if method == "GET" else "json": {"preset": "lama2-7b"}}
    response = client.open("/v1/params", method=method, **sent)
    assert_is_problem(response, 422)
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == "#/preset"
    assert error["detail"].startswith(
        "There is no preset lama2-7b. Did you mean llama2-7b? Known: transformer-base, "
    )


def test_the_presets_that_are_named_are_those_there_are(client: FlaskClient) -> None:
    known = client.get("/v1/params?preset=none").get_json()["detail"].partition("Known: ")[2]
    assert known == f"{', '.join(PRESETS)}."
