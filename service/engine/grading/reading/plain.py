"""The short way for what nearly everybody types: digits, at most one point, a sign; thousands that
can be nothing else; a fraction of two whole numbers."""

import re
from fractions import Fraction

from service.engine.grading.reading.notation import normal_form, typeset
from service.engine.grading.reading.values import Digits, Reading

# At most 40 digits, which the normal form writes out. 9.216 is not among these: three decimals
# after one to three digits, not 0 alone, could be thousands.
_PLAIN = re.compile(
    r"([-+]?)(?:([0-9]{1,40})|(?!(?:[1-9][0-9]{0,2}|0[0-9]{1,2})\.[0-9]{3}(?![0-9]))"
    r"([0-9]{0,20})\.([0-9]{1,20}))"
)
# Two groups or more cannot be decimals, nor can one after a mark that is nobody's decimal mark.
_GROUPED = re.compile(
    r"([-+]?)([1-9][0-9]{0,2}(?:(?:,[0-9]{3}){2,8}|(?:\.[0-9]{3}){2,8}"
    r"|(?: [0-9]{3}){1,8}|(?:'[0-9]{3}){1,8}|(?:_[0-9]{3}){1,8}))"
)
_FRACTION = re.compile("([-+]?)([0-9]{1,40})/([0-9]{1,40})")
_MARKS = str.maketrans("", "", ",. '_")


def plain_number(text: str) -> Reading | None:
    """The reading of 9216, -0.4721, .5, 9 216 or 1/2, as the general way gives it; None for others.

    There is one such reading in every locale.
    """
    match = _PLAIN.fullmatch(text)
    if match is None:
        return _fraction(text) if "/" in text else _grouped(text)
    sign, integer, whole, decimals = match.groups()
    if integer:
        number = int(integer)
        significant = integer.lstrip("0")
        digits = Digits(0, len(significant.rstrip("0")), len(significant))
        if sign == "-":
            number = -number
        form = str(number)
        return Reading(text, Fraction(number), form, form, (), None, digits)
    number = int(whole + decimals)
    significant = (whole + decimals).lstrip("0")
    digits = Digits(len(decimals), len(significant), len(significant))
    written = decimals.rstrip("0")
    form = whole.lstrip("0") or "0"
    if written:
        form = f"{form}.{written}"
    if sign == "-" and number:
        number, form = -number, "-" + form
    return Reading(text, Fraction(number, 10 ** len(decimals)), form, form, (), None, digits)


def _grouped(text: str) -> Reading | None:
    match = _GROUPED.fullmatch(text)
    if match is None:
        return None
    significant = match[2].translate(_MARKS)
    number = -int(significant) if match[1] == "-" else int(significant)
    digits = Digits(0, len(significant.rstrip("0")), len(significant))
    form = str(number)
    return Reading(text, Fraction(number), form, form, (), None, digits)


def _fraction(text: str) -> Reading | None:
    match = _FRACTION.fullmatch(text)
    below = int(match[3]) if match else 0
    if match is None or below == 0:
        return None
    above = int(match[2])
    value = Fraction(-above if match[1] == "-" else above, below)
    form = normal_form(value)
    return Reading(text, value, form, typeset(form))
