"""One small request for each kind of trace, with numbers that coincide nowhere."""

from typing import Any, NamedTuple

import numpy as np

Body = dict[str, Any]


class Sample(NamedTuple):
    """Where a request goes, and its body; `plain`: what is nudged shows in all that reads it."""

    path: str
    body: Body
    plain: bool = True


def numbers(seed: int, *shape: int) -> Any:
    """Numbers with two decimals and no zeros, as JSON."""
    rng = np.random.default_rng(seed)
    return (np.round(rng.uniform(0.1, 0.9, shape), 2) * rng.choice([-1, 1], shape)).tolist()


def weights(d_k: int, d_v: int, d_model: int, d_context: int, in_out: bool = False) -> Body:
    shapes = {
        "W_Q": (d_k, d_model),
        "W_K": (d_k, d_context),
        "W_V": (d_v, d_context),
        "W_O": (d_model, d_v),
    }
    return {
        name: numbers(10 + i, *(shape[::-1] if in_out else shape))
        for i, (name, shape) in enumerate(shapes.items())
    }


SELF: Body = {"X": numbers(1, 3, 4)} | weights(2, 3, 4, 4)
CROSS: Body = SELF | weights(2, 3, 4, 5) | {"context": {"X": numbers(2, 2, 5)}}
GIVEN: Body = {"Q": numbers(3, 2, 3), "K": numbers(4, 4, 3), "V": numbers(5, 4, 2)}
PARTS: Body = {
    "keep": [[True, True, False], [True, True, True], [False, True, True]],
    "block": [[False, False, False], [True, False, False], [False, False, False]],
    "keep_keys": [True, True, True],
    "bias": [[0.5, -0.25, 0.125], [0.75, None, 0.3], [0.2, -0.6, 0.45]],
}
NORM: Body = {"x": numbers(6, 2, 4), "delta": numbers(7, 2, 4)}
GAIN: Body = {"gamma": numbers(8, 4), "beta": numbers(9, 4)}
PACKED: Body = {
    "X": numbers(1, 3, 4),
    "n_heads": 2,
    "W_Q": numbers(20, 4, 4),
    "W_K": numbers(21, 4, 4),
    "W_V": numbers(22, 2, 4),
    "W_O": numbers(23, 4, 2),
}
GROUPED: Body = PACKED | {"n_kv_heads": 1, "W_K": numbers(24, 2, 4), "W_V": numbers(25, 1, 4)}
OWN: Body = {
    "X": numbers(1, 3, 4),
    "heads": [weights(2, 3, 4, 4), weights(1, 2, 4, 4)],
}


def layer(seed: int, d_model: int, d_ff: int, kv: int, bias: bool = True) -> Body:
    """The matrices of a block whose heads are as wide together as X; without b_K, which
    moves every score of a row alike, so that softmax does not feel it."""
    square, wide = (d_model, d_model), (kv, d_model)
    shapes = {"W_Q": square, "W_K": wide, "W_V": wide, "W_O": square}
    shapes |= {"W_up": (d_ff, d_model), "W_down": (d_model, d_ff)}
    found = {name: numbers(seed + i, *shape) for i, (name, shape) in enumerate(shapes.items())}
    if bias:
        sizes = {"b_Q": d_model, "b_V": kv, "b_O": d_model, "b_up": d_ff, "b_down": d_model}
        found |= {
            name: numbers(seed + 10 + i, size) for i, (name, size) in enumerate(sizes.items())
        }
    return found


def parted(*names: str) -> Body:
    return {"mask": {name: PARTS[name] for name in names}}


NORMS: Body = {
    "attention": GAIN,
    "mlp": {"gamma": numbers(40, 4), "beta": numbers(41, 4)},
}
BLOCK: Body = {"X": numbers(1, 3, 4), "n_heads": 2, "kind": "encoder"}
LAYER: Body = layer(50, 4, 3, 4)
CROSS_HEADS: Body = {
    "W_Q": numbers(80, 3, 3),
    "W_K": numbers(81, 3, 2),
    "W_V": numbers(82, 3, 2),
    "W_O": numbers(83, 3, 3),
    "b_K": numbers(84, 3),
    "mask": {"keep_keys": [True, False, True]},
}
TOKENS: Body = {"token_ids": [2, 0, 2], "embedding": numbers(90, 3, 3), "n_heads": 1}

