"""Which key a query may see.

A key is visible where every given part allows it. A blocked cell is selected away, never pushed
down by a large negative number, so that whatever it holds cannot leak.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.engine.trace import UNIT, Array, Rule, Step, given

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

Parts = list[tuple[str, Any]]


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


def parts(mask: Mask) -> Parts:
    """The parts that are given as matrices, by name."""
    _, _, _, keep, hide, keep_keys, bias = mask
    if keep is None and hide is None and keep_keys is None and bias is None:
        return []
    given_parts = (keep, hide, keep_keys, bias)
    return [(name, part) for name, part in zip(PARTS, given_parts, strict=True) if part is not None]


def part_axes(part: Bools | Array) -> tuple[str, str]:
    """The axes of a part; one that is broadcast lacks an axis, and so means every index of it."""
    n, m = part.shape
    return (UNIT if n == 1 else "query", UNIT if m == 1 else "key")


def inputs(given_parts: Parts) -> list[Step]:
    """The given matrices as inputs of a trace; booleans as 0 and 1, a bias of −∞ as it is."""
    steps = []
    for name, part in given_parts:
        value = np.asarray(part, dtype=np.float64)
        hidden = np.isneginf(value).astype(np.uint8) if name == "bias" else None
        steps.append(Step(part_rule(name, part_axes(part)), value, hidden))
    return steps


@cache
def part_rule(name: str, axes: tuple[str, str]) -> Rule:
    """The rule of a given part: the same one each time, as what is derived from it is kept."""
    return given(name, rf"\mathrm{{{name.replace('_', ' ')}}}", TITLES[name], axes)


PARTS = ("keep", "block", "keep_keys", "bias")
TITLES = {
    "keep": "Pairs that may be seen",
    "block": "Pairs that are hidden",
    "keep_keys": "Keys that may be seen",
    "bias": "Added to the scores",
}
