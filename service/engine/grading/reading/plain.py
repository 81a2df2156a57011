"""The short way for what nearly everybody types: digits, at most one point, a sign."""

import re
from fractions import Fraction

from service.engine.grading.reading.values import Digits, Reading

# At most 40 digits, which the normal form writes out. 9.216 is not among these: three decimals
# after one to three digits, not 0 alone, could be thousands.
_PLAIN = re.compile(
    r"([-+]?)(?:([0-9]{1,40})|(?!(?:[1-9][0-9]{0,2}|0[0-9]{1,2})\.[0-9]{3}(?![0-9]))"
    r"([0-9]{0,20})\.([0-9]{1,20}))"
)


def plain_decimal(text: str) -> Reading | None:
    """The reading of 9216, -0.4721 or .5, as the general way gives it; None for other texts."""
    match = _PLAIN.fullmatch(text)
    if match is None:
        return None
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
