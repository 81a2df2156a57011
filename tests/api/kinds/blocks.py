"""Blocks, drawn ones and whole language models too."""

from kinds.bodies import drawn, labels, language_model, layer, stack
from kinds.kind import SIDE, Body, Kind, Kinds, varied
from kinds.paths import BLOCK

OF_BLOCKS: dict[str, Body] = {
    "gpt": {},
    "encoder": {"kind": "encoder"},
    "rms": {"norm": "rms"},
    "gelu": {"activation": "gelu"},
    "alibi": {"alibi": {}},
    "window": {"mask": {"window": 32}},
    "columns": {"orientation": "columns"},
    "4 digits": {"significant_digits": 4},
    "final norm": {"final_norm": {}},
}
BLOCKS: Kinds = {
    f"block, {name}, 2,048 tokens": Kind(
        BLOCK, lambda n, more=more: stack(n, **more), SIDE, "#/blocks"
    )
    for name, more in OF_BLOCKS.items()
}
BLOCKS |= {
    "block, decoder": Kind(
        BLOCK,
        lambda n: {
            "kind": "decoder",
            "X": varied(n),
            "context": {"X": varied(n)},
            "n_heads": 1,
            "blocks": [layer(cross={W: [[0.5]] for W in ("W_Q", "W_K", "W_V", "W_O")})],
        },
        1_448,
        "#/blocks",
    ),
    "block, 96 blocks": Kind(BLOCK, lambda n: stack(128, n), 96, "#/blocks"),
    "block, 96 blocks of many tokens": Kind(BLOCK, lambda n: stack(n, 96), 209, "#/blocks"),
    "block, wide hidden layer": Kind(BLOCK, lambda n: stack(1_024, 1, 1, n), 1_024, "#/blocks"),
    "block, gelu of a wide hidden layer": Kind(
        BLOCK, lambda n: stack(1_024, 1, 1, n, activation="gelu"), 1_024, "#/blocks"
    ),
    "block, swiglu": Kind(
        BLOCK,
        lambda n: {
            "X": varied(1_024),
            "n_heads": 1,
            "activation": "swiglu",
            "blocks": [layer(1, n, True)],
        },
        1_024,
        "#/blocks",
    ),
    "block, a language model of wide embeddings": Kind(
        BLOCK, lambda n: language_model(1_024, n, 2, final_norm={}), 1_024, "#/blocks"
    ),
    "block, a language model of many tokens": Kind(
        BLOCK, lambda n: language_model(n, 512, 2, final_norm={}), 2_048, "#/blocks"
    ),
    "block, a language model of many words": Kind(
        BLOCK, lambda n: language_model(64, 2, n, final_norm={}), 65_536, "#/unembedding"
    ),
    "block, sinusoidal": Kind(
        BLOCK, lambda n: language_model(1_024, n, 2, sinusoidal={}), 1_024, "#/blocks"
    ),
    "block, more tokens than are read": Kind(
        BLOCK, lambda n: {**language_model(1, 1, 1), "token_ids": [0] * n}, SIDE, "#/blocks"
    ),
    "block, 512 heads": Kind(
        BLOCK,
        lambda n: {
            "seed": 1,
            "n_heads": n,
            "d_model": n,
            "n_tokens": 2,
            "d_ff": 1,
            "steps": ["output"],
        },
        255,
        "#/seed",
    ),
    "block, drawn, many layers": Kind(BLOCK, lambda n: drawn(n), 85, "#/seed"),
    "block, drawn, tiny GPT": Kind(BLOCK, lambda n: drawn(2, vocab_size=n), 16_384, "#/seed"),
    "block, drawn, swiglu and rotary": Kind(
        BLOCK, lambda n: drawn(n, activation="swiglu", rotary={}), 64, "#/seed"
    ),
    "block, all explained": Kind(BLOCK, lambda n: stack(n, explain="all"), 12, "#/explain"),
    "block, long labels": Kind(
        BLOCK, lambda n: stack(8, 96, tokens=labels(8, n)), 1_983, "#/tokens"
    ),
    "block, 15 decimals shown": Kind(
        BLOCK, lambda n: stack(n, steps=["weights"], display=15), 255, "#/display"
    ),
}
