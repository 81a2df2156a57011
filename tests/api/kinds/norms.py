"""Add & norm."""

from kinds.kind import Full, Kind, Kinds, full, varied
from kinds.paths import NORM

NORMS: Kinds = {
    "layernorm, many rows": Full(NORM, lambda: {"x": full(500_000, 1)}),
    "layernorm, one long row": Full(NORM, lambda: {"x": full(1, 1_000_000)}),
    "layernorm, x and delta": Full(
        NORM, lambda: {"x": full(500, 1_000), "delta": full(500, 1_000), "placement": "pre"}
    ),
    "layernorm, rms in columns": Full(
        NORM, lambda: {"x": full(1_000, 1_000), "norm": "rms", "orientation": "columns"}
    ),
    "layernorm, 4 digits": Full(NORM, lambda: {"x": full(1_000, 1_000), "significant_digits": 4}),
    "layernorm, gain and bias": Full(
        NORM,
        lambda: {"x": full(3, 200_000), "gamma": [3] * 200_000, "beta": [4] * 200_000},
    ),
    "layernorm, 11 digits": Kind(
        NORM,
        lambda n: {"x": varied(n, 512), "steps": ["output"], "significant_digits": 11},
        512,
        "#/significant_digits",
    ),
    "layernorm, 15 decimals shown": Kind(
        NORM,
        lambda n: {"x": varied(n, 256), "steps": ["output"], "display": 15},
        256,
        "#/display",
    ),
    "layernorm, all explained": Kind(
        NORM, lambda n: {"x": varied(n, 5), "explain": "all"}, 58, "#/explain"
    ),
    "layernorm, a cell made from many numbers": Kind(
        NORM,
        lambda n: {"x": varied(1, n), "explain": [{"step": "mean"}], "steps": ["mean"]},
        100_000,
        "#/explain",
    ),
}
