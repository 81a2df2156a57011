"""Steps by the place at which the reply holds them, and their copies in traces that read them."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from service.engine.blocks import whole
from service.engine.errors import EngineError
from service.engine.limits import SAFE, check_finite
from service.engine.trace import Array, Read, Rule, Step, Trace


class Placed(NamedTuple):
    """A step, its path in the reply, which is its name for whatever reads it, and its numbers."""

    name: str
    step: Step
    value: Array

    def elsewhere(self) -> dict[str, Step]:
        """It as a step of another trace."""
        return {self.name: self.step}


def last(path: str, trace: Trace) -> Placed:
    """What a trace comes to."""
    step = trace.steps[-1]
    return Placed(f"{path}/{step.rule.name}", step, whole(step.value))


def copy(of: Placed, template: Rule) -> Step:
    """The step again, under the name and with the axes of another rule."""
    return Step(copied(template, of.name, of.step.rule.symbol), of.value)


@lru_cache(maxsize=1024)
def copied(template: Rule, name: str, symbol: str) -> Rule:
    """The rule of a copy of the step of this name."""
    own = template.symbol
    formula = own if own == symbol else f"{own} = {symbol}"
    return replace(
        template,
        formula=formula,
        formula_columns=formula,
        operation="copy",
        reads=(Read(name, template.axes),),
    )


def within(error: EngineError, path: str, said: str) -> EngineError:
    """The error with its field named from this path on, and with where it was."""
    field = f"{path}/{error.field}" if error.field else ""
    return type(error)(field, f"{said}: {error.message}")


def check_fits(trace: Trace, bound: float) -> Trace:
    """The trace; OverflowingStep if a cell does not fit a float64.

    Looked for only if `bound`, which no cell exceeds, does not rule it out.
    """
    if not bound < SAFE:
        check_finite(trace.steps)
    return trace
