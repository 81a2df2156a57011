"""Sizes and magnitudes, checked before work is done."""

import math
from collections.abc import Iterable

import numpy as np

from service.engine.blocks import Blocked
from service.engine.errors import OverflowingStep, TooLarge
from service.engine.trace import Array, Step

# The cells of all steps of a reply: one head over 2,590 tokens, or about 600 MB of JSON.
MAX_CELLS = 1 << 25
# Far enough below 1.8e308 that rounding in a bound cannot matter.
SAFE = 1e300


def norm(a: Array) -> float:
    """The Frobenius norm ‖a‖, inf where it does not fit a float64; no |cell| exceeds it."""
    return math.sqrt(np.vdot(a, a))


def check_cells(field: str, *shapes: tuple[int, int]) -> None:
    """Raise TooLarge if these matrices together would hold more cells than a reply may."""
    cells = sum(n * m for n, m in shapes)
    if cells > MAX_CELLS:
        largest = max(shapes, key=lambda shape: shape[0] * shape[1])
        raise TooLarge(
            field,
            f"The trace would hold {cells:,} cells (one matrix of {largest[0]:,} × {largest[1]:,});"
            f" at most {MAX_CELLS:,} are computed. Send fewer tokens or narrower matrices.",
        )


def check_size(field: str, steps: Iterable[Step]) -> None:
    """Raise TooLarge if the steps together hold more cells than a reply may."""
    shapes = [step.value.shape for step in steps]
    shapes += [step.hidden.shape for step in steps if step.hidden is not None]
    check_cells(field, *shapes)


def check_finite(steps: Iterable[Step], bound: float) -> None:
    """Raise OverflowingStep for the first step with a cell that a float64 cannot hold.

    `bound` is an upper bound on |cell| over all the steps, from ‖A B‖ ≤ ‖A‖ ‖B‖; only where it
    does not settle the question is every block computed and looked at. So a streamed reply never
    breaks off, and the bound costs a small one next to nothing.
    """
    if bound < SAFE:
        return
    for step in steps:
        blocks = step.value if isinstance(step.value, Blocked) else [step.value]
        hidden = step.hidden if isinstance(step.hidden, Blocked) else None
        for i, block in enumerate(blocks):
            # A blocked cell is −∞ on purpose.
            seen = np.isfinite(block) if hidden is None else np.isfinite(block) | hidden.block(i)
            if not seen.all():
                row, column = (int(index) for index in np.argwhere(~seen.astype(bool))[0])
                row += i * blocks.rows if isinstance(blocks, Blocked) else 0
                raise OverflowingStep(
                    step.rule.name,
                    f"{step.rule.name} overflows: its cell in row {row}, column {column} does not"
                    " fit a float64. Use smaller numbers.",
                )
