"""Several heads."""

from kinds.bodies import heads, labels, own_heads
from kinds.kind import Body, Kind, Kinds, full, varied
from kinds.paths import MULTIHEAD

OF_HEADS: dict[str, Body] = {
    "plain": {},
    "causal": {"mask": {"causal": True}},
    "grouped": {"n_kv_heads": 1, "W_K": [[0.5]], "W_V": [[0.5]]},
    "alibi": {"alibi": {}},
    "columns": {"orientation": "columns"},
    "4 digits": {"significant_digits": 4},
}
HEADS: Kinds = {
    f"multihead, {name}, 512 heads": Kind(
        MULTIHEAD,
        lambda n, more=more: heads(n, 512, **more),
        90,
        "#/X",
    )
    for name, more in OF_HEADS.items()
}
HEADS |= {
    "multihead, long labels": Kind(
        MULTIHEAD, lambda n: heads(90, 512, tokens=labels(90, n)), 180, "#/tokens"
    ),
    "multihead, 513 heads": Kind(MULTIHEAD, lambda n: heads(2, n), 512, "#/n_heads"),
    "multihead, 16 heads": Kind(MULTIHEAD, lambda n: heads(n, 16), 512, "#/X"),
    "multihead, 16 heads without a step": Kind(
        MULTIHEAD, lambda n: heads(n, 16, steps=["output"]), 512, "#/X"
    ),
    "multihead, heads of their own": Kind(MULTIHEAD, lambda n: own_heads(90, n), 512, "#/heads"),
    "multihead, masks of their own": Kind(
        MULTIHEAD,
        lambda n: own_heads(n, 256, mask={"keep": full(1, 90, True), "window": 40}),
        90,
        "#/heads/0/mask/keep",
    ),
    "multihead, wide embeddings": Kind(
        MULTIHEAD,
        lambda n: {
            "X": full(64, n),
            "n_heads": 64,
            **dict.fromkeys(("W_Q", "W_K", "W_V"), full(64, n, 0.5)),
            "W_O": full(n, 64),
        },
        1_024,
        "#/X",
    ),
    "multihead, rotary": Kind(
        MULTIHEAD,
        lambda n: {
            "X": varied(n, 2),
            "n_heads": 16,
            "rotary": {},
            "mask": {"causal": True},
            **dict.fromkeys(("W_Q", "W_K", "W_V"), varied(32, 2)),
            "W_O": varied(2, 32),
        },
        512,
        "#/X",
    ),
    "multihead, cross-attention": Kind(
        MULTIHEAD, lambda n: heads(16, 16, context={"X": varied(n)}), 16_384, "#/X"
    ),
    "multihead, 15 decimals shown": Kind(
        MULTIHEAD, lambda n: heads(n, 16, steps=["weights"], display=15), 63, "#/display"
    ),
    "multihead, all explained": Kind(
        MULTIHEAD, lambda n: heads(n, 4, explain="all"), 7, "#/explain"
    ),
    "multihead, a thousand wishes": Kind(
        MULTIHEAD,
        lambda n: heads(1, 512, explain=[{"step": "output", "row": 0, "column": 0}] * n),
        1_000,
        "#/explain",
    ),
    "multihead, a sum of 512 updates": Kind(
        MULTIHEAD,
        lambda n: heads(2, 512, n, explain=[{"step": "update", "trace": "combined"}]),
        97,
        "#/explain",
    ),
}
