"""The lecture's demos of whole blocks: the calculator with its MLP, a translation, a tiny GPT."""

from service.schemas.example import Demo
from service.schemas.lecture.calculator import BLUE, CREATURE, FEATURES, FLUFFY, MATRICES, THE

_ONE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
_AS_IT_IS = {"W_Q": _ONE, "W_K": _ONE, "W_V": _ONE, "W_O": _ONE}

BLOCKS = (
    Demo(
        "block",
        "A whole block: the creature asks its adjectives, then each token thinks for itself",
        "/v1/block",
        {
            "kind": "gpt",
            "placement": "post",
            "activation": "relu",
            "tokens": ["the", "fluffy", "blue", "creature"],
            "features": ["noun", "adjective", "fluffiness", "blueness"],
            "X": [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]],
            "n_heads": 1,
            "blocks": [
                {
                    "W_Q": [[2, 0, 0, 0], [0, 0, 0, 0]],
                    "W_K": [[0, 2, 0, 0], [0, 0, 0, 0]],
                    "W_V": [[0, 0, 1, 0], [0, 0, 0, 1]],
                    "W_O": [[0, 0], [0, 0], [1, 0], [0, 1]],
                    "W_up": [[1, 0, 1, 1], [0, 1, -1, -1]],
                    "b_up": [0, 0.5],
                    "W_down": [[1, 0], [0, 1], [0.5, 0], [0.5, 0]],
                }
            ],
        },
    ),
    Demo(
        "block-encoder",
        "An encoder's block, as in the paper: without a mask the creature sees what comes after it",
        "/v1/block",
        {
            "kind": "encoder",
            "tokens": ["the", "creature", "fluffy", "blue"],
            "features": FEATURES,
            "X": [THE, CREATURE, FLUFFY, BLUE],
            "n_heads": 1,
            "blocks": [
                {**MATRICES, "W_up": [[1, 0, 1, 1]], "W_down": [[0.5], [0], [0], [0]]},
            ],
        },
    ),
    Demo(
        "block-decoder",
        "A decoder's block: a translation looks at itself, then at the source",
        "/v1/block",
        {
            "kind": "decoder",
            "tokens": ["ich", "habe", "gesehen"],
            "X": _ONE,
            "context": {"tokens": ["I", "have", "seen"], "X": [[3, 0, 0], [0, 3, 0], [0, 0, 3]]},
            "n_heads": 1,
            "blocks": [
                _AS_IT_IS
                | {"cross": _AS_IT_IS, "W_up": [[1, 1, -1]], "W_down": [[0.5], [-0.5], [1]]}
            ],
            "steps": ["weights", "output"],
            "significant_digits": 4,
        },
    ),
    Demo(
        "tiny-gpt",
        "A tiny GPT from a seed: two blocks, down to the next word",
        "/v1/block",
        {
            "seed": 1,
            "n_layers": 2,
            "n_heads": 2,
            "d_model": 4,
            "d_ff": 8,
            "vocabulary": ["the", "fluffy", "blue", "creature", "cat", "sat"],
            "token_ids": [0, 1, 2, 3],
            "steps": ["weights", "probabilities"],
            "significant_digits": 4,
        },
    ),
)
