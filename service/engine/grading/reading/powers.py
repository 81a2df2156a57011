"""Powers and roots that answer at once, whatever the exponent."""

from fractions import Fraction
from math import isqrt

from service.engine.grading.reading.values import Problem

DIVISION_BY_ZERO = Problem("division_by_zero", "This divides by zero, so it has no value.")
UNDEFINED = Problem("undefined", "0 to the power 0 has no agreed value.")
OUT_OF_RANGE = Problem("out_of_range", "Only 0 and sizes between 1e-300 and 1e300 are read.")

_SMALLEST, _LARGEST = Fraction(1, 10**300), Fraction(10**300)
_SURE_BITS = 990  # 2^990 < 10^300
# A text of 200 characters that is in range needs less than both.
_MOST_BITS, _MOST_EXPONENT = 4096, 1000
_ROOT_DIGITS = 40


def in_range(value: Fraction) -> bool:
    """True if a JSON number can carry the value without overflow or underflow."""
    if value.numerator.bit_length() < _SURE_BITS and value.denominator.bit_length() < _SURE_BITS:
        return True
    return value == 0 or _SMALLEST <= abs(value) <= _LARGEST


def times_ten_to(value: Fraction, exponent: int) -> Fraction | Problem:
    """value · 10^exponent."""
    if abs(exponent) > _MOST_EXPONENT:
        return OUT_OF_RANGE
    return value * Fraction(10) ** exponent


def power(base: Fraction, exponent: int) -> Fraction | Problem:
    """base^exponent, refused by its size before it is computed."""
    if base == 0 and exponent <= 0:
        return DIVISION_BY_ZERO if exponent else UNDEFINED
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * bits > _MOST_BITS:
        return OUT_OF_RANGE
    return base**exponent


def square_root(value: Fraction) -> tuple[Fraction, bool]:
    """√value and whether that is exact; otherwise it is cut after 40 significant digits or more."""
    above, below = isqrt(value.numerator), isqrt(value.denominator)
    if above**2 == value.numerator and below**2 == value.denominator:
        return Fraction(above, below), True
    # √(p/q) = √(p·q)/q, and an integer root of p·q·10^2d gives d digits after the point.
    shift = 10**_ROOT_DIGITS
    root = isqrt(value.numerator * value.denominator * shift**2)
    return Fraction(root, value.denominator * shift), False
