"""A mask by itself."""

from kinds.bodies import labels
from kinds.kind import Full, Kind, Kinds, full
from kinds.paths import MASK

MASKS: Kinds = {
    "mask, sizes alone": Kind(MASK, lambda n: {"n_q": n}, 1_024, "#/n_q"),
    "mask, causal": Kind(MASK, lambda n: {"n_q": n, "mask": {"causal": True}}, 1_024, "#/n_q"),
    "mask, many queries": Kind(MASK, lambda n: {"n_q": n, "n_k": 128}, 8_192, "#/n_q"),
    "mask, many keys": Kind(MASK, lambda n: {"n_q": 1, "n_k": n}, 1 << 20, "#/n_k"),
    "mask, scores": Full(MASK, lambda: {"scores": full(1_000, 1_000)}),
    "mask, long labels": Kind(
        MASK,
        lambda n: {"n_q": 1024, "n_k": 1024, "context": {"tokens": labels(1024, n)}},
        14,
        "#/tokens",
    ),
    "mask, columns and digits": Kind(
        MASK,
        lambda n: {"n_q": n, "orientation": "columns", "significant_digits": 3},
        1_024,
        "#/n_q",
    ),
    "mask, 15 decimals shown": Kind(
        MASK, lambda n: {"n_q": n, "steps": ["weights"], "display": 15}, 256, "#/display"
    ),
    "mask, all explained": Kind(MASK, lambda n: {"n_q": n, "explain": "all"}, 14, "#/explain"),
    "mask, uniform": Kind(
        MASK,
        lambda n: {"n_q": n, "mask": {"block": [[True]]}, "fully_masked_rows": "uniform"},
        1_024,
        "#/n_q",
    ),
    "mask, a bias of each pair": Full(
        MASK, lambda: {"n_q": 640, "mask": {"bias": full(640, 640, None)}}
    ),
    "mask, a pair may be seen": Full(
        MASK, lambda: {"n_q": 590, "mask": {"keep": full(590, 590, False)}}
    ),
}
