"""Worked solutions: traces whose last step is the key.

A quantity is a 1 × 1 step, a vector one row. What is given are inputs; what is worked out are
steps, each with the rule and the arithmetic that the engine's own traces have.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from service.engine.blocks import whole
from service.engine.grading.marking.task import Task
from service.engine.trace import UNIT, Array, Axis, Read, Rule, Step, Trace, given

_ONE = (UNIT, UNIT)
_GIVEN = "input"


class Operation(NamedTuple):
    """How a quantity is computed from others, and its formula from their symbols."""

    compute: Callable[..., float]
    formula: Callable[..., str]


def _product(*factors: float) -> float:
    return math.prod(factors)


OPERATIONS = {
    "product": Operation(_product, lambda *of: r" \cdot ".join(of)),
    "sum": Operation(lambda *of: math.fsum(of), lambda *of: " + ".join(of)),
    "difference": Operation(lambda a, b: a - b, lambda a, b: f"{a} - {b}"),
    "quotient": Operation(lambda a, b: a / b, lambda a, b: rf"\frac{{{a}}}{{{b}}}"),
    "power": Operation(lambda a, b: a**b, lambda a, b: f"{{{a}}}^{{{b}}}"),
    "root": Operation(math.sqrt, lambda a: rf"\sqrt{{{a}}}"),
    "exponential": Operation(math.exp, lambda a: f"e^{{{a}}}"),
    "logarithm": Operation(math.log, lambda a: rf"\ln {a}"),
}


def quantity(name: str, symbol: str, title: str, value: float) -> Step:
    """A number of the prompt, or one to know by heart."""
    return Step(_given(name, symbol, title, _ONE), np.array([[float(value)]]))


def vector(name: str, symbol: str, title: str, values: Sequence[float], axis: str) -> Step:
    """A row of numbers of the prompt."""
    return matrix(name, symbol, title, [values], (UNIT, axis))


def matrix(
    name: str,
    symbol: str,
    title: str,
    rows: Sequence[Sequence[float]] | Array,
    axes: tuple[str, str],
) -> Step:
    """A table of numbers of the prompt; a cell of −∞ is one that is hidden."""
    value = np.array(rows, np.float64)
    blocked = np.isneginf(value)
    hidden = blocked.astype(np.uint8) if blocked.any() else None
    return Step(_given(name, symbol, title, axes), value, hidden)


def computed(operation: str, name: str, symbol: str, title: str, *of: Step) -> Step:
    """A quantity worked out from others by one of OPERATIONS."""
    compute, formula = OPERATIONS[operation]
    value = compute(*(float(whole(one.value)[0, 0]) for one in of))
    right = formula(*(one.rule.symbol for one in of))
    return step(operation, name, symbol, title, right, np.array([[value]]), *of)


def step(
    operation: str,
    name: str,
    symbol: str,
    title: str,
    formula: str,
    value: Array,
    *of: Step,
    axes: tuple[str, str] = _ONE,
    constants: dict[str, float] | None = None,
) -> Step:
    """A step by any operation of the engine, which reads each step in `of` along its own axes."""
    reads = tuple(Read(source.rule.name, source.rule.axes) for source in of)
    rule = _rule(name, title, symbol, f"{symbol} = {formula}", operation, axes, reads)
    return Step(rule, value, None, constants)


def decided(task: Task, *steps: Step) -> Trace:
    """The steps that decide a choice, and the options as a row of 0 and 1, 1 where right."""
    ids = [option.id for option in task.choices]
    assert isinstance(task.key, frozenset)
    row = np.array([[float(id in task.key) for id in ids]])
    reads = tuple(Read(one.rule.name, one.rule.axes) for one in steps[-1:])
    rule = _rule("right", "The right options", "r", "r", "verdict", (UNIT, "option"), reads)
    return worked(*steps, Step(rule, row), labels={"option": ids})


def worked(*steps: Step, labels: dict[str, Sequence[str]] | None = None) -> Trace:
    """The steps in this order as a trace; those given are inputs, unless nothing follows them.

    labels: names for the places along an axis.
    """
    inputs = [one for one in steps[:-1] if one.rule.operation == _GIVEN]
    shown = [one for one in steps[:-1] if one.rule.operation != _GIVEN]
    axes: dict[str, Axis] = {}
    for one in steps:
        for axis, size in zip(one.rule.axes, one.value.shape, strict=True):
            names = (labels or {}).get(axis)
            axes.setdefault(axis, Axis(size, None if names is None else list(names)))
    return Trace(axes, inputs, [*shown, steps[-1]], {}, [])


@lru_cache(maxsize=1024)
def _given(name: str, symbol: str, title: str, axes: tuple[str, str]) -> Rule:
    return given(name, symbol, title, axes)


@lru_cache(maxsize=1024)
def _rule(
    name: str,
    title: str,
    symbol: str,
    formula: str,
    operation: str,
    axes: tuple[str, str],
    reads: tuple[Read, ...],
) -> Rule:
    """Made once for the same texts, since a rule is equal to itself alone."""
    return Rule(name, title, symbol, formula, formula, operation, axes, reads)
