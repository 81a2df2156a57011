"""Rounding on exact fractions, with a half allowed either way, in whole numbers: that is fast."""

from fractions import Fraction


def decimal_unit(places: int) -> Fraction:
    """The size of the last of `places` decimals."""
    return 1 / Fraction(10) ** places


def significant_unit(value: Fraction, figures: int) -> Fraction:
    """The size of the last of value's `figures` significant digits; 0 has none, so 0."""
    return Fraction(10) ** last_exponent(value, figures) if value else Fraction(0)


def last_exponent(value: Fraction, figures: int) -> int:
    """The power of ten of the last of value's `figures` significant digits; value is not 0."""
    above, below = abs(value.numerator), value.denominator
    exponent = len(str(above)) - len(str(below))
    # The digit counts give the exponent of the leading digit or one more.
    above, below = _in_units(above, below, exponent)
    return exponent - (above < below) - figures + 1


def rounds_alike(one: Fraction, other: Fraction, exponent: int) -> bool:
    """Can both be rounded to the same multiple of 10^exponent?"""
    low, high = _nearest(one, exponent)
    other_low, other_high = _nearest(other, exponent)
    return low <= other_high and other_low <= high


def _nearest(value: Fraction, exponent: int) -> tuple[int, int]:
    """The nearest multiple of 10^exponent, or both if value lies halfway, as multiples."""
    above, below = _in_units(value.numerator, value.denominator, exponent)
    return -((below - 2 * above) // (2 * below)), (below + 2 * above) // (2 * below)


def _in_units(above: int, below: int, exponent: int) -> tuple[int, int]:
    """above/below as a fraction of 10^exponent."""
    if exponent < 0:
        return above * int(10**-exponent), below
    return above, below * int(10**exponent)
