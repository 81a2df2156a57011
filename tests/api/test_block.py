"""Blocks over HTTP: what is refused, where, and with which words; what is shown."""

import re

import pytest
from flask.testing import FlaskClient
from refusals import assert_problem

PATH = "/v1/block"
ONE = [[1.0, 0.0], [0.0, 1.0]]
HEADS = {"W_Q": ONE, "W_K": ONE, "W_V": ONE, "W_O": ONE}
LAYER = HEADS | {"W_up": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "W_down": [[1, 0, 1], [0, 1, 0]]}
BODY = {"X": [[1.0, 2.0], [0.5, -1.0]], "n_heads": 1, "blocks": [LAYER]}
GPT = {
    "token_ids": [0, 2],
    "embedding": [[1.0, 2.0], [0.5, -1.0], [0.0, 1.0]],
    "n_heads": 1,
    "blocks": [LAYER],
}
DECODER = BODY | {
    "kind": "decoder",
    "context": {"X": [[1.0, 2.0, 3.0]]},
    "blocks": [LAYER | {"cross": HEADS}],
}
SEED = {"seed": 1, "n_heads": 2, "d_model": 4, "n_tokens": 2}


def without(body, *names):
    return {name: value for name, value in body.items() if name not in names}


def layered(body, *names, **more):
    """The body with its only block changed."""
    return body | {"blocks": [without(body["blocks"][0], *names) | more]}


