"""One head of other shapes, explained, shown, and with labels."""

from kinds.bodies import explained, given, head, labels
from kinds.kind import SIDE, Full, Kind, Kinds, full, varied
from kinds.paths import ATTENTION

SHAPED: Kinds = {
    "attention, few queries and many keys": Kind(
        ATTENTION, lambda n: {**given(32, 1), "K": full(n, 1), "V": full(n, 1)}, 131_072, "#"
    ),
    "attention, many queries and few keys": Kind(ATTENTION, lambda n: given(n, 32), 131_072, "#"),
    "attention, cross-attention": Kind(
        ATTENTION,
        lambda n: head(64, context={"X": varied(n), "tokens": labels(n)}),
        65_536,
        "#",
    ),
    "attention, wide values": Kind(ATTENTION, lambda n: given(64, 2, 1, n), 65_536, "#"),
    "attention, wide updates": Kind(
        ATTENTION,
        lambda n: {**given(64, 2), "W_O": full(n, 1)},
        65_536,
        "#/W_O",
    ),
    "attention, wide queries": Kind(
        ATTENTION,
        lambda n: {"X": varied(256), "W_Q": full(n, 1), "W_K": full(n, 1), "W_V": [[2]]},
        16_384,
        "#/W_Q",
    ),
    "attention, 11 digits": Kind(
        ATTENTION,
        lambda n: head(n, steps=["weights"], significant_digits=11),
        511,
        "#/significant_digits",
        1,
    ),
    "attention, 15 decimals shown": Kind(
        ATTENTION, lambda n: head(n, steps=["weights"], display=15), 255, "#/display"
    ),
    "attention, all explained": Kind(ATTENTION, lambda n: head(n, explain="all"), 14, "#/explain"),
    "attention, a step explained": Kind(
        ATTENTION, lambda n: explained(n, {"step": "weights"}), 31, "#/explain"
    ),
    "attention, a row of a large head explained": Kind(
        ATTENTION,
        lambda n: explained(SIDE, *[{"step": "head", "row": i * 85} for i in range(n)]),
        24,
        "#/explain",
    ),
    "attention, a cell made from many numbers": Kind(
        ATTENTION,
        lambda n: given(1, n, explain=[{"step": "weights", "column": 0}], steps=["head"]),
        100_000,
        "#/explain",
    ),
    "attention, a thousand cells in a thousand rows": Kind(
        ATTENTION,
        lambda n: explained(
            SIDE, *[{"step": "scaled", "row": 2 * i, "column": i} for i in range(n)]
        ),
        1_000,
        "#/explain",
    ),
    "attention, a pair may be seen": Full(
        ATTENTION, lambda: head(590, mask={"keep": full(590, 590, True)})
    ),
    "attention, a pair is hidden": Full(
        ATTENTION, lambda: head(560, mask={"block": full(560, 560, False)})
    ),
    "attention, a bias of each pair": Full(
        ATTENTION, lambda: head(640, mask={"bias": full(640, 640, None)})
    ),
    "attention, long labels": Full(ATTENTION, lambda: head(1024, tokens=labels(1024, 2_000))),
    "attention, labels of control characters": Full(
        ATTENTION, lambda: head(32, tokens=["\x01" * 10_000] * 32)
    ),
    "attention, a million steps to return": Full(
        ATTENTION, lambda: given(1, 1, steps=["head"] * 250_000)
    ),
}
