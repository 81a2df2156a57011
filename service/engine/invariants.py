"""Laws that a trace must obey, checked on the very numbers that are returned."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from service.engine.blocks import Blocked
from service.engine.trace import Array, Step

TOLERANCE = 1e-9
# Up to here picking the hidden cells out is quicker than multiplying all of them.
_FEW_CELLS = 256


@dataclass(frozen=True, eq=False)
class Law:
    """A law with its name for machines, in words, and how closely it must hold."""

    name: str
    statement: str
    tolerance: float = TOLERANCE


ROWS_SUM_TO_ONE = Law("rows_sum_to_one", "Each row sums to 1 (to 0 if it may see nothing).")
HIDDEN_IS_ZERO = Law("hidden_is_zero", "Each hidden cell is exactly 0.", 0.0)
MEAN_IS_ZERO = Law("mean_is_zero", "Each row has mean 0.")
VARIANCE_NORMALISED = Law(
    "variance_normalised", "Each row has variance v / (v + eps), v its variance before."
)
MEAN_SQUARE_NORMALISED = Law(
    "mean_square_normalised", "Each row has mean square m / (m + eps), m its mean square before."
)


class Invariant(NamedTuple):
    """A law, the step on which it was checked, and how far the worst row or cell is off."""

    law: Law
    step: str
    largest_deviation: float


def invariants(steps: Iterable[Step], names: Container[str] | None = None) -> list[Invariant]:
    """The laws of these steps: softmax rows sum to 1, hidden weights are 0, norms normalise.

    A normalised vector has variance v / (v + ε), not 1, since ε is added inside the root.
    With `names`, only those of the named steps are checked.
    """
    found: list[Invariant] = []
    hidden: Any = None
    before: dict[str, Any] = {}
    for rule, value, own_hidden, constants in steps:
        operation = rule.operation
        if operation == "softmax":
            if names is None or rule.name in names:
                found.append(Invariant(ROWS_SUM_TO_ONE, rule.name, _off_one(value)))
                if hidden is not None and rule.reads[0].name == "masked":
                    found.append(Invariant(HIDDEN_IS_ZERO, rule.name, _leak(value, hidden)))
        elif operation == "mask":
            hidden = own_hidden
        elif operation in ("variance", "mean_square"):
            before[operation] = value
        elif operation == "normalise" and (names is None or rule.name in names):
            found += _normalised(rule.name, value, before, (constants or {})["eps"])
    return found


def _off_one(weights: Any) -> float:
    """How far the sum of the worst row is from 1, or from 0 if that is nearer."""
    if isinstance(weights, Blocked):
        return max(map(_off_one, weights))
    totals: list[float] = weights.dot(_ones(weights.shape[1])).tolist()
    off = max([abs(total - 1.0) for total in totals])
    return off if off <= TOLERANCE else max([min(abs(x - 1.0), abs(x)) for x in totals])


@lru_cache(maxsize=16)
def _ones(n: int) -> Array:
    return np.ones(n)


def _leak(weights: Any, hidden: Any) -> float:
    """The largest hidden weight."""
    if isinstance(weights, Blocked):
        return max(map(_leak, weights, hidden))
    if weights.size > _FEW_CELLS:
        return float(np.maximum.reduce(weights * hidden, None))
    leaked: list[float] = weights[hidden.view(np.bool_)].tolist()
    return max(leaked) if leaked else 0.0


def _normalised(name: str, n: Any, before: dict[str, Any], eps: float) -> list[Invariant]:
    if "mean_square" in before:
        m = before["mean_square"]
        off = np.abs(np.mean(n * n, axis=1, keepdims=True) - m / (m + eps))
        return [Invariant(MEAN_SQUARE_NORMALISED, name, float(off.max()))]
    v = before["variance"]
    mean = n.mean(axis=1, keepdims=True)
    off = np.abs(np.mean((n - mean) ** 2, axis=1, keepdims=True) - v / (v + eps))
    return [
        Invariant(MEAN_IS_ZERO, name, float(np.abs(mean).max())),
        Invariant(VARIANCE_NORMALISED, name, float(off.max())),
    ]
