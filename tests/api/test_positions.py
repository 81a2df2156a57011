"""Positions over HTTP: what each kind takes, what it says it used, and what it refuses."""

import pytest
from refusals import assert_problem

X = [[1.0, 2.0, 3.0, 4.0], [0.5, -1.0, 0.25, 2.0]]
HEAD = {"W_Q": [[1, 0, 0, 0]], "W_K": [[1, 0, 0, 0]], "W_V": [[1, 0, 0, 0]]}
TAKEN = {
    "sinusoidal": "base, d_model, features, n, offset, tokens, x",
    "rotary": "base, dims, features, offset, pairing, tokens, x",
    "alibi": "n, n_heads, n_k, offset",
}
ENOUGH = {
    "sinusoidal": {"n": 2, "d_model": 4},
    "rotary": {"x": X},
    "alibi": {"n": 2, "n_heads": 2},
}
MEMBERS = {
    "n": 2,
    "d_model": 4,
    "x": X,
    "base": 100,
    "offset": 1,
    "dims": 2,
    "pairing": "interleaved",
    "n_heads": 2,
    "n_k": 3,
    "tokens": ["a", "b"],
    "features": list("pqrs"),
}
LIMITS = "This must be from 0 to 1,099,511,627,776."
REFUSED = {
    "a_base_of_0": ({"base": 0}, "base", "This must be greater than 0."),
    "a_position_before_the_first": ({"offset": -1}, "offset", LIMITS),
    "too_far_a_position": ({"offset": 1 << 41}, "offset", LIMITS),
    "half_a_position": ({"offset": 0.5}, "offset", "This must be a whole number, not 0.5."),
    "labels_for_too_few": (
        {"tokens": ["a"]},
        "tokens",
        "tokens has 1 label, but there are 2 tokens; send one for each.",
    ),
    "features_for_too_few": (
        {"features": ["a"]},
        "features",
        "features has 1 label, but there are 4 numbers in a vector; send one for each.",
    ),
    "another_n_than_x": ({"n": 3}, "n", "n is 3, but x has 2 rows; leave n out."),
    "another_width_than_x": (
        {"d_model": 3},
        "d_model",
        "d_model is 3, but x has 4 columns; leave d_model out.",
    ),
    "angles_that_overflow": (
        {"base": 1e-320, "offset": 1 << 40, "x": [[0.0] * 40]},
        "base",
        "angles overflows: with a base of 9.99989e-321 the angle of position 1,099,511,627,776 does"
        " not fit a float64. Use a larger base; 10,000 is usual.",
    ),
    "a_step_that_is_not_there": (
        {"steps": ["rotated"]},
        "steps",
        'There is no step "rotated"; there are x, frequencies, angles, encoding, output.',
    ),
}


@pytest.fixture
def refuse(client):
    def post(path, body, pointer, sentence):
        assert_problem(client.post(f"/v1/{path}", json=body), 422, pointer, sentence)

    return post


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.parametrize("kind", TAKEN)
def test_a_kind_takes_its_own_members_and_refuses_the_rest(kind, name, client):
    response = client.post(
        "/v1/positions", json={"kind": kind, **ENOUGH[kind], name: MEMBERS[name]}
    )
    if name in TAKEN[kind].split(", "):
        assert response.status_code == 200, response.text
    else:
        assert_problem(
            response, 422, f"#/{name}", f"{kind} takes no {name}; it takes {TAKEN[kind]}."
        )


@pytest.mark.parametrize(
    ("kind", "name"), [("rotary", "x"), ("alibi", "n"), ("alibi", "n_heads")], ids="-".join
)
def test_a_kind_needs_some_members(kind, name, refuse):
    body = {"kind": kind, **ENOUGH[kind]}
    del body[name]
    refuse("positions", body, f"#/{name}", f"{name} is missing; {kind} needs it.")


@pytest.mark.parametrize(("change", "name", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_encoded_is_refused_by_its_place(change, name, sentence, refuse):
    refuse("positions", {"kind": "sinusoidal", "x": X, **change}, f"#/{name}", sentence)


def test_defaults_are_said_in_the_conventions(ask):
    shown = {"orientation": "rows"}
    of = {kind: ask("positions", {"kind": kind, **ENOUGH[kind]}) for kind in TAKEN}
    assert of["sinusoidal"]["conventions"] == {
        "kind": "sinusoidal",
        "base": 10_000.0,
        "offset": 0,
        **shown,
    }
    assert of["rotary"]["conventions"] == {
        "kind": "rotary",
        "base": 10_000.0,
        "offset": 0,
        "dims": 4,
        "pairing": "half_split",
        **shown,
    }
    assert of["alibi"]["conventions"] == {"kind": "alibi", "offset": 0, **shown}


def test_attention_says_how_it_turned_and_lowered(ask):
    body = {"Q": X, "K": X, "V": X, "rotary": {"offset": 3}, "alibi": {"slope": 0.5}}
    said = ask("attention", body)["conventions"]
    assert said["rotary"] == {
        "base": 10_000.0,
        "pairing": "half_split",
        "offset": 3,
        "key_offset": 0,
    }
    assert said["alibi"] == {"slope": 0.5, "offset": 0}


def test_each_head_says_its_own_slope(ask):
    heads = ask("multihead", {"X": X, "heads": [HEAD, HEAD], "alibi": {}})["heads"]
    slopes = [head["trace"]["conventions"]["alibi"]["slope"] for head in heads]
    assert slopes == [1 / 16, 1 / 256]


def test_a_position_of_2_to_the_40_is_written_in_full(ask):
    cell = {"step": "angles", "row": 0, "column": 0}
    body = {"kind": "sinusoidal", "n": 1, "d_model": 2, "offset": 1 << 40, "explain": [cell]}
    assert ask("positions", body)["explanations"][0]["text"] == "1099511627776·1 = 1099511627776"


def test_the_arithmetic_of_a_turn_names_its_pair(ask):
    cell = {"step": "rotated", "row": 1, "column": 2}
    body = {"kind": "rotary", "x": X, "base": 1, "explain": [cell], "significant_digits": 4}
    # Dimension 2 is the second of the pair (0, 2): 0.5 sin 1 + 0.25 cos 1 = 0.42074 + 0.13508.
    text = ask("positions", body)["explanations"][0]["text"]
    assert text == "0.5·sin(1) + 0.25·cos(1) = 0.5558"


def test_a_dimension_that_is_not_turned_says_so(ask):
    cell = {"step": "rotated", "row": 1, "column": 2}
    body = {"kind": "rotary", "x": X, "dims": 2, "explain": [cell]}
    assert ask("positions", body)["explanations"][0]["text"] == "not rotated: 0.25"


def test_columns_have_a_token_in_each(ask):
    body = {"kind": "sinusoidal", "n": 1, "d_model": 4, "orientation": "columns"}
    encoding = ask("positions", body)["steps"][-1]
    assert (encoding["shape"], encoding["axes"]) == ([4, 1], ["d_model", "token"])
    assert encoding["value"] == [[0], [1], [0], [1]]


def test_asking_for_one_step_changes_none_of_its_bits(ask):
    body = {"kind": "rotary", "x": X, "offset": 5}
    everything = ask("positions", body)["steps"][-1]
    assert ask("positions", body | {"steps": ["rotated"]})["steps"] == [everything]
