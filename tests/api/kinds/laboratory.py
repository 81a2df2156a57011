"""Softmax and its laboratory, and an embedding moved."""

from kinds.bodies import laboratory
from kinds.kind import Kind, Kinds, full, varied
from kinds.paths import MOVE, SOFTMAX

LABORATORY: Kinds = {
    "softmax, scores": Kind(SOFTMAX, lambda n: {"scores": varied(n, 512)}, 512, "#/scores"),
    "softmax, scores and a temperature": Kind(
        SOFTMAX, lambda n: {"scores": varied(n, 512), "temperature": 0.5}, 512, "#/scores"
    ),
    "softmax, one long row": Kind(SOFTMAX, lambda n: {"scores": full(1, n)}, 1 << 18, "#/scores"),
    "softmax, one long column": Kind(
        SOFTMAX, lambda n: {"scores": full(n, 1)}, 1 << 18, "#/scores"
    ),
    "softmax, hidden scores": Kind(
        SOFTMAX, lambda n: {"scores": full(n, 512, None)}, 512, "#/scores"
    ),
    "softmax, queries and keys": Kind(
        SOFTMAX, lambda n: {"Q": varied(n, 64), "K": varied(512, 64)}, 512, "#/K"
    ),
    "softmax, columns and digits": Kind(
        SOFTMAX,
        lambda n: {"scores": varied(n, 512), "orientation": "columns", "significant_digits": 4},
        512,
        "#/scores",
    ),
    "softmax, 15 decimals shown": Kind(
        SOFTMAX,
        lambda n: {"scores": varied(n, 256), "steps": ["weights"], "display": 15},
        256,
        "#/display",
    ),
    "softmax, all explained": Kind(
        SOFTMAX, lambda n: {"scores": varied(n, 10), "explain": "all"}, 25, "#/explain"
    ),
    "softmax, many draws": Kind(
        SOFTMAX, lambda n: laboratory(d_k=[4], n_keys=2, draws=n), 100_000, "#/draws"
    ),
    "softmax, many numbers": Kind(
        SOFTMAX, lambda n: laboratory(d_k=[64], n_keys=15, draws=n), 4_096, "#/draws"
    ),
    "softmax, wide queries": Kind(
        SOFTMAX, lambda n: laboratory(d_k=[n], n_keys=15, draws=16), 16_384, "#/d_k/0"
    ),
    "softmax, many keys": Kind(
        SOFTMAX, lambda n: laboratory(d_k=[2], n_keys=n, draws=256), 1_024, "#/n_keys"
    ),
    "softmax, many widths": Kind(
        SOFTMAX, lambda n: laboratory(d_k=[2] * n, n_keys=4, draws=1_000), 64, "#/d_k"
    ),
    "softmax, many scores": Kind(
        SOFTMAX, lambda n: laboratory(d_k=[1] * 64, n_keys=4, draws=n), 1_024, "#/draws"
    ),
    "softmax, many explained": Kind(
        SOFTMAX,
        lambda n: laboratory(d_k=[2] * n, n_keys=3, draws=2, explain="all"),
        50,
        "#/explain",
    ),
    "move, a square of values": Kind(
        MOVE,
        lambda n: {
            "x": [1] * 362,
            "V": varied(n, 362),
            "weights": [0.001] * n,
            "target": [2] * 362,
        },
        362,
        "#/V",
    ),
    "move, many values": Kind(
        MOVE,
        lambda n: {"x": [1], "V": full(n, 1), "weights": [0.5] * n, "target": [2]},
        131_072,
        "#/V",
    ),
    "move, wide values": Kind(
        MOVE,
        lambda n: {"x": [1] * n, "V": full(1, n), "weights": [2], "target": [3] * n},
        131_072,
        "#/V",
    ),
    "move, negative weights": Kind(
        MOVE, lambda n: {"x": [1], "V": full(n, 1), "weights": [-1] * n}, 131_072, "#/V"
    ),
    "move, 4 digits in columns": Kind(
        MOVE,
        lambda n: {
            "x": [1],
            "V": full(n, 1),
            "weights": [0.125] * n,
            "orientation": "columns",
            "significant_digits": 4,
        },
        131_072,
        "#/V",
    ),
    "move, all explained": Kind(
        MOVE,
        lambda n: {"x": [1], "V": varied(n), "weights": [0.5] * n, "explain": "all"},
        332,
        "#/explain",
    ),
}
