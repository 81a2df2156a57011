"""Powers and scientific notation, each read in one fixed style."""

import re

from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.numerals import Marks, Numeral, Style, numeral
from service.engine.grading.reading.powers import power, times_ten_to
from service.engine.grading.reading.values import Problem

_INTEGER = "[+-]?[0-9]+"
_EXPONENT = re.compile(rf"({_INTEGER})|\( ?({_INTEGER}) ?\)|\{{ ?({_INTEGER}) ?\}}")
_SCIENTIFIC = re.compile(rf"(.*?) ?[eE] ?({_INTEGER})")
_POWER = re.compile(r"(?:([^*xX^]+?) ?[*xX] ?)?([^*xX^ ]+) ?\^ ?(.+)")


def scientific(text: str, style: Style) -> Candidate | None:
    """6.02e23, with spaces allowed around the e."""
    match = _SCIENTIFIC.fullmatch(text)
    mantissa = match and numeral(match[1], style)
    if not match or not mantissa:
        return None
    return _times_power_of_ten(mantissa, int(match[2]), mantissa.marks)


def raised(text: str, style: Style) -> Candidate | None:
    """b^n, or a number times that; the base has no spaces, so that "2 100^3" is not 2100^3."""
    match = _POWER.fullmatch(text)
    exponents = match and _EXPONENT.fullmatch(match[3])
    base = match and numeral(match[2], style)
    if not match or not exponents or not base:
        return None
    exponent = int(exponents[1] or exponents[2] or exponents[3])
    value = power(base.value, exponent)
    if match[1] is None:
        return Candidate(value, base.marks)
    factor: Numeral | None = numeral(match[1], style)
    if factor is None:
        return None
    marks = factor.marks | base.marks
    if base.value == 10:
        return _times_power_of_ten(factor, exponent, marks)
    return Candidate(value if isinstance(value, Problem) else factor.value * value, marks)


def _times_power_of_ten(mantissa: Numeral, exponent: int, marks: Marks) -> Candidate:
    value = times_ten_to(mantissa.value, exponent)
    unusual = ("group", ".") in mantissa.marks
    return Candidate(value, marks, mantissa.digits.scaled(exponent), unusual=unusual)
