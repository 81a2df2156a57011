"""A trace: named steps, the rule that says which cells each cell comes from, and their values.

The parts of a step that never change (name, formula, what it reads) are a `Rule`, written once a
module as a constant; a `Step` adds the numbers. Axes are named as einops names them, and `"1"` is
the unit axis of a row statistic (n × 1) or of a vector (1 × n).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.engine.blocks import Blocked

Array = NDArray[np.float64]
Value = NDArray[Any] | Blocked

ANY = "*"
UNIT = "1"


class Read(NamedTuple):
    """A cell reads every cell of `name` whose indices agree with its own on the shared axes.

    `"*"`, or an axis that the reading step lacks, means every index.
    """

    name: str
    axes: tuple[str, str]


@dataclass(frozen=True, eq=False)
class Rule:
    """What is true of a step whatever the numbers: LaTeX formulas with tokens as rows, as columns.

    A rule is made once and is equal to itself alone, so that what is derived from it can be kept.
    """

    name: str
    title: str
    symbol: str
    formula: str
    formula_columns: str
    operation: str
    axes: tuple[str, str]
    reads: tuple[Read, ...] = ()


class Step(NamedTuple):
    """A rule with its numbers. `hidden` (0 and 1) is there where a cell can be blocked."""

    rule: Rule
    value: Value
    hidden: Value | None = None
    constants: dict[str, float] | None = None


class Axis(NamedTuple):
    size: int
    labels: list[str] | None = None


class Warning(NamedTuple):
    """Something lawful that a reader should know, with a stable code."""

    code: str
    message: str


class Trace(NamedTuple):
    """Inputs, and the steps in the order in which they are computed.

    `more` holds what an endpoint says beside its steps; `elsewhere`, by the name that `reads` use,
    steps of other traces of the same reply; `laws` those that its steps obey, where they have been
    checked already.
    """

    axes: dict[str, Axis]
    inputs: list[Step]
    steps: list[Step]
    conventions: dict[str, Any]
    warnings: list[Warning]
    more: dict[str, Any] = {}  # noqa: RUF012 - never written to
    elsewhere: dict[str, Step] = {}  # noqa: RUF012 - never written to
    laws: list[Any] | None = None


def given(name: str, symbol: str, title: str, axes: tuple[str, str]) -> Rule:
    """The rule of a matrix that the caller sent."""
    return Rule(name, title, symbol, symbol, symbol, "input", axes)


def is_weight(name: str) -> bool:
    """Weight matrices keep the caller's layout in either orientation; all else turns."""
    return name.startswith("W_")


def find(steps: Iterable[Step], name: str) -> Step:
    """The step called `name`."""
    return next(step for step in steps if step.rule.name == name)
