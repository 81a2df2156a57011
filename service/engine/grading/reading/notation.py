"""Writing exact numbers: one normal form, LaTeX, and a number that JSON can carry."""

from decimal import Context, Decimal
from fractions import Fraction

from service.engine.grading.reading.values import Number

LARGEST_JSON_INTEGER = 2**53 - 1
_LONGEST_PLAIN = 40  # digits; beyond that a power of ten is easier to read
_LARGEST_PLAIN = 10**_LONGEST_PLAIN


def normal_form(value: Number) -> str:
    """The one writing of a value that everything read as it shares.

    "9216", "-0.5", "1/3" where decimals do not end, "1e+300" where they take over 40 digits;
    plain ASCII that any language parses, except for the infinities "∞" and "−∞".
    """
    if isinstance(value, float):
        return "∞" if value > 0 else "−∞"
    if value.denominator == 1 and -_LARGEST_PLAIN < value.numerator < _LARGEST_PLAIN:
        return str(value.numerator)
    decimal = _decimal(value)
    if decimal is None:
        return f"{value.numerator}/{value.denominator}"
    plain = f"{decimal:f}"
    return plain if len(plain.lstrip("-").replace(".", "")) <= _LONGEST_PLAIN else _power(decimal)


def latex(value: Number) -> str:
    """normal_form for typesetting: \\frac{1}{3}, 6.02 \\times 10^{300}, -\\infty."""
    return typeset(normal_form(value))


def typeset(written: str) -> str:
    """The LaTeX of a number in normal form."""
    sign, size = ("-", written[1:]) if written[0] in "-−" else ("", written)
    if size == "∞":
        return sign + r"\infty"
    if "/" in size:
        above, below = size.split("/")
        return rf"{sign}\frac{{{above}}}{{{below}}}"
    mantissa, e, exponent = size.partition("e")
    return sign + (rf"{mantissa} \times 10^{{{int(exponent)}}}" if e else mantissa)


def json_number(value: Number) -> int | float | None:
    """An int where JSON readers hold it exactly, else the nearest float; null for an infinity."""
    if isinstance(value, float):
        return None
    if value.denominator == 1 and abs(value.numerator) <= LARGEST_JSON_INTEGER:
        return value.numerator
    return value.numerator / value.denominator


def _decimal(value: Fraction) -> Decimal | None:
    """value as a decimal without trailing zeros, or None if its decimals never end."""
    denominator, fives, twos = value.denominator, 0, 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    places = max(twos, fives)
    if denominator != 1:
        return None
    digits = value.numerator * 10**places // value.denominator
    context = Context(prec=len(str(abs(digits))) + 1, Emin=-9999, Emax=9999)
    return Decimal(digits).scaleb(-places, context).normalize(context)


def _power(decimal: Decimal) -> str:
    return f"{decimal:e}"