SAMPLES = {
    "self": Sample("attention", SELF),
    "self_without_an_update": Sample(
        "attention", {name: part for name, part in SELF.items() if name != "W_O"}
    ),
    "cross": Sample("attention", CROSS),
    "given": Sample("attention", GIVEN),
    "given_beside_x": Sample(
        "attention", GIVEN | {"X": numbers(1, 2, 5), "W_O": numbers(11, 5, 2)}
    ),
    "in_out": Sample(
        "attention", SELF | weights(2, 3, 4, 4, in_out=True) | {"weights_layout": "in_out"}
    ),
    "scale": Sample("attention", GIVEN | {"scale": -0.75}),
    "softcap": Sample("attention", SELF | {"softcap": 0.5}),
    # Softmax does not feel a constant, nor does the weight of a single key feel anything.
    "one_token": Sample(
        "attention", {"Q": numbers(3, 1, 2), "K": numbers(4, 1, 2), "V": [[0.3]]}, plain=False
    ),
    # Scores of thousands and of billionths: written in full, they still come to the weights.
    "large": Sample(
        "attention",
        {"Q": [[300, -41.5]], "K": [[20, 7], [19.75, 6.5]], "V": [[1e9], [2e-9]]},
        plain=False,
    ),
    "tiny": Sample(
        "attention", GIVEN | {"scale": 1e-9, "V": (np.array(GIVEN["V"]) * 1e-12).tolist()}
    ),
    "finite_bias": Sample("attention", SELF | {"mask": {"bias": numbers(12, 3, 3)}}),
    "bias_of_a_row": Sample("attention", SELF | {"mask": {"bias": numbers(13, 1, 3)}}),
    "bias_of_a_column": Sample(
        "attention", SELF | {"mask": {"bias": numbers(14, 3, 1)}}, plain=False
    ),
    "causal": Sample("attention", SELF | {"mask": {"causal": True}}, plain=False),
    "window": Sample("attention", SELF | {"mask": {"causal": True, "window": 2}}, plain=False),
    "every_part": Sample("attention", SELF | parted(*PARTS), plain=False),
    "keep_of_a_column": Sample(
        "attention", SELF | {"mask": {"keep": [[True], [False], [True]]}}, plain=False
    ),
    "a_uniform_row": Sample(
        "attention",
        SELF | {"mask": {"keep": [[True], [False], [True]]}, "fully_masked_rows": "uniform"},
        plain=False,
    ),
    "softcap_and_bias": Sample("attention", SELF | {"softcap": 2} | parted("bias"), plain=False),
    "cross_with_hidden_keys": Sample(
        "attention", CROSS | {"mask": {"keep_keys": [False, True]}}, plain=False
    ),
    "mask": Sample("mask", {"scores": numbers(15, 3, 3)} | parted(*PARTS), plain=False),
    "mask_lower_right": Sample(
        "mask",
        {"scores": numbers(16, 2, 4), "mask": {"causal": True, "alignment": "lower_right"}},
        plain=False,
    ),
    "layer_norm": Sample("layernorm", {"x": NORM["x"]}),
    "post": Sample("layernorm", NORM | GAIN),
    "post_with_a_factor": Sample("layernorm", NORM | GAIN | {"delta_factor": -2.5, "eps": 0.125}),
    "pre": Sample("layernorm", NORM | GAIN | {"placement": "pre", "delta_factor": 20}),
    "rms": Sample("layernorm", NORM | {"gamma": GAIN["gamma"], "norm": "rms"}),
    "rms_pre": Sample("layernorm", NORM | {"norm": "rms", "placement": "pre"}),
    "packed_heads": Sample("multihead", PACKED),
    "grouped_heads": Sample("multihead", GROUPED | {"mask": {"causal": True}}, plain=False),
    "heads_of_their_own": Sample("multihead", OWN),
    "block": Sample("block", BLOCK | {"activation": "gelu", "blocks": [LAYER | {"norms": NORMS}]}),
    "block_pre": Sample(
        "block",
        BLOCK
        | {
            "placement": "pre",
            "activation": "gelu_tanh",
            "blocks": [LAYER | {"norms": NORMS}],
            "final_norm": {"gamma": numbers(42, 4)},
            "unembedding": numbers(43, 3, 4),
        },
    ),
    "block_gated": Sample(
        "block",
        BLOCK
        | {
            "norm": "rms",
            "activation": "swiglu",
            "n_kv_heads": 1,
            "rotary": {"base": 20.0},
            "alibi": {"offset": 1},
            "weights_layout": "in_out",
            "blocks": [
                {
                    name: np.transpose(part).tolist()
                    for name, part in layer(60, 4, 3, 2, bias=False).items()
                }
                | {"W_gate": numbers(70, 4, 3), "b_gate": numbers(71, 3)}
            ],
        },
    ),
    "block_decoder": Sample(
        "block",
        {
            "kind": "decoder",
            "X": numbers(1, 2, 3),
            "context": {"X": numbers(2, 3, 2)},
            "n_heads": 1,
            "blocks": [layer(50, 3, 2, 3) | {"cross": CROSS_HEADS, "b_K": numbers(85, 3)}],
        },
        plain=False,
    ),
    "block_gpt": Sample(
        "block",
        TOKENS
        | {
            "position_embedding": numbers(91, 3, 3),
            "final_norm": {"gamma": numbers(44, 3), "beta": numbers(45, 3)},
            "blocks": [layer(50, 3, 2, 3), layer(70, 3, 2, 3, bias=False)],
        },
        plain=False,
    ),
    "block_sinusoidal": Sample(
        "block",
        TOKENS | {"sinusoidal": {"offset": 2}, "blocks": [layer(50, 3, 2, 3, bias=False)]},
        plain=False,
    ),
    "block_without_positions": Sample(
        "block", TOKENS | {"blocks": [layer(50, 3, 2, 3, bias=False)]}, plain=False
    ),
    "scaling": Sample("softmax", {"Q": GIVEN["Q"], "K": GIVEN["K"]}),
    "scaling_with_a_temperature": Sample(
        "softmax", {"Q": GIVEN["Q"], "K": GIVEN["K"], "scale": -0.75, "temperature": 0.4}
    ),
    "scaling_of_scores": Sample(
        "softmax", {"scores": [[0.5, None, -0.25], [0.125, 0.75, 0.3]], "scale": 0.6}, plain=False
    ),
    "move": Sample(
        "move", {"x": numbers(26, 4), "V": numbers(27, 3, 4), "weights": numbers(28, 3)}
    ),
    "sinusoidal": Sample("positions", {"kind": "sinusoidal", "n": 3, "d_model": 4, "offset": 2}),
    "sinusoidal_of_an_odd_width": Sample(
        "positions", {"kind": "sinusoidal", "x": numbers(29, 2, 5), "base": 12.5}
    ),
    "rotary": Sample("positions", {"kind": "rotary", "x": numbers(30, 3, 6), "base": 20.0}),
    "rotary_of_the_first_dimensions": Sample(
        "positions",
        {
            "kind": "rotary",
            "x": numbers(31, 2, 5),
            "dims": 4,
            "pairing": "interleaved",
            "offset": 7,
            "base": 0.25,
        },
    ),
    "alibi": Sample("positions", {"kind": "alibi", "n_heads": 3, "n": 2, "n_k": 4, "offset": 1}),
    "rotated_head": Sample("attention", SELF | {"rotary": {}, "alibi": {"slope": 0.3}}),
    "rotated_cross_attention": Sample(
        "attention",
        CROSS
        | {"rotary": {"base": 30.0, "offset": 4, "key_offset": 1, "pairing": "interleaved"}}
        | {"alibi": {"slope": -0.15, "offset": 3}, "softcap": 0.5},
    ),
    "rotated_grouped_heads": Sample("multihead", GROUPED | {"rotary": {}, "alibi": {}}),
}
