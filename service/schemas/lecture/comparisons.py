"""The lecture's comparisons: the same request with one thing changed."""

from service.schemas.example import Demo
from service.schemas.lecture.calculator import BLUE, CREATURE, FLUFFY, THE, calculator

TOKENS = ["the", "fluffy", "blue", "creature"]
BEFORE = calculator(TOKENS, [THE, FLUFFY, BLUE, CREATURE])
PADDED = {
    "tokens": ["the", "creature", "[pad]"],
    "Q": [[1, 0], [2, 1], [0, 0]],
    "K": [[1, 1], [2, 0], [0, 0]],
    "V": [[1, 0], [0, 2], [0, 0]],
    "mask": {"keep": [[True, False, False], [True, True, False], [False, False, False]]},
}

COMPARISONS = (
    Demo(
        "mask-off",
        "The calculator with its mask taken off",
        "/v1/compare",
        {
            "operation": "attention",
            "before": BEFORE,
            "after": {**BEFORE, "mask": {"causal": False}},
        },
    ),
    Demo(
        "fluffiness-2",
        "Fluffiness 2 in place of 1: the values move, the weights stay",
        "/v1/compare",
        {
            "operation": "attention",
            "before": BEFORE,
            "after": calculator(TOKENS, [THE, [0, 1, 2, 0], BLUE, CREATURE]),
        },
    ),
    Demo(
        "nothing-to-see",
        "A row of padding that may see nothing: zeros, as PyTorch and ONNX have it, or uniform",
        "/v1/compare",
        {
            "operation": "attention",
            "before": PADDED,
            "after": {**PADDED, "fully_masked_rows": "uniform"},
        },
    ),
    Demo(
        "layer-or-rms",
        "LayerNorm and RMSNorm of one vector",
        "/v1/compare",
        {
            "operation": "layernorm",
            "before": {"x": [[3, 4]]},
            "after": {"x": [[3, 4]], "norm": "rms"},
        },
    ),
)
