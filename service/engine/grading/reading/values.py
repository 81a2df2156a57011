"""What a reading is made of: exact numbers, the precision they were typed with, problems."""

from decimal import Decimal
from fractions import Fraction
from math import isinf
from typing import NamedTuple

Number = Fraction | float  # a float only for the two infinities; whatever is finite stays exact

MINUS_INFINITY = float("-inf")


class Problem(NamedTuple):
    """Why a text has no reading: a stable code and a sentence."""

    code: str
    message: str


class Digits(NamedTuple):
    """The precision that a decimal was typed with.

    decimals: digits after the decimal mark of the value written without an exponent.
    least, most: significant digits; they differ where trailing zeros of an integer may or may not
    count ("80" has one or two, "80." and "8.0e1" have two). Zero has none.
    """

    decimals: int
    least: int
    most: int

    def scaled(self, exponent: int) -> "Digits":
        """The same digits after multiplication by 10^exponent."""
        return self._replace(decimals=max(0, self.decimals - exponent))


class Alternative(NamedTuple):
    """Another value that the same text could have, and how it would come about."""

    value: Number
    because: str


class Reading(NamedTuple):
    """How a text was read.

    value: exact; None if there is no reading, and then problem says why.
    alternatives: the readings not taken, or all of them if the text is ambiguous.
    digits: the precision typed, for a decimal; None for 1/2, 2^10, √2, ∞.
    approximate: value is a long decimal in place of an irrational root.
    """

    text: str
    value: Number | None = None
    normal_form: str = ""
    latex: str = ""
    alternatives: tuple[Alternative, ...] = ()
    problem: Problem | None = None
    digits: Digits | None = None
    approximate: bool = False


def exact(number: Fraction | int | float | str) -> Number:
    """The number that is printed: 0.1 is 1/10, not the binary fraction nearest to it."""
    if isinstance(number, float):
        # By way of Decimal, since Fraction takes twice the time to read a text.
        return number if isinf(number) else Fraction(Decimal(repr(number)))
    return Fraction(number)
