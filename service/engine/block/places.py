"""Steps by the place at which the reply holds them, and their copies in traces that read them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from service.engine.blocks import whole
from service.engine.errors import EngineError
from service.engine.limits import SAFE, check_finite, norm
from service.engine.trace import Array, Read, Rule, Step, Trace


class Placed(NamedTuple):
    """A step, and the path of its trace in the reply."""

    path: str
    step: Step

    @property
    def name(self) -> str:
        """What reads it calls it."""
        return f"{self.path}/{self.step.rule.name}"

    @property
    def value(self) -> Array:
        """Its numbers."""
        value: Array = whole(self.step.value)
        return value

    def elsewhere(self) -> dict[str, Step]:
        """It as a step of another trace."""
        return {self.name: self.step}


def last(path: str, trace: Trace) -> Placed:
    """What a trace comes to."""
    return Placed(path, trace.steps[-1])


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


@contextmanager
def within(path: str, said: str | None = None) -> Iterator[None]:
    """Errors raised inside name their field from this path on, and say where it was."""
    try:
        yield
    except EngineError as error:
        field = f"{path}/{error.field}" if error.field else ""
        raise type(error)(field, f"{said or path}: {error.message}") from None


def check_fits(trace: Trace) -> Trace:
    """The trace; OverflowingStep if a cell does not fit a float64. Quick for tame numbers."""
    for step in trace.steps:
        value: Any = whole(step.value)
        if not norm(value) < SAFE:
            check_finite([step])
    return trace
