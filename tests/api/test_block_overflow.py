"""Blocks in which a cell does not fit a float64 are refused, with the trace and the step."""

import pytest
from flask.testing import FlaskClient
from refusals import assert_problem

ONE = [[1.0, 0.0], [0.0, 1.0]]
LAYER = dict.fromkeys(("W_Q", "W_K", "W_V", "W_O", "W_up", "W_down"), ONE)
BODY = {"n_heads": 1, "activation": "relu"}
X = {"X": [[1.0, 2.0]]}
LARGE = [[1e200, 0.0], [0.0, 1e200]]
# Of x = (−1, 1), or nearly, the first row makes 1.7e308, and twice as much with its bias.
DIFFERENCE = [[-0.85e308, 0.85e308], [0.0, 1.0]]
TOO_MUCH, TOO_LITTLE = [1.7e308, 0.0], [-1.7e308, 0.0]

REFUSED = {
    "embeddings and positions": (
        {"token_ids": [0], "embedding": [TOO_MUCH], "position_embedding": [TOO_MUCH]},
        {},
        "X overflows: its cell in row 0, column 0",
    ),
    "the squares of a row": (
        {"X": [[1e200, -1e200]]},
        {},
        "blocks/0/norm_attention: variance overflows: its cell in row 0, column 0",
    ),
    "a gain and a bias": (
        X,
        {"norms": {"mlp": {"gamma": [1.7e308, 1.7e308], "beta": TOO_LITTLE}}},
        "blocks/0/norm_mlp: output overflows: its cell in row 0, column 0",
    ),
    "the bias of all heads": (
        X,
        {"W_O": [[1.7e308, 0.0], [0.0, 1.0]], "b_O": TOO_LITTLE},
        "blocks/0/attention: update overflows: its cell in row 0, column 0",
    ),
    "x and what is added to it": (
        {"X": [[1.7e308]]},
        {**{name: [[1.0]] for name in LAYER}, "b_O": [1.7e308]},
        "blocks/0/add_attention: output overflows: its cell in row 0, column 0",
    ),
    "up": (
        X,
        {"W_up": DIFFERENCE, "b_up": TOO_MUCH},
        "blocks/0/mlp: up overflows: its cell in row 0, column 0",
    ),
    "up below, which relu makes 0": (
        X,
        {"W_up": [[0.85e308, -0.85e308], [0.0, 1.0]], "b_up": TOO_LITTLE},
        "blocks/0/mlp: up overflows: its cell in row 0, column 0",
    ),
    "gate": (
        X,
        {"W_gate": DIFFERENCE, "b_gate": TOO_MUCH, "activation": "swiglu"},
        "blocks/0/mlp: gate overflows: its cell in row 0, column 0",
    ),
    "up and gate": (
        X,
        {"W_up": LARGE, "W_gate": LARGE, "activation": "swiglu"},
        "blocks/0/mlp: gated overflows: its cell in row 0, column 1",
    ),
    "down": (
        X,
        {"W_up": [[1e120, 0.0], [0.0, 1e120]], "W_down": LARGE},
        "blocks/0/mlp: update overflows: its cell in row 0, column 1",
    ),
    "the sum of a norm after the sublayer": (
        X | {"placement": "post"},
        {"W_up": LARGE, "W_down": [[0.0, 1e-30], [0.0, 0.0]]},
        "blocks/0/add_norm_mlp: variance overflows: its cell in row 0, column 0",
    ),
    "logits": (
        {"token_ids": [0], "embedding": [[1.0, 2.0]], "unembedding": [[1.7e308, 1.7e308]]},
        {},
        "logits overflows: its cell in row 0, column 0",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_overflows_is_refused_by_trace_and_step(client: FlaskClient, what: str) -> None:
    around, of_block, said = REFUSED[what]
    body = BODY | around | {"blocks": [LAYER | of_block]}
    detail = f"{said} does not fit a float64. Use smaller numbers."
    assert_problem(client.post("/v1/block", json=body), 422, "#", detail)


def test_large_numbers_that_fit_are_not_refused(client: FlaskClient) -> None:
    body = BODY | {"X": [[1e153, -1e153]], "blocks": [LAYER | {"W_up": LARGE, "W_down": ONE}]}
    reply = client.post("/v1/block", json=body)
    assert reply.status_code == 200
    assert reply.get_json()["blocks"][0]["mlp"]["steps"][-1]["value"] == [[1e200, 0.0]]
