"""Arithmetic on spans: every result that the operands can have lies within the result's span.

Bounds are rounded outwards, so that float64 cannot lose a value. Source: Moore, Kearfott and Cloud
2009, Introduction to Interval Analysis, chapters 2 and 5.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """lowest <= value <= highest. −∞ to −∞ is a blocked score."""

    lowest: float
    highest: float


BLOCKED = Span(-math.inf, -math.inf)


def just(value: float) -> Span:
    """The span of a number that is known."""
    return Span(value, value)


def outwards(lowest: float, highest: float) -> Span:
    """The bounds of a correctly rounded result, moved out by a unit in the last place.

    0 and the infinities stay: short of underflow, no operation here rounds to them.
    """
    return Span(below(lowest), -below(-highest))


def below(x: float) -> float:
    """The bound below a correctly rounded result, as outwards has it."""
    return x if x == 0 or math.isinf(x) else math.nextafter(x, -math.inf)


def hull(values: Iterable[float]) -> Span:
    """The least span that holds all values of correctly rounded operations."""
    values = list(values)
    return outwards(min(values), max(values))


def total(spans: Iterable[Span]) -> Span:
    """Σ xᵢ."""
    lowest, highest = zip(*spans, strict=True)
    return outwards(math.fsum(lowest), math.fsum(highest))


def minus(x: Span, y: Span) -> Span:
    """x − y."""
    return outwards(x.lowest - y.highest, x.highest - y.lowest)


def product(x: Span, y: Span) -> Span:
    """x · y."""
    return hull(a * b for a in x for b in y)


def dot(x: Sequence[Span], y: Sequence[Span]) -> Span:
    """Σ xᵢ yᵢ."""
    return total(product(a, b) for a, b in zip(x, y, strict=True))


def square(x: Span) -> Span:
    """x², which is never below 0."""
    nearest = 0.0 if x.lowest <= 0 <= x.highest else min(abs(x.lowest), abs(x.highest))
    return hull((nearest**2, max(abs(x.lowest), abs(x.highest)) ** 2))


def quotient(x: Span, y: Span) -> Span:
    """x / y, for y > 0."""
    return hull(a / b for a in x for b in y)


def rising(f: Callable[[float], float], x: Span) -> Span:
    """f(x) for an f that rises, computed to a few units in the last place."""
    return approximately(f(x.lowest), f(x.highest))


def approximately(lowest: float, highest: float) -> Span:
    """The bounds of a result of the mathematics library, moved out by what that may be off."""
    for _ in range(_LIBRARY_ULPS):
        lowest, highest = outwards(lowest, highest)
    return Span(lowest, highest)


def sine(x: Span) -> Span:
    """sin x: between its ends, or up to ±1 where a crest or a trough lies within."""
    ends = [math.sin(x.lowest), math.sin(x.highest)]
    ends += [value for value in (1.0, -1.0) if _reaches(x, value * math.pi / 2)]
    lowest, highest = approximately(min(ends), max(ends))
    return Span(max(-1.0, lowest), min(1.0, highest))


def cosine(x: Span) -> Span:
    """cos x = sin(x + π/2)."""
    quarter = math.pi / 2
    return sine(outwards(x.lowest + quarter, x.highest + quarter))


def _reaches(x: Span, angle: float) -> bool:
    """True if angle plus some number of full turns lies in x."""
    turn = 2 * math.pi
    return angle + turn * math.ceil((x.lowest - angle) / turn) <= x.highest


_LIBRARY_ULPS = 4
