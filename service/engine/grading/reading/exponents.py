"""Powers and scientific notation, each read in one fixed style."""

import re

from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.numerals import Marks, Numeral, Style, numeral
from service.engine.grading.reading.powers import power, times_ten_to
from service.engine.grading.reading.values import Problem

_INTEGER = "[+-]?[0-9]+"
_EXPONENT = re.compile(rf"({_INTEGER})|\( ?({_INTEGER}) ?\)|\{{ ?({_INTEGER}) ?\}}")
_SCIENTIFIC = re.compile(rf"(.*?) ?[eE] ?({_INTEGER})")
# a.10^n is a product where schools put a point for times (France, the Netherlands), and looks like
# a power of a decimal that ends in 10; with a comma it is a slip. 0 times a power nobody writes.
_TIMES_TEN = re.compile(r"(.*[0-9])( ?\. ?|,)10 ?\^ ?(.+)")
_DECIMAL_TEN = re.compile(r".*[1-9].*[.,]10")
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
    exponent = _whole(exponents)
    value = power(base.value, exponent)
    if match[1] is None:
        return Candidate(value, _as_base(base.marks) if ends_in_ten(match[2]) else base.marks)
    factor: Numeral | None = numeral(match[1], style)
    if factor is None or ends_in_ten(match[2]):
        return None
    marks = factor.marks | base.marks
    if base.value == 10:
        return _times_power_of_ten(factor, exponent, marks)
    return Candidate(value if isinstance(value, Problem) else factor.value * value, marks)


def pointed(text: str, style: Style) -> Candidate | None:
    """a.10^n as a product: 6.10^23, and with a decimal 6,02.10^23."""
    match = _TIMES_TEN.fullmatch(text)
    exponent = match and _EXPONENT.fullmatch(match[3])
    factor = match and numeral(match[1], style)
    if not match or not exponent or not factor or factor.value == 0:
        return None
    if match[2] == "," and not match[1].isdigit():
        return None
    marks = factor.marks | {("times", match[2].strip())}
    return _times_power_of_ten(factor, _whole(exponent), marks)


def ends_in_ten(base: str) -> bool:
    """True for 6.10, which before a power may mean 6 times 10."""
    return _DECIMAL_TEN.fullmatch(base) is not None


def _as_base(marks: Marks) -> Marks:
    return frozenset(("base" if role == "decimal" else role, mark) for role, mark in marks)


def _whole(exponent: re.Match[str]) -> int:
    return int(exponent[1] or exponent[2] or exponent[3])


def _times_power_of_ten(mantissa: Numeral, exponent: int, marks: Marks) -> Candidate:
    value = times_ten_to(mantissa.value, exponent)
    unusual = ("group", ".") in mantissa.marks
    return Candidate(value, marks, mantissa.digits.scaled(exponent), unusual=unusual)
