"""Bodies that are refused whatever their size, but only after they have been read."""

import orjson

from kinds.kind import Full, Kinds, full
from kinds.paths import ATTENTION, BLOCK, GRADE, MULTIHEAD, SOFTMAX

REFUSED: Kinds = {
    "refused, a million cells that are no numbers": Full(
        ATTENTION, lambda: {"Q": full(1, 400_000, True)}, 422
    ),
    "refused, a million rows that are no rows": Full(
        ATTENTION, lambda: {"Q": [2] * 1_000_000}, 422
    ),
    "refused, ragged rows": Full(ATTENTION, lambda: {"Q": [[2] * 1_000] * 900 + [[2]]}, 422),
    "refused, unknown members": Full(
        ATTENTION, lambda: {f"member_{i}": 1 for i in range(110_000)}, 422
    ),
    "refused, a long name": Full(ATTENTION, lambda: {"Q" * 2_000_000: 1}, 422),
    "refused, a long word for a choice": Full(
        ATTENTION, lambda: {"weights_layout": "in" * 1_000_000}, 422
    ),
    "refused, many answers of no kind": Full(GRADE, lambda: {"items": [{}] * 600_000}, 422),
    "refused, many heads": Full(MULTIHEAD, lambda: {"X": [[1]], "heads": [{}] * 600_000}, 422),
    "refused, many blocks": Full(BLOCK, lambda: {"X": [[1]], "blocks": [{}] * 600_000}, 422),
    "refused, many widths": Full(SOFTMAX, lambda: {"seed": 1, "d_k": [0] * 900_000}, 422),
    "refused, a deep nest": Full(
        ATTENTION, lambda: {"Q": orjson.Fragment(b"[" * 900_000 + b"]" * 900_000)}, 400
    ),
    "refused, no JSON": Full(ATTENTION, lambda: orjson.Fragment(b"[" + b"1," * 1_000_000), 400),
}
