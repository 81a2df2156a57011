"""What honest rounding can reach: a tolerance derived from the way to the answer.

Who rounds each intermediate result to two decimals, or keeps more, ends near the exact value; how
near depends on the numbers. Here the rounding is carried through the trace as spans, step by step.
"""

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from service.engine.blocks import whole
from service.engine.errors import EngineError, TooLarge
from service.engine.grading.tolerances.made_from import Spans
from service.engine.grading.tolerances.operations import COPIES, KNOWN, OPERATIONS
from service.engine.grading.tolerances.spans import BLOCKED, Span, below
from service.engine.operands import operands_of
from service.engine.trace import Array, Step, Trace

MAX_CELLS = 4_096
MAX_OPERANDS = 16_384


def reach(trace: Trace, name: str, decimals: int) -> list[list[Span]]:
    """For each cell of the step `name` the span that rounding to `decimals` or more can lead to.

    Every step that computes something may be rounded, the asked one included; inputs are exact.
    Raises EngineError if there is no such step or it rests on one that spans do not cover,
    TooLarge for more cells than are carried through.
    """
    known = {step.rule.name: step for step in (*trace.inputs, *trace.steps)} | trace.elsewhere
    if name not in {step.rule.name for step in trace.steps}:
        there = ", ".join(step.rule.name for step in trace.steps)
        raise EngineError("step", f"There is no step {name[:100]!r}; there are {there}.")
    needed = _needed(name, known)
    _check_size([known[one] for one in needed])
    lower: dict[str, Array] = {}
    upper: dict[str, Array] = {}
    for one in needed:
        lower[one], upper[one] = _bounds(known[one], lower, upper, decimals)
    return [
        [Span(low, high) for low, high in zip(lows, highs, strict=True)]
        for lows, highs in zip(lower[name].tolist(), upper[name].tolist(), strict=True)
    ]


def rounded(x: Span, decimals: int) -> Span:
    """Where a value of x can be after rounding to `decimals` or more, or to none at all.

    Rounding to a given number of decimals keeps the order of values, so that the ends of x are
    enough to look at. A half may be rounded either way.
    """
    return Span(_lowered(x.lowest, decimals), -_lowered(-x.highest, decimals))


def _lowered(value: float, decimals: int) -> float:
    """The least that rounding can make of a value."""
    if abs(value) >= _WHOLE:
        return value
    finest = 10.0 ** -(decimals + _FINER)
    halves_down = [math.ceil(value * unit - 0.5 - _NOISE) / unit for unit in _units(decimals)]
    return min(value - finest / 2 if value else value, below(min(halves_down)))


@cache
def _units(decimals: int) -> list[float]:
    """How many units of its last decimal make 1, for each number of decimals that is looked at."""
    return [10.0**places for places in range(decimals, decimals + _FINER)]


def _needed(name: str, known: Mapping[str, Step]) -> list[str]:
    """The step and all that it rests on, each after what it is made from."""
    found: dict[str, None] = {}

    def visit(one: str) -> None:
        if one in found:
            return
        if one not in known:
            raise EngineError("step", f"{name} rests on {one}, which is in another trace.")
        rule = known[one].rule
        if rule.operation not in KNOWN:
            if rule.operation not in OPERATIONS and rule.operation not in COPIES:
                raise EngineError("step", f"{one} ({rule.operation}) has no derived tolerance.")
            for read in rule.reads:
                visit(read.name)
        found[one] = None

    visit(name)
    return list(found)


def _check_size(steps: list[Step]) -> None:
    """Raise TooLarge for more cells, or cells made from more numbers, than are carried through."""
    cells = sum(math.prod(step.value.shape) for step in steps)
    if cells > MAX_CELLS:
        raise TooLarge(
            "step", f"It rests on {cells:,} cells; a tolerance is derived from {MAX_CELLS:,}."
        )
    values = {step.rule.name: step.value for step in steps}
    operands = 0
    for step in steps:
        if step.rule.operation not in KNOWN:
            read = operands_of(step.rule, 0, 0, values)
            operands += math.prod(step.value.shape) * sum(map(len, read))
    if operands > MAX_OPERANDS:
        raise TooLarge(
            "step",
            f"Its cells are made from {operands:,} numbers; a tolerance is derived from"
            f" {MAX_OPERANDS:,}.",
        )


def _bounds(
    step: Step, lower: Mapping[str, Array], upper: Mapping[str, Array], decimals: int
) -> tuple[Array, Array]:
    """The lowest and the highest that each cell of a step can be."""
    exact: Array = whole(step.value)
    operation = step.rule.operation
    if operation in KNOWN:
        return exact, exact
    low, high = np.empty_like(exact), np.empty_like(exact)
    for i, j in np.ndindex(exact.shape):
        span = BLOCKED
        if step.hidden is None or exact[i, j] != -np.inf:
            span = span_of(step, i, j, lower, upper)
            if operation not in COPIES:
                span = rounded(span, decimals)
        low[i, j], high[i, j] = span
    return low, high


def span_of(
    step: Step, i: int, j: int, lower: Mapping[str, Array], upper: Mapping[str, Array]
) -> Span:
    """What one cell can be, by its step's operation, if what it is made from is within bounds."""
    rule = step.rule
    cells = (operands_of(rule, i, j, bounds) for bounds in (lower, upper))
    reads = [
        [Span(low[3], high[3]) for low, high in zip(*both, strict=True)]
        for both in zip(*cells, strict=True)
    ]
    if rule.operation in COPIES:
        return reads[-1][0]
    places = {read.name: at for at, read in enumerate(rule.reads)}
    return OPERATIONS[rule.operation](Spans(reads, places, step.constants or {}, (i, j)))


_FINER = 8
"""How many decimals more are looked at one by one; beyond, half a unit is taken off."""
_WHOLE = 2.0**53
"""From here on a float64 is a whole number, which rounding leaves as it is; so is an infinity."""
_NOISE = 1e-9
"""Of a unit: what float64 may be off where the exact value lies halfway."""
