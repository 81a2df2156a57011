"""Blocks by hand, and laws that each must obey."""

import numpy as np
import pytest

ONE = [[1.0, 0.0], [0.0, 1.0]]
NOTHING = [[0.0, 0.0], [0.0, 0.0]]
ATTENTION = {"W_Q": ONE, "W_K": ONE, "W_V": ONE, "W_O": ONE, "n_heads": 1}
# max(0, x₁ - x₂ + 1) and max(0, 2 x₂), mapped back to their sum and their difference.
MLP = {
    "W_up": [[1.0, -1.0], [0.0, 2.0]],
    "b_up": [1.0, 0.0],
    "W_down": [[1.0, 1.0], [1.0, -1.0]],
    "b_down": [0.0, 0.5],
}
SILENT = ATTENTION | {"W_O": NOTHING} | MLP
X = [[3.0, 1.0], [-1.0, 0.5], [0.0, -2.0]]


def numbers(*shape, seed=1):
    return np.round(np.random.default_rng(seed).normal(size=shape), 3).tolist()


def drawn_block(d=4, d_ff=6, seed=1):
    shapes = {"W_Q": (d, d), "W_K": (d, d), "W_V": (d, d), "W_O": (d, d)}
    shapes |= {"W_up": (d_ff, d), "W_down": (d, d_ff)}
    return {name: numbers(*s, seed=seed + i) for i, (name, s) in enumerate(shapes.items())}


GPT = {
    "token_ids": [2, 0, 1, 2],
    "embedding": numbers(3, 4, seed=30),
    "position_embedding": numbers(5, 4, seed=31),
    "n_heads": 2,
    "blocks": [drawn_block(seed=40), drawn_block(seed=50)],
    "final_norm": {"gamma": numbers(4, seed=32), "beta": numbers(4, seed=33)},
}
ENCODER = {"kind": "encoder", "n_heads": 2, "X": numbers(4, 4), "blocks": [drawn_block()]}


def step(trace, name):
    return np.array(next(step["value"] for step in trace["steps"] if step["name"] == name))


def output(reply):
    """What the last block comes to."""
    last = list(reply["blocks"][-1])[-1]
    return step(reply["blocks"][-1][last], "output")


# By hand


def test_an_mlp_by_hand(ask):
    body = {"X": X, "blocks": [SILENT], "kind": "encoder", "placement": "post", "eps": 1e-300}
    trace = ask("block", body)["blocks"][0]["mlp"]
    # LayerNorm of two numbers is 1, -1 where the first is larger, else -1, 1.
    assert step(trace, "x").tolist() == [[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]]
    assert step(trace, "up").tolist() == [[3.0, -2.0], [-1.0, 2.0], [3.0, -2.0]]
    assert step(trace, "activated").tolist() == [[3.0, 0.0], [0.0, 2.0], [3.0, 0.0]]
    assert step(trace, "update").tolist() == [[3.0, 3.5], [2.0, -1.5], [3.0, 3.5]]


def test_a_gate_multiplies(ask):
    gate = {"W_gate": NOTHING, "b_gate": [0.0, 0.0], "activation": "swiglu"}
    body = {"X": X, "blocks": [SILENT | gate], "kind": "encoder"}
    trace = ask("block", body)["blocks"][0]["mlp"]
    assert not step(trace, "gated").any()
    assert step(trace, "update").tolist() == [[0.0, 0.5]] * 3


def test_sublayers_that_say_nothing_leave_x_as_it_is_with_the_norm_before(ask):
    silent = ATTENTION | MLP | {"W_O": NOTHING, "W_down": NOTHING, "b_down": [0.0, 0.0]}
    body = {"X": X, "blocks": [silent, silent], "placement": "pre"}
    assert output(ask("block", body)).tolist() == X


