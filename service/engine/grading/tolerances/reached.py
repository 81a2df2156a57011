"""Keys that know how far from them honest rounding can end."""

from fractions import Fraction
from typing import Any

from service.engine.blocks import whole
from service.engine.errors import EngineError
from service.engine.grading.reading.values import Number, exact
from service.engine.grading.tolerances.honest import reach
from service.engine.trace import Trace, find


class Reached(Fraction):
    """The exact value of a cell, and the least and the most that rounding can make of it."""

    __slots__ = ("highest", "lowest")
    lowest: Fraction
    highest: Fraction

    def __new__(cls, value: Fraction, lowest: Fraction, highest: Fraction) -> "Reached":
        """The value itself is always within."""
        self: Any = super().__new__(cls, value)
        self.lowest, self.highest = min(value, lowest), max(value, highest)
        return self  # type: ignore[no-any-return]


def reached(trace: Trace, name: str, decimals: int) -> tuple[tuple[Number, ...], ...]:
    """The step `name` as a key for the rule Derived; a blocked cell stays −∞.

    Raises EngineError on "step" where no tolerance can be derived, TooLarge for too many cells.
    """
    spans = reach(trace, name, decimals)
    values = whole(find(trace.steps, name).value).tolist()
    return tuple(
        tuple(_cell(exact(float(value)), *span) for value, span in zip(row, row_spans, strict=True))
        for row, row_spans in zip(values, spans, strict=True)
    )


def _cell(value: Number, lowest: float, highest: float) -> Number:
    if isinstance(value, float):
        return value
    if highest - lowest == float("inf"):
        raise EngineError("step", "Rounding to so few decimals leaves no bound on this step.")
    return Reached(value, Fraction(lowest), Fraction(highest))
