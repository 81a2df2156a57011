"""Laws that a trace must obey, checked on the very numbers that are returned."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from service.engine.blocks import Blocked
from service.engine.trace import Array, Rule, Step

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
# The same two where rows that may see nothing are spread over all keys.
ROWS_SUM_TO_ONE_ALL = Law("rows_sum_to_one", "Each row sums to 1, also one that may see nothing.")
HIDDEN_IS_ZERO_OR_SPREAD = Law(
    "hidden_is_zero",
    "Each hidden cell is exactly 0, but 1/n_k in a row that may see nothing.",
    0.0,
)
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
                found += _softmaxed(rule, value, hidden, constants or {})
        elif operation == "mask":
            hidden = own_hidden
        elif operation in ("variance", "mean_square"):
            before[operation] = value
        elif operation == "normalise" and (names is None or rule.name in names):
            found += _normalised(rule.name, value, before, (constants or {})["eps"])
    return found


def _softmaxed(
    rule: Rule, weights: Any, hidden: Any, constants: dict[str, float]
) -> list[Invariant]:
    if rule.reads[0].name != "masked":
        hidden = None
    if "fully_masked" in constants:
        spread = constants["fully_masked"]
        found = [Invariant(ROWS_SUM_TO_ONE_ALL, rule.name, _off_one(weights, False))]
        if hidden is not None:
            leak = _leak_or_spread(weights, hidden, spread)
            found.append(Invariant(HIDDEN_IS_ZERO_OR_SPREAD, rule.name, leak))
        return found
    found = [Invariant(ROWS_SUM_TO_ONE, rule.name, _off_one(weights))]
    if hidden is not None:
        found.append(Invariant(HIDDEN_IS_ZERO, rule.name, _leak(weights, hidden)))
    return found


def _off_one(weights: Any, or_zero: bool = True) -> float:
    """How far the sum of the worst row is from 1, or from 0 if that is nearer."""
    if isinstance(weights, Blocked):
        return max(_off_one(rows, or_zero) for rows in weights)
    totals: list[float] = weights.dot(_ones(weights.shape[1])).tolist()
    off = max([abs(total - 1.0) for total in totals])
    return (
        off if off <= TOLERANCE or not or_zero else max([min(abs(x - 1.0), abs(x)) for x in totals])
    )


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


def _leak_or_spread(weights: Any, hidden: Any, spread: float) -> float:
    """How far the worst hidden cell is from 0, or from `spread` where the whole row is hidden."""
    if isinstance(weights, Blocked):
        return max(_leak_or_spread(*rows, spread) for rows in zip(weights, hidden, strict=True))
    hides = hidden.view(np.bool_)
    due = np.where(hides.all(axis=1, keepdims=True), spread, 0.0)
    return float(np.abs(weights - due)[hides].max(initial=0.0))


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
