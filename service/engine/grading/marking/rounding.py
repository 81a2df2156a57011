"""Rounding on exact fractions, with a half allowed either way."""

from fractions import Fraction
from math import floor


def decimal_unit(places: int) -> Fraction:
    """The size of the last of `places` decimals."""
    return 1 / Fraction(10) ** places


def significant_unit(value: Fraction, figures: int) -> Fraction:
    """The size of the last of value's `figures` significant digits; 0 has none, so 0."""
    if value == 0:
        return Fraction(0)
    size = abs(value)
    exponent = len(str(size.numerator)) - len(str(size.denominator))
    if size < Fraction(10) ** exponent:
        exponent -= 1  # the digit counts give the exponent of the leading digit or one more
    return Fraction(10) ** (exponent - figures + 1)


def rounds_alike(one: Fraction, other: Fraction, unit: Fraction) -> bool:
    """Can both be rounded to the same multiple of unit? Unit 0 asks for equality."""
    return one == other if unit == 0 else bool(_nearest(one / unit) & _nearest(other / unit))


def _nearest(value: Fraction) -> set[int]:
    """The nearest integer, or both if value lies halfway."""
    return {floor(value + Fraction(1, 2)), -floor(Fraction(1, 2) - value)}
