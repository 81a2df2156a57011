"""How numbers are written into an arithmetic: as plain text, and as LaTeX."""

import math
from collections.abc import Callable
from typing import NamedTuple

Write = Callable[[float], str]


class Operands(NamedTuple):
    """The values read, a list for each read of the rule, and the step's constants."""

    values: list[list[float]]
    places: dict[str, int]
    constants: dict[str, float]
    place: tuple[int, int]

    def one(self, read: int) -> float:
        """The only value of a read."""
        return self.values[read][0]


Expression = Callable[[Operands, float, Write], tuple[str, str]]


def number(x: float) -> str:
    """The shortest text that reads back as x, without a trailing .0."""
    if x == -math.inf:
        return "-∞"
    text = repr(x + 0.0)
    return text[:-2] if text.endswith(".0") else text


def factor(text: str) -> str:
    """A number as a factor or a base: in brackets where a sign or an exponent would mislead."""
    return f"({text})" if text.startswith("-") or "e" in text else text


def tex(text: str) -> str:
    """A plain number as LaTeX."""
    mantissa, e, exponent = text.partition("e")
    power = rf" \cdot 10^{{{int(exponent)}}}" if e else ""
    return mantissa.replace("∞", r"\infty") + power


def brackets(text: str) -> str:
    """A number as a factor in LaTeX, in brackets where a sign or a power would mislead."""
    return f"({tex(text)})" if text.startswith("-") or "e" in text else text
