"""Which key a query may see.

A key is visible where every given part allows it. A blocked cell is selected away, never pushed
down by a large negative number, so that whatever it holds cannot leak.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.engine.blocks import Blocked, rows_a_block
from service.engine.errors import ShapeError
from service.engine.trace import UNIT, Array, Step, Warning, given

Bools = NDArray[np.bool_]

_NAMED_ROWS = 20


class Mask(NamedTuple):
    """The parts of a mask, all optional; `keep` true = may be seen, `block` true = hidden.

    keep, block, bias: n_q × n_k, or 1 × n_k or n_q × 1, which are broadcast. keep_keys: 1 × n_k.
    window counts the token itself; without `causal` it reaches as far ahead as back.
    alignment says which corner of an n_q × n_k table the causal diagonal starts from.
    """

    causal: bool = False
    alignment: str = "upper_left"
    window: int | None = None
    keep: Bools | None = None
    block: Bools | None = None
    keep_keys: Bools | None = None
    bias: Array | None = None

    def conventions(self) -> dict[str, object]:
        """What was asked for, defaults included."""
        said: dict[str, object] = {"causal": self.causal, "alignment": self.alignment}
        if self.window is not None:
            said["window"] = self.window
        said["parts"] = [name for name, _ in parts(self)]
        return said


def parts(mask: Mask) -> list[tuple[str, Bools | Array]]:
    """The parts that are given as matrices, by name."""
    named = (("keep", mask.keep), ("block", mask.block))
    named += (("keep_keys", mask.keep_keys), ("bias", mask.bias))
    return [(name, part) for name, part in named if part is not None]


def part_axes(part: Bools | Array) -> tuple[str, str]:
    """The axes of a part; one that is broadcast lacks an axis, and so means every index of it."""
    n, m = part.shape
    return (UNIT if n == 1 else "query", UNIT if m == 1 else "key")


def inputs(mask: Mask) -> list[Step]:
    """The given matrices as inputs of a trace; booleans as 0 and 1, a bias of −∞ as it is."""
    steps = []
    for name, part in parts(mask):
        value = np.asarray(part, dtype=np.float64)
        hidden = np.isneginf(value).astype(np.uint8) if name == "bias" else None
        rule = given(name, rf"\mathrm{{{name.replace('_', ' ')}}}", TITLES[name], part_axes(part))
        steps.append(Step(rule, value, hidden))
    return steps


TITLES = {
    "keep": "Pairs that may be seen",
    "block": "Pairs that are hidden",
    "keep_keys": "Keys that may be seen",
    "bias": "Added to the scores",
}


def visible(mask: Mask, n_q: int, n_k: int) -> Blocked:
    """The n_q × n_k table of what may be seen, in the blocks of the scores.

    Raises ShapeError where a part is not of the scores' shape and cannot be broadcast to it.
    """
    for name, part in parts(mask):
        n, m = part.shape
        if n not in (1, n_q) or m not in (1, n_k):
            raise ShapeError(
                f"mask/{name}",
                f"{name} is {n} × {m}, but the scores are {n_q} × {n_k} (queries × keys); "
                f"it must be {n_q} × {n_k}, 1 × {n_k} or {n_q} × 1.",
            )
    offset = n_k - n_q if mask.alignment == "lower_right" else 0
    keys = np.arange(n_k)

    def compute(_: int, start: int, stop: int) -> Bools:
        seen = np.ones((stop - start, n_k), dtype=np.bool_)
        if mask.causal or mask.window is not None:
            # The offset is not clamped: with more queries than keys the first ones see nothing.
            ahead = keys - np.arange(start + offset, stop + offset)[:, None]
            if mask.causal:
                seen &= ahead <= 0
            if mask.window is not None:
                seen &= np.abs(ahead) < mask.window
        for part in (mask.keep, mask.keep_keys):
            if part is not None:
                seen &= part if len(part) == 1 else part[start:stop]
        if mask.block is not None:
            seen &= ~(mask.block if len(mask.block) == 1 else mask.block[start:stop])
        if mask.bias is not None:
            seen &= np.isfinite(mask.bias if len(mask.bias) == 1 else mask.bias[start:stop])
        return seen

    return Blocked((n_q, n_k), rows_a_block(n_k), compute)


def blind_rows(seen: Blocked, labels: list[str] | None) -> list[Warning]:
    """A warning that names the queries with nothing to see."""
    rows = [
        int(row) + i * seen.rows
        for i, block in enumerate(seen)
        for row in np.flatnonzero(~block.any(axis=1))
    ]
    if not rows:
        return []
    named = ", ".join(f"{row} ({labels[row]})" if labels else str(row) for row in rows[:_NAMED_ROWS])
    more = f" and {len(rows) - _NAMED_ROWS} more" if len(rows) > _NAMED_ROWS else ""
    return [
        Warning(
            "nothing_to_see",
            f"The mask hides every key from row {named}{more}: weights and head are 0 there.",
        )
    ]