REFUSED = {
    "neither X nor tokens": (
        without(BODY, "X"),
        "#/X",
        "X is missing; send X, or token_ids and embedding, or a seed.",
    ),
    "X beside tokens": (
        BODY | {"token_ids": [0]},
        "#/token_ids",
        "token_ids is not used with X; leave one of the two out.",
    ),
    "no embedding": (
        without(GPT, "embedding"),
        "#/embedding",
        "embedding is missing; token_ids are rows of it.",
    ),
    "a token that is not there": (
        GPT | {"token_ids": [0, 3]},
        "#/token_ids/1",
        "Token 3 is not there; embedding has rows 0 to 2.",
    ),
    "two kinds of positions": (
        GPT | {"position_embedding": ONE, "sinusoidal": {}},
        "#/sinusoidal",
        "sinusoidal and position_embedding are both given; send one of the two.",
    ),
    "positions too narrow": (
        GPT | {"position_embedding": [[1.0], [2.0]]},
        "#/position_embedding",
        "position_embedding has 1 column, but embedding 2; they are added.",
    ),
    "positions too few": (
        GPT | {"position_embedding": [[1.0, 2.0]]},
        "#/position_embedding",
        "position_embedding has 1 row, but there are 2 tokens; each needs one.",
    ),
    "a vocabulary too short": (
        GPT | {"vocabulary": ["a"]},
        "#/vocabulary",
        "vocabulary has 1 label, but there are 3 rows of embedding; send one for each.",
    ),
    "a vocabulary of nothing": (
        BODY | {"vocabulary": ["a"]},
        "#/vocabulary",
        "vocabulary labels an unembedding; there is none.",
    ),
    "an unembedding too wide": (
        BODY | {"unembedding": [[1.0, 2.0, 3.0]]},
        "#/unembedding",
        "unembedding has 3 columns, but the blocks make 2; it has a row of 2 numbers for each"
        " word.",
    ),
    "no blocks": (
        without(BODY, "blocks"),
        "#/blocks",
        "blocks is missing; send at least one block, or a seed.",
    ),
    "no heads": (
        without(BODY, "n_heads"),
        "#/blocks/0/n_heads",
        "blocks/0/attention: n_heads is missing; send it here or for all blocks.",
    ),
    "heads of all blocks that do not fit": (
        BODY | {"n_heads": 3},
        "#/blocks/0/W_Q",
        "blocks/0/attention: W_Q is 2 × 2; its 2 rows cannot be cut into n_heads = 3 equal parts.",
    ),
    "groups of all blocks that do not fit": (
        BODY | {"n_heads": 3, "n_kv_heads": 2},
        "#/n_heads",
        "blocks/0/attention: n_heads is 3 and n_kv_heads 2; n_heads must be a multiple of it.",
    ),
    "a matrix missing": (
        layered(BODY, "W_V"),
        "#/blocks/0/W_V",
        "blocks/0/attention: W_V is missing; attention needs W_Q, W_K, W_V and W_O.",
    ),
    "no way back": (
        layered(BODY, "W_O"),
        "#/blocks/0/W_O",
        "blocks/0/attention: W_O is missing; attention needs W_Q, W_K, W_V and W_O.",
    ),
    "a matrix too wide": (
        layered(BODY, W_K=[[1.0, 2.0, 3.0]]),
        "#/blocks/0/W_K",
        "blocks/0/attention: W_K is 1 × 3, but X has 2 columns; it must be (n_kv_heads·d_k) × 2.",
    ),
    "a bias too long": (
        layered(BODY, b_Q=[1.0]),
        "#/blocks/0/b_Q",
        "blocks/0/attention: head 1: b_Q has 1 number, but W_Q makes 2; send one for each.",
    ),
    "a bias of the update too long": (
        layered(BODY, b_O=[1.0]),
        "#/blocks/0/b_O",
        "blocks/0/attention: b_O has 1 number, but W_O makes 2; send one for each.",
    ),
    "an MLP without W_up": (
        layered(BODY, "W_up"),
        "#/blocks/0/W_up",
        "blocks/0/mlp: W_up is missing; an MLP needs W_up and W_down.",
    ),
    "an MLP without W_down": (
        layered(BODY, "W_down"),
        "#/blocks/0/W_down",
        "blocks/0/mlp: W_down is missing; an MLP needs W_up and W_down.",
    ),
    "a W_up too wide": (
        layered(BODY, W_up=[[1.0, 2.0, 3.0]]),
        "#/blocks/0/W_up",
        "blocks/0/mlp: W_up is 1 × 3, but x has 2 columns; it must be d_ff × 2.",
    ),
    "a W_down too wide": (
        layered(BODY, W_down=ONE),
        "#/blocks/0/W_down",
        "blocks/0/mlp: W_down is 2 × 2, but the hidden layer has 3 columns; it must be"
        " d_model × 3.",
    ),
    "a W_down too narrow": (
        layered(BODY, W_down=[[1.0, 2.0, 3.0]]),
        "#/blocks/0/W_down",
        "blocks/0/mlp: W_down makes updates of 1 number, but x has 2 columns; the update is added"
        " to x, so both need d_model.",
    ),
    "a gate missing": (
        layered(BODY, activation="swiglu"),
        "#/blocks/0/W_gate",
        "blocks/0/mlp: W_gate is missing; swiglu needs it.",
    ),
    "a gate too many": (
        layered(BODY, W_gate=ONE),
        "#/blocks/0/W_gate",
        "blocks/0/mlp: W_gate is for a gated activation; gelu_tanh has no gate.",
    ),
    "a gate's bias too many": (
        layered(BODY, b_gate=[1.0]),
        "#/blocks/0/b_gate",
        "blocks/0/mlp: b_gate is for a gated activation; gelu_tanh has no gate.",
    ),
    "a gate too narrow": (
        layered(BODY, activation="swiglu", W_gate=ONE),
        "#/blocks/0/W_gate",
        "blocks/0/mlp: W_gate makes 2 numbers, but W_up 3; both need d_ff.",
    ),
    "a gain too long": (
        layered(BODY, norms={"mlp": {"gamma": [1.0]}}),
        "#/blocks/0/norms/mlp/gamma",
        "blocks/0/norm_mlp: gamma has 1 number, but x has 2 columns; send 2.",
    ),
    "a bias of RMSNorm": (
        layered(BODY | {"norm": "rms"}, norms={"attention": {"beta": [1.0, 2.0]}}),
        "#/blocks/0/norms/attention/beta",
        "blocks/0/norm_attention: RMSNorm has no beta; leave it out, or set norm to layer.",
    ),
    "a final gain too long": (
        BODY | {"final_norm": {"gamma": [1.0]}},
        "#/final_norm/gamma",
        "final_norm: gamma has 1 number, but x has 2 columns; send 2.",
    ),
    "a mask of a block that does not fit": (
        layered(BODY, mask={"keep_keys": [True]} | {"keep": [[True] * 3]}),
        "#/blocks/0/mask/keep",
        "blocks/0/attention: head 1: keep is 1 × 3, but the scores are 2 × 2 (queries × keys); it"
        " must be 2 × 2, 1 × 2 or 2 × 1.",
    ),
    "a mask of all blocks that does not fit": (
        BODY | {"mask": {"keep_keys": [True] * 3}},
        "#/mask/keep_keys",
        "blocks/0/attention: head 1: keep_keys has 3 flags, but there are 2 keys; send 2.",
    ),
    "a mask of the context that does not fit": (
        layered(
            DECODER,
            cross=HEADS
            | {"W_K": [[1, 2, 3]] * 2, "W_V": [[1, 2, 3]] * 2, "mask": {"keep_keys": [True] * 3}},
        ),
        "#/blocks/0/cross/mask/keep_keys",
        "blocks/0/cross: head 1: keep_keys has 3 flags, but there is 1 key; send 1.",
    ),
    "slopes too few": (
        BODY | {"alibi": {"slopes": [0.5, 0.25]}},
        "#/alibi/slopes",
        "blocks/0/attention: slopes has 2 numbers, but there is 1 head.",
    ),
    "an odd width to rotate": (
        layered(BODY | {"n_heads": 2, "rotary": {}}),
        "#/rotary/dims",
        "blocks/0/attention: head 1: The width is 1; rotary needs an even one, or dims.",
    ),
    "no context": (
        without(DECODER, "context"),
        "#/context/X",
        "context.X is missing; a decoder looks at it.",
    ),
    "no cross": (
        layered(DECODER, "cross"),
        "#/blocks/0/cross",
        "cross is missing: the matrices with which a decoder looks at it.",
    ),
    "cross outside a decoder": (
        layered(BODY, cross=HEADS),
        "#/blocks/0/cross",
        "cross is for a decoder, but this block is of kind gpt.",
    ),
    "context outside a decoder": (
        BODY | {"context": {"X": ONE}},
        "#/context",
        "context is for blocks of kind decoder; there is none.",
    ),
    "keys too narrow for the context": (
        DECODER,
        "#/blocks/0/cross/W_K",
        "blocks/0/cross: W_K is 2 × 2, but context.X has 3 columns; it must be"
        " (n_kv_heads·d_k) × 3.",
    ),
    "labels of the context too few": (
        layered(DECODER | {"context": {"X": ONE, "tokens": ["a"]}}),
        "#/context/tokens",
        "blocks/0/cross: head 1: context/tokens has 1 label, but there are 2 keys; send one for"
        " each.",
    ),
    "tokens too few": (
        BODY | {"tokens": ["a"]},
        "#/tokens",
        "tokens has 1 label, but there are 2 tokens; send one for each.",
    ),
    "features too few": (
        BODY | {"features": ["a"]},
        "#/features",
        "features has 1 label, but there are 2 columns of X; send one for each.",
    ),
    "scores that overflow": (
        layered(BODY, W_Q=[[1e200, 0], [0, 1]], W_K=[[1e200, 0], [0, 1]]),
        "#",
        "blocks/0/attention: head 1: scores overflows: its cell in row 0, column 0 does not fit a"
        " float64. Use smaller numbers.",
    ),
    "a bias of keys whose scores overflow": (
        layered(BODY, W_Q=[[1e200, 0], [0, 1]], b_K=[1e200, 0]),
        "#",
        "blocks/0/attention: head 1: scores overflows: its cell in row 0, column 0 does not fit a"
        " float64. Use smaller numbers.",
    ),
    "a bias of queries whose scores overflow": (
        layered(BODY, b_Q=[1e200, 0], W_K=[[1e200, 0], [0, 1]]),
        "#",
        "blocks/0/attention: head 1: scores overflows: its cell in row 0, column 0 does not fit a"
        " float64. Use smaller numbers.",
    ),
    "an MLP that overflows": (
        layered(BODY, W_up=[[1e300, 0], [0, 1]], W_down=[[1e300, 1], [1, 1]]),
        "#",
        "blocks/0/mlp: update overflows: its cell in row 1, column 0 does not fit a float64. Use"
        " smaller numbers.",
    ),
    "sizes without a seed": (
        BODY | {"n_layers": 2},
        "#/n_layers",
        "n_layers is for a seed to draw from; leave it out, or send a seed.",
    ),
    "a seed without a width": (
        without(SEED, "d_model"),
        "#/d_model",
        "d_model is missing; a seed needs it, or X.",
    ),
    "a seed without a length": (
        without(SEED, "n_tokens"),
        "#/n_tokens",
        "n_tokens is missing; a seed needs it, or tokens.",
    ),
    "a seed without heads": (
        without(SEED, "n_heads"),
        "#/n_heads",
        "n_heads is missing; a seed needs it, or blocks.",
    ),
    "a seed whose heads do not fit": (
        SEED | {"n_heads": 3},
        "#/n_heads",
        "n_heads is 3, but d_model 4; it must be a multiple of it.",
    ),
    "a seed whose groups do not fit": (
        SEED | {"n_kv_heads": 4},
        "#/n_heads",
        "n_heads is 2 and n_kv_heads 4; n_heads must be a multiple of it.",
    ),
    "a seed with two widths": (
        SEED | {"X": ONE},
        "#/d_model",
        "d_model is 4, but that of X is 2.",
    ),
    "a seed with two vocabularies": (
        SEED | {"vocab_size": 3, "vocabulary": ["a"]},
        "#/vocab_size",
        "vocab_size is 3, but that of vocabulary is 1.",
    ),
    "a seed with X and a vocabulary": (
        without(SEED, "d_model") | {"X": ONE, "vocab_size": 3},
        "#/vocab_size",
        "vocab_size is not used with X; leave one of the two out.",
    ),
    "tokens of a vocabulary without a size": (
        without(SEED, "n_tokens") | {"token_ids": [1]},
        "#/vocab_size",
        "vocab_size is missing; token_ids need it, or a vocabulary.",
    ),
    "a seed with blocks and layers": (
        BODY | {"seed": 1, "n_layers": 2},
        "#/n_layers",
        "n_layers is not used with blocks; leave one of the two out.",
    ),
    "too much to draw": (
        SEED | {"d_model": 512},
        "#/seed",
        "3,145,728 numbers would be drawn at once; at most 262,144 are. Use smaller sizes.",
    ),
    "too many blocks": (
        BODY | {"blocks": [LAYER] * 97},
        "#/blocks",
        "This must have at most 96 members, not 97.",
    ),
    "too many heads": (
        BODY | {"n_heads": 300, "blocks": [LAYER] * 2},
        "#/blocks",
        "There are 600 heads in all; at most 512 are taken.",
    ),
    "too many pairs of tokens": (
        BODY | {"X": [[0.0, 1.0]] * 2049},
        "#/blocks",
        "A step would hold 2,049 × 2,049 numbers; at most 4,194,304 are computed. Send fewer"
        " tokens or narrower matrices.",
    ),
    "too wide a hidden layer for so many tokens": (
        layered(BODY | {"X": [[0.0, 1.0]] * 1500}, W_up=[[0.0, 1.0]] * 3000),
        "#/blocks",
        "Tokens · width · blocks is 1,500 · 3,000 · 1 = 4,500,000; at most 1,048,576 numbers are"
        " held. Send fewer tokens or narrower matrices.",
    ),
    "labels by the megabyte": (
        BODY | {"tokens": ["a" * 800_000] * 2},
        "#/tokens",
        "The reply would repeat 17,600,044 bytes of labels; at most 16,777,216 are written."
        " Send shorter labels.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_by_place_and_with_a_way_out(
    name: str, client: FlaskClient
) -> None:
    body, pointer, sentence = REFUSED[name]
    assert_problem(client.post(PATH, json=body), 422, pointer, sentence)


def test_a_cell_of_one_trace_is_explained_by_its_path(client: FlaskClient) -> None:
    cell = {"trace": "blocks/0/mlp", "step": "up", "row": 0, "column": 1}
    reply = client.post(PATH, json=BODY | {"explain": [cell]}).get_json()
    (one,) = reply["blocks"][0]["mlp"]["explanations"]
    # LayerNorm of (1, 2) is (-1, 1), but for eps; the second row of W_up is (3, 4).
    assert re.fullmatch(r"\(-0\.99\d+\)·3 \+ 0\.99\d+·4 = 0\.99\d+", one["text"])
    assert not reply["blocks"][0]["add_mlp"]["explanations"]


def test_a_bias_is_part_of_the_arithmetic(client: FlaskClient) -> None:
    cells = [{"step": "Q", "row": 0}]
    body = layered(BODY, b_Q=[0.5, -0.25]) | {"placement": "post", "explain": cells}
    head = client.post(PATH, json=body).get_json()["blocks"][0]["attention"]["heads"][0]["trace"]
    texts = [one["text"] for one in head["explanations"]]
    assert texts == ["1·1 + 2·0 + 0.5 = 1.5", "1·0 + 2·1 + (-0.25) = 1.75"]
    Q = next(step for step in head["steps"] if step["name"] == "Q")
    assert Q["formula"] == r"Q = X W_Q^\top + b_Q"


@pytest.mark.parametrize(
    ("activation", "texts"),
    [
        ("relu", ["max(0, 1) = 1", "max(0, -1) = 0"]),
        ("gelu", ["1·(1 + erf(1 / √2)) / 2 =", "(-1)·(1 + erf(-1 / √2)) / 2 ="]),
        (
            "gelu_tanh",
            [
                "1·(1 + tanh(√(2 / π)·(1 + 0.044715·1^3))) / 2 =",
                "(-1)·(1 + tanh(√(2 / π)·(-1 + 0.044715·(-1)^3))) / 2 =",
            ],
        ),
        ("swiglu", ["1 / (1 + e^(-1)) =", "-1 / (1 + e^(1)) ="]),
    ],
)
def test_an_activation_is_written_out(
    activation: str, texts: list[str], client: FlaskClient
) -> None:
    zero = [[0.0, 0.0], [0.0, 0.0]]
    name = "gate" if activation == "swiglu" else "up"
    more = {"W_up": zero, "W_down": zero, f"W_{name}": zero, f"b_{name}": [1.0, -1.0]}
    cells = [{"step": "activated", "row": 0}]
    body = layered(BODY, **more) | {"activation": activation, "explain": cells}
    trace = client.post(PATH, json=body).get_json()["blocks"][0]["mlp"]
    for one, text in zip(trace["explanations"], texts, strict=True):
        assert one["text"].startswith(text)


def test_null_and_empty_lists_count_as_left_out(client: FlaskClient) -> None:
    empty = {"blocks": [LAYER | {"b_Q": [], "cross": None, "norms": None}], "token_ids": []}
    assert client.post(PATH, json=BODY | empty).get_json() == (
        client.post(PATH, json=BODY).get_json()
    )
