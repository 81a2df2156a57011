"""The lecture's demos of scaling, of an embedding moved, and of the price of attention."""

from service.schemas.example import Demo

CREATURE, FLUFFY, BLUE = [2.0, 1.0], [-1.0, 2.0], [2.0, 2.0]

LABORATORY = (
    Demo(
        "scaling",
        "Why 1/√d_k: the same scores, raw and scaled",
        "/v1/softmax",
        {"Q": [[2, -1, 2, 1]], "K": [[2, -1, 1, 1], [1, 2, 1, -1], [-1, 1, 2, 0]]},
    ),
    Demo(
        "scaling-saturated",
        "Raw scores of 64 numbers: one key takes all, and the gradient is gone",
        "/v1/softmax",
        {"scores": [[8, 16, 24, 32]], "d_k": [64]},
    ),
    Demo(
        "scaling-laboratory",
        "Random queries and keys, from 2 numbers to 512",
        "/v1/softmax",
        {
            "seed": 1,
            "d_k": [2, 8, 64, 512],
            "n_keys": 6,
            "draws": 1000,
            "steps": ["scores", "scaled", "weights_raw", "weights"],
        },
    ),
    Demo(
        "move",
        "A creature moved to a fluffy blue creature: 0.47 and 0.47 get almost there",
        "/v1/move",
        {
            "x": CREATURE,
            "V": [FLUFFY, BLUE],
            "weights": [0.47, 0.47],
            "target": [2.5, 3.0],
            "tokens": ["fluffy", "blue"],
        },
    ),
    Demo(
        "move-out-of-reach",
        "A target that no attention weights reach",
        "/v1/move",
        {
            "x": CREATURE,
            "V": [FLUFFY, BLUE],
            "weights": [0, 1],
            "target": [6.0, 3.0],
            "tokens": ["fluffy", "blue"],
        },
    ),
    Demo(
        "layers",
        "Attention and its rivals: 100 words of width 512",
        "/v1/complexity",
        {"n": 100, "d": 512},
    ),
    Demo(
        "price",
        "The n² price: GPT-3 with 2,048 tokens, and with 4,096",
        "/v1/complexity",
        {"n": 2048, "d": 12288, "n_other": 4096, "to_word": 100},
    ),
)
