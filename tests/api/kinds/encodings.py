"""Positions."""

from kinds.kind import SIDE, Body, Full, Kind, Kinds, full
from kinds.paths import POSITIONS

OF_POSITIONS: dict[str, Body] = {
    "plain": {},
    "columns": {"orientation": "columns"},
    "4 digits": {"significant_digits": 4},
    "far away": {"offset": 1 << 40},
}
ENCODINGS: Kinds = {
    f"positions, sinusoidal, {name}": Kind(
        POSITIONS,
        lambda n, more=more: {"kind": "sinusoidal", "n": n, "d_model": 2_048, **more},
        2_048,
        "#/n",
    )
    for name, more in OF_POSITIONS.items()
}
ENCODINGS |= {
    "positions, one wide encoding": Kind(
        POSITIONS, lambda n: {"kind": "sinusoidal", "n": 1, "d_model": n}, 1 << 22, "#/d_model"
    ),
    "positions, many narrow ones": Kind(
        POSITIONS, lambda n: {"kind": "sinusoidal", "n": n, "d_model": 1}, 1 << 22, "#/n"
    ),
    "positions, alibi": Kind(
        POSITIONS, lambda n: {"kind": "alibi", "n": n, "n_heads": 1}, SIDE, "#/n"
    ),
    "positions, alibi of 512 heads": Kind(
        POSITIONS, lambda n: {"kind": "alibi", "n": n, "n_heads": 512}, 90, "#/n"
    ),
    "positions, alibi in columns": Kind(
        POSITIONS,
        lambda n: {
            "kind": "alibi",
            "n": n,
            "n_heads": 512,
            "orientation": "columns",
            "significant_digits": 4,
        },
        90,
        "#/n",
    ),
    "positions, 15 decimals shown": Kind(
        POSITIONS,
        lambda n: {
            "kind": "sinusoidal",
            "n": n,
            "d_model": 256,
            "steps": ["encoding"],
            "display": 15,
        },
        255,
        "#/display",
    ),
    "positions, all explained": Kind(
        POSITIONS,
        lambda n: {"kind": "alibi", "n": n, "n_heads": 4, "explain": "all"},
        15,
        "#/explain",
    ),
    "positions, rotary": Full(POSITIONS, lambda: {"kind": "rotary", "x": full(1_000, 1_000)}),
    "positions, rotary, interleaved": Full(
        POSITIONS,
        lambda: {
            "kind": "rotary",
            "x": full(1_000, 1_000),
            "pairing": "interleaved",
            "orientation": "columns",
            "significant_digits": 4,
        },
    ),
    "positions, added to vectors": Full(
        POSITIONS, lambda: {"kind": "sinusoidal", "x": full(1_000, 1_000)}
    ),
}