def test_embeddings_are_rows_with_their_positions(ask):
    body = {
        "token_ids": [1, 0, 1],
        "embedding": [[1.0, 2.0], [3.0, 4.0]],
        "position_embedding": [[0.5, 0.0], [0.25, 0.0], [0.0, 1.0], [9.0, 9.0]],
        "blocks": [SILENT],
    }
    trace = ask("block", body)["embedding"]
    assert step(trace, "token_embeddings").tolist() == [[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
    assert step(trace, "X").tolist() == [[3.5, 4.0], [1.25, 2.0], [3.0, 5.0]]


def test_sinusoidal_positions_are_those_of_positions(ask):
    body = {"token_ids": [0, 0], "embedding": [[0.0, 0.0]], "sinusoidal": {"base": 50, "offset": 3}}
    trace = ask("block", body | {"blocks": [SILENT]})["embedding"]
    how = {"kind": "sinusoidal", "n": 2, "d_model": 2, "base": 50, "offset": 3}
    assert step(trace, "X").tolist() == step(ask("positions", how), "encoding").tolist()


def test_the_next_token_is_the_likeliest_after_the_last_one(ask):
    words = ["a", "b", "c"]
    reply = ask("block", GPT | {"vocabulary": words})
    p = step(reply["unembedding"], "probabilities")
    choice = int(p[-1].argmax())
    expected = {"id": choice, "probability": p[-1, choice], "label": words[choice]}
    assert reply["next_token"] == expected
    assert reply["unembedding"]["axes"]["vocab"]["labels"] == words
    assert reply["blocks"][0]["mlp"]["axes"]["token"]["labels"] == ["c", "a", "b", "c"]


# What the kinds and options mean


@pytest.mark.parametrize(
    ("kind", "placement", "activation", "causal"),
    [("encoder", "post", "relu", False), ("gpt", "pre", "gelu_tanh", True)],
)
def test_a_kind_stands_for_a_published_model(kind, placement, activation, causal, ask):
    reply = ask("block", ENCODER | {"kind": kind})
    (block,) = reply["blocks"]
    assert (block["kind"], block["placement"]) == (kind, placement)
    assert block["mlp"]["conventions"]["activation"] == activation
    head = block["attention"]["heads"][0]["trace"]
    assert head["conventions"]["mask"]["causal"] == causal
    assert reply["conventions"]["dropout"] == "none"


def test_a_decoder_is_causal_to_itself_and_not_to_the_context(ask):
    cross = {name: W for name, W in drawn_block(seed=9).items() if name not in ("W_up", "W_down")}
    body = ENCODER | {"kind": "decoder", "context": {"X": numbers(3, 4, seed=8)}}
    body["blocks"] = [drawn_block() | {"cross": cross}]
    (block,) = ask("block", body)["blocks"]
    own = step(block["attention"]["heads"][0]["trace"], "weights")
    other = step(block["cross"]["heads"][0]["trace"], "weights")
    assert not np.triu(own, 1).any()
    assert other.shape == (4, 3)
    assert other.all()


def test_a_mask_that_says_causal_false_shows_all_in_gpt(ask):
    (block,) = ask("block", ENCODER | {"kind": "gpt", "mask": {"causal": False}})["blocks"]
    assert step(block["attention"]["heads"][0]["trace"], "weights").all()


def test_a_mask_of_padding_leaves_gpt_causal(ask):
    mask = {"keep_keys": [True, False, True, True]}
    (block,) = ask("block", ENCODER | {"kind": "gpt", "mask": mask})["blocks"]
    weights = step(block["attention"]["heads"][0]["trace"], "weights")
    assert not np.triu(weights, 1).any()
    assert not weights[:, 1].any()


def test_a_block_of_its_own_kind_and_heads_among_others(ask):
    own = drawn_block(seed=60) | {"kind": "encoder", "n_heads": 1, "name": "first"}
    first, second = ask("block", GPT | {"blocks": [own, drawn_block()]})["blocks"]
    assert (first["name"], second["name"]) == ("first", "block 2")
    assert (len(first["attention"]["heads"]), len(second["attention"]["heads"])) == (1, 2)
    assert (first["placement"], second["placement"]) == ("post", "pre")


# Laws


def test_the_attention_of_a_block_is_that_of_multihead(ask):
    (block,) = ask("block", ENCODER)["blocks"]
    W = {name: W for name, W in ENCODER["blocks"][0].items() if name not in ("W_up", "W_down")}
    alone = ask("multihead", W | {"X": ENCODER["X"], "n_heads": 2})
    assert step(block["attention"]["combined"], "update").tolist() == (
        step(alone["combined"], "update").tolist()
    )


def test_add_and_norm_is_that_of_layernorm(ask):
    (block,) = ask("block", ENCODER)["blocks"]
    trace = block["add_norm_attention"]
    body = {"x": ENCODER["X"], "delta": step(block["attention"]["combined"], "update").tolist()}
    assert step(trace, "output").tolist() == step(ask("layernorm", body), "output").tolist()


def test_an_encoder_does_not_know_the_order_of_tokens(ask):
    order = [2, 0, 3, 1]
    one = output(ask("block", ENCODER))
    other = output(ask("block", ENCODER | {"X": [ENCODER["X"][i] for i in order]}))
    np.testing.assert_allclose(other, one[order], rtol=0, atol=1e-13, strict=True)


def test_gpt_says_of_earlier_tokens_the_same_whatever_comes_later(ask):
    one = step(ask("block", GPT)["unembedding"], "logits")
    other = step(ask("block", GPT | {"token_ids": [2, 0, 1, 0]})["unembedding"], "logits")
    assert one[:3].tolist() == other[:3].tolist()
    assert (one[3] != other[3]).all()


def test_two_blocks_are_one_after_the_other(ask):
    both = ask("block", ENCODER | {"blocks": GPT["blocks"]})
    first = ask("block", ENCODER | {"blocks": GPT["blocks"][:1]})
    then = ENCODER | {"blocks": GPT["blocks"][1:], "X": output(first).tolist()}
    assert output(ask("block", then)).tolist() == output(both).tolist()


def test_an_unembedding_that_is_the_embedding_is_tied(ask):
    tied, given = ask("block", GPT), ask("block", GPT | {"unembedding": GPT["embedding"]})
    assert tied["unembedding"]["conventions"]["tied"] is True
    assert given["unembedding"]["conventions"]["tied"] is False
    logits = [step(reply["unembedding"], "logits").tolist() for reply in (tied, given)]
    assert logits[0] == logits[1]


def test_output_is_the_path_of_the_last_step(ask):
    assert ask("block", ENCODER)["output"] == "blocks/0/add_norm_mlp/output"
    assert ask("block", GPT)["output"] == "final_norm/output"


def test_weights_in_the_other_layout_say_the_same(ask):
    turned = [{k: np.transpose(W).tolist() for k, W in b.items()} for b in GPT["blocks"]]
    one, other = (
        ask("block", GPT),
        ask("block", GPT | {"weights_layout": "in_out", "blocks": turned}),
    )
    logits = [step(reply["unembedding"], "logits") for reply in (one, other)]
    np.testing.assert_allclose(*logits, rtol=0, atol=1e-13)
