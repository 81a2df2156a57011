"""Two requests compared."""

from kinds.bodies import compared, given, head, heads
from kinds.kind import SIDE, Full, Kind, Kinds, full
from kinds.paths import COMPARE

COMPARISONS: Kinds = {
    "compare, one cell differs": Kind(
        COMPARE,
        lambda n: compared("attention", head(n), W_O=[[0.25]], **{"steps": ["scores", "weights"]}),
        SIDE,
        "#/before",
    ),
    "compare, all steps": Kind(
        COMPARE,
        lambda n: compared("attention", given(n, 256, mask={"causal": True})),
        16_384,
        "#/before",
    ),
    "compare, a mask taken off": Kind(
        COMPARE,
        lambda n: compared("mask", {"n_q": n, "mask": {"causal": True}}, mask=None),
        71,
        "#",
    ),
    "compare, masks of the same effect": Kind(
        COMPARE,
        lambda n: compared("mask", {"n_q": n, "mask": {"causal": True}}),
        1_024,
        "#/before/n_q",
    ),
    "compare, 512 heads": Kind(
        COMPARE, lambda n: compared("multihead", heads(n, 512)), 90, "#/before/X"
    ),
    "compare, 16 heads and scores of another scale": Kind(
        COMPARE, lambda n: compared("multihead", heads(n, 16), scale=0.5), 57, "#"
    ),
    "compare, norms": Full(
        COMPARE, lambda: compared("layernorm", {"x": full(500, 1_000)}, eps=0.25)
    ),
    "compare, positions": Kind(
        COMPARE,
        lambda n: compared("positions", {"kind": "sinusoidal", "n": n, "d_model": 2_048}),
        2_048,
        "#/before/n",
    ),
    "compare, bases": Kind(
        COMPARE,
        lambda n: compared("positions", {"kind": "sinusoidal", "n": 64, "d_model": n}, base=100),
        106,
        "#",
    ),
    "compare, alibi": Kind(
        COMPARE,
        lambda n: compared("positions", {"kind": "alibi", "n": n, "n_heads": 1}),
        SIDE,
        "#/before/n",
    ),
    "compare, moves": Kind(
        COMPARE,
        lambda n: compared("move", {"x": [1], "V": full(n, 1), "weights": [2] * n, "target": [2]}),
        131_072,
        "#/before/V",
    ),
}
