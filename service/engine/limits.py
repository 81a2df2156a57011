"""Sizes and magnitudes, checked before work is done."""

import json
import math
from collections.abc import Iterable, Sequence

import numpy as np

from service.engine.blocks import Blocked, block
from service.engine.errors import OverflowingStep, TooLarge
from service.engine.trace import Array, Step

# The cells of one step over all heads: 2,048 tokens that look at each other, about 80 MB of JSON.
MAX_CELLS = 1 << 22
# The bytes of labels that one reply may repeat, in rows read out and in the axes of heads.
MAX_CHARACTERS = 1 << 24
# What a character takes at most in a reply, as \u0000 or in UTF-8.
MOST_BYTES = 6
# Far enough below 1.8e308 that rounding in a bound cannot matter.
SAFE = 1e300
# Below this, squares of single cells may have vanished from a sum of squares.
_UNDERFLOWING = 1e-280


def norm(a: Array | None) -> float:
    """The Frobenius norm ‖a‖, inf where it does not fit a float64; 1 for a matrix that is absent.

    No |cell| exceeds it, and ‖A B‖ ≤ ‖A‖ ‖B‖: a bound on a whole trace from its inputs alone.
    So overflow is ruled out before the first byte of a streamed reply, at next to no cost.
    """
    if a is None:
        return 1.0
    square = np.vdot(a, a)
    if square < _UNDERFLOWING:
        return float(np.abs(a).max()) * math.sqrt(a.size)
    return math.sqrt(square)


def check_cells(field: str, rows: int, columns: int, times: int = 1) -> None:
    """Raise TooLarge if a step, over all heads, would hold more cells than one may."""
    if times * rows * columns > MAX_CELLS:
        heads = f"{times} times " if times > 1 else ""
        raise TooLarge(
            field,
            f"A step would hold {heads}{rows:,} × {columns:,} numbers; at most {MAX_CELLS:,} are"
            " computed. Send fewer tokens or narrower matrices.",
        )


def written(label: str) -> int:
    """The bytes that a label takes in a reply, escapes included."""
    if label.isascii() and label.isprintable():
        return len(label) + 2 + label.count('"') + label.count("\\")
    return len(json.dumps(label, ensure_ascii=False).encode(errors="replace"))


def check_repeated(labels: Sequence[str], times: int) -> None:
    """Raise TooLarge if labels that a reply repeats so often are more text than one may hold."""
    if times * (MOST_BYTES * sum(map(len, labels)) + 2 * len(labels)) > MAX_CHARACTERS:
        check_labels(times * sum(map(written, labels)))


def check_labels(characters: int) -> None:
    """Raise TooLarge if a reply would repeat more text of labels than one may."""
    if characters > MAX_CHARACTERS:
        raise TooLarge(
            "tokens",
            f"The reply would repeat {characters:,} bytes of labels; at most"
            f" {MAX_CHARACTERS:,} are written. Send shorter labels.",
        )


def check_finite(steps: Iterable[Step]) -> None:
    """Raise OverflowingStep for the first step with a cell that a float64 cannot hold.

    Looks at every block, so it is called only where a bound from norms is not below SAFE.
    """
    for step in steps:
        blocks = step.value if isinstance(step.value, Blocked) else [step.value]
        for i, values in enumerate(blocks):
            if norm(values) < math.inf:
                continue
            # A blocked cell is −∞ on purpose.
            fits = np.isfinite(values)
            if step.hidden is not None:
                fits |= block(step.hidden, i).astype(np.bool_)
            if not fits.all():
                row, column = (int(index) for index in np.argwhere(~fits)[0])
                row += i * blocks.rows if isinstance(blocks, Blocked) else 0
                raise OverflowingStep(
                    "",
                    f"{step.rule.name} overflows: its cell in row {row}, column {column} does not"
                    " fit a float64. Use smaller numbers.",
                )
