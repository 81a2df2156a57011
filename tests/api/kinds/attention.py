"""One head of 2,048 tokens, whatever is asked of it."""

from kinds.bodies import given, head
from kinds.kind import SIDE, Body, Kind, Kinds, full, varied
from kinds.paths import ATTENTION

# What may be asked of a head whatever its size.
OF_A_HEAD: dict[str, Body] = {
    "plain": {},
    "causal": {"mask": {"causal": True}},
    "lower right": {"mask": {"causal": True, "alignment": "lower_right"}},
    "window": {"mask": {"causal": True, "window": 64}},
    "window both ways": {"mask": {"window": 64}},
    "scale": {"scale": 0.25},
    "soft cap": {"softcap": 2.5},
    "alibi": {"alibi": {"slope": 0.125, "offset": 3}},
    "in_out": {"weights_layout": "in_out"},
    "columns": {"orientation": "columns"},
    "4 digits": {"significant_digits": 4},
    "7 digits": {"significant_digits": 7},
    "10 digits": {"significant_digits": 10},
    "17 digits": {"significant_digits": 17},
    "the head alone": {"steps": ["head"]},
    "the weights alone in columns": {"steps": ["weights"], "orientation": "columns"},
    "everything at once": {
        "mask": {"causal": True, "window": 1000, "bias": [[0.5]]},
        "softcap": 3.5,
        "alibi": {"slope": 0.25},
        "orientation": "columns",
        "significant_digits": 3,
    },
    "numbers near the largest": {"W_V": [[1e150]], "W_O": [[1e151]]},
    "weights too small for short sums": {"scale": 40},
    "one cell of each step": {"explain": [{"step": "scores", "row": 7, "column": 5}]},
}

ATTENTION_KINDS: Kinds = {
    f"attention, {name}": Kind(ATTENTION, lambda n, more=more: head(n, **more), SIDE, "#")
    for name, more in OF_A_HEAD.items()
}
ATTENTION_KINDS |= {
    "attention, ties at 7 digits": Kind(
        ATTENTION,
        lambda n: {
            "Q": full(n, 1, 1.0),
            "K": full(n, 1, 12345.675),
            "V": full(n, 1, 1234567.5),
            "significant_digits": 7,
        },
        SIDE,
        "#",
    ),
    "attention, tiny numbers at 4 digits": Kind(
        ATTENTION,
        lambda n: given(n, n, scale=1e-30, significant_digits=4, mask={"causal": True}),
        SIDE,
        "#",
    ),
    "attention, tiny numbers in all steps at 3 digits": Kind(
        ATTENTION,
        lambda n: given(
            n,
            n,
            scale=1e-30,
            softcap=2.5,
            alibi={"slope": 1e-31},
            significant_digits=3,
            mask={"window": 2_000},
        ),
        SIDE,
        "#",
    ),
    "attention, keys that may be seen": Kind(
        ATTENTION, lambda n: head(n, mask={"keep_keys": [True, False] * (n // 2)}), SIDE, "#", 2
    ),
    "attention, a column that may be seen": Kind(
        ATTENTION, lambda n: head(n, mask={"keep": full(n, 1, True)}), SIDE, "#"
    ),
    "attention, a row that is hidden": Kind(
        ATTENTION, lambda n: head(n, mask={"block": [[True] + [False] * (n - 1)]}), SIDE, "#"
    ),
    "attention, a bias of a column": Kind(
        ATTENTION, lambda n: head(n, mask={"bias": varied(n)}), SIDE, "#"
    ),
    "attention, every row sees nothing": Kind(
        ATTENTION,
        lambda n: head(n, mask={"block": [[True]]}, fully_masked_rows="uniform"),
        SIDE,
        "#",
    ),
    "attention, rotary": Kind(
        ATTENTION, lambda n: given(n, n, 32, 1, rotary={"dims": 32, "offset": 5}), SIDE, "#"
    ),
    "attention, 64 numbers a token": Kind(
        ATTENTION, lambda n: given(n, n, 32, 32, mask={"causal": True}), SIDE, "#"
    ),
}
