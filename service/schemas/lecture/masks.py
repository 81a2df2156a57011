"""The lecture's mask on a table of made-up scores: on, and off."""

from service.schemas.example import Demo

TOKENS = ["The", "cat", "sat", "on", "the", "mat"]
SCORES = [
    [2.0, 1.0, 0.5, 0.0, 1.5, 0.5],
    [1.5, 2.5, 1.0, 0.5, 0.0, 2.0],
    [0.5, 3.0, 1.5, 2.5, 0.5, 1.0],
    [0.0, 1.0, 2.5, 1.0, 1.5, 3.0],
    [1.5, 0.0, 0.5, 2.0, 1.0, 2.5],
    [0.5, 2.0, 1.5, 1.0, 2.5, 2.0],
]

MASKS = (
    Demo(
        "mask-table",
        "The causal mask on made-up scores",
        "/v1/mask",
        {"tokens": TOKENS, "scores": SCORES, "mask": {"causal": True}},
    ),
    Demo(
        "mask-table-off",
        "The same scores without the mask: each token sees the one that it has to guess",
        "/v1/mask",
        {"tokens": TOKENS, "scores": SCORES, "mask": {"causal": False}},
    ),
)
