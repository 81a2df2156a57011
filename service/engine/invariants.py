"""Laws that a trace must obey, checked on the very numbers that are returned."""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from service.engine.blocks import Blocked, block, blocked, follow, whole
from service.engine.trace import Array, Rule, Step, Trace, find

TOLERANCE = 1e-9
# Up to here picking the hidden cells out is quicker than looking through all of them.
_FEW_CELLS = 256
# The operations that a law is about.
_OF_LAWS = frozenset({"softmax", "mask", "variance", "mean_square", "normalise"})
_ONES = np.ones(4096)


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
    """A law, the step on which it is checked, and how far off the worst place of each block is.

    A matrix of several blocks is checked while these are computed for whoever reads them.
    """

    law: Law
    step: str
    deviations: Iterable[float]

    @property
    def largest_deviation(self) -> float:
        """How far the worst row or cell is off."""
        return max(self.deviations)


def laws_of(trace: Trace, names: Container[str] | None = None) -> list[Invariant]:
    """The laws of a trace, checked; with `names`, only those of the named steps."""
    if trace.laws is None:
        return invariants(trace.steps, names)
    return [law for law in trace.laws if names is None or law.step in names]


def laws_of_each(together: Trace) -> list[list[Invariant] | None]:
    """The laws of the weights of several heads side by side, checked for all of them at once.

    None for each where the rows that may see nothing are spread over all keys: these are rare, and
    checked head by head.
    """
    softmax, mask = find(together.steps, "weights"), find(together.steps, "masked")
    A: Any = softmax.value
    if softmax.constants:
        return [None] * len(A)
    name, leaks = softmax.rule.name, A[:, whole(mask.hidden).view(np.bool_)]
    largest = leaks.max(axis=1).tolist() if leaks.any() else [0.0] * len(A)
    off = [_worst(totals) for totals in A.dot(_ones(A.shape[-1])).tolist()]
    return [
        [Invariant(ROWS_SUM_TO_ONE, name, (of_sums,)), Invariant(HIDDEN_IS_ZERO, name, (leak,))]
        for of_sums, leak in zip(off, largest, strict=True)
    ]


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
        if operation not in _OF_LAWS:
            continue
        if operation == "softmax":
            if names is None or rule.name in names:
                found += _softmaxed(rule, value, hidden, constants or {})
        elif operation == "mask":
            hidden = own_hidden
        elif operation != "normalise":
            before[operation] = value
        elif names is None or rule.name in names:
            found += _normalised(rule.name, value, before, (constants or {})["eps"])
    return found


def _softmaxed(
    rule: Rule, weights: Any, hidden: Any, constants: dict[str, float]
) -> list[Invariant]:
    if rule.reads[0].name != "masked":
        hidden = None
    if "fully_masked" in constants:
        spread = constants["fully_masked"]
        off = _of_blocks(lambda rows: _off_one(rows, False), weights)
        found = [Invariant(ROWS_SUM_TO_ONE_ALL, rule.name, off)]
        if hidden is not None:
            leak = _of_blocks(lambda A, hides: _leak_or_spread(A, hides, spread), weights, hidden)
            found.append(Invariant(HIDDEN_IS_ZERO_OR_SPREAD, rule.name, leak))
        return found
    found = [Invariant(ROWS_SUM_TO_ONE, rule.name, _of_blocks(_off_one, weights))]
    if hidden is not None:
        found.append(Invariant(HIDDEN_IS_ZERO, rule.name, _of_blocks(_leak, weights, hidden)))
    return found


def _of_blocks(measure: Callable[..., float], weights: Any, *beside: Any) -> Iterable[float]:
    """What is measured on each block of the weights, while they are at hand."""
    if not isinstance(weights, Blocked):
        return (measure(weights, *beside),)
    measured: Iterable[float] = blocked(
        (weights.shape[0], 1),
        weights.rows,
        lambda i, _, __: measure(weights.block(i), *(block(one, i) for one in beside)),
        keep=True,
    )
    follow(weights, measured)
    return measured


def _off_one(weights: Array, or_zero: bool = True) -> float:
    """How far the sum of the worst row is from 1, or from 0 if that is nearer."""
    return _worst(weights.dot(_ones(weights.shape[1])).tolist(), or_zero)


def _worst(totals: list[float], or_zero: bool = True) -> float:
    """How far the worst sum is from 1, or from 0 if that is nearer."""
    off = max([abs(total - 1.0) for total in totals])
    if off <= TOLERANCE or not or_zero:  # as they nearly always are: none is near 0
        return off
    return max([min(abs(total - 1.0), abs(total)) for total in totals])


def _ones(n: int) -> Array:
    """A matrix times these has the sums of its rows, in a third of the time of adding them."""
    return _ONES[:n] if n <= len(_ONES) else np.ones(n)


def _leak(weights: Array, hidden: Any) -> float:
    """The largest hidden weight."""
    if weights.size > _FEW_CELLS:
        return float(weights.max(where=hidden.view(np.bool_), initial=0.0))
    leaked: list[float] = weights[hidden.view(np.bool_)].tolist()
    return max(leaked) if leaked else 0.0


def _leak_or_spread(weights: Array, hidden: Any, spread: float) -> float:
    """How far the worst hidden cell is from 0, or from `spread` where the whole row is hidden."""
    hides = hidden.view(np.bool_)
    due = np.where(hides.all(axis=1, keepdims=True), spread, 0.0)
    return float(np.abs(weights - due)[hides].max(initial=0.0))


def _normalised(name: str, n: Any, before: dict[str, Any], eps: float) -> list[Invariant]:
    """From the sums and the squares of the rows: normalised ones have no mean to cancel digits."""
    d = n.shape[1]
    squares = np.vecdot(n, n) / d
    if "mean_square" in before:
        return [Invariant(MEAN_SQUARE_NORMALISED, name, (_off(squares, before, eps),))]
    means = n.dot(_ones(d)) / d
    return [
        Invariant(MEAN_IS_ZERO, name, (float(np.abs(means).max()),)),
        Invariant(VARIANCE_NORMALISED, name, (_off(squares - means * means, before, eps),)),
    ]


def _off(found: Array, before: dict[str, Any], eps: float) -> float:
    """How far the worst row is from v / (v + ε), v its statistic before."""
    (statistic,) = before.values()
    v = statistic[:, 0]
    return float(np.abs(found - v / (v + eps)).max())
