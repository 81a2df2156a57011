"""The same number as students may write it."""

from collections.abc import Iterator
from fractions import Fraction

from service.engine.grading.reading.notation import normal_form
from service.engine.grading.reading.values import Number

_LARGEST_PART = 10_000


def notations(value: Number) -> Iterator[tuple[str, str | None]]:
    """Texts with the locale under which they are meant, None where they need none."""
    plain = normal_form(value)
    yield plain, None
    if isinstance(value, float):
        return
    if value < 0:
        yield plain.replace("-", "−", 1), None
    ends = "/" not in plain and "e" not in plain
    if ends and "." in plain:
        yield plain.replace(".", ","), "de"
    if ends and abs(value) >= 1_000:
        sign, size = ("-", plain[1:]) if value < 0 else ("", plain)
        whole, point, decimals = size.partition(".")
        grouped = sign + f"{int(whole):,}"
        yield grouped + point + decimals, "en"
        yield grouped.replace(",", ".") + point.replace(".", ",") + decimals, "de"
        yield grouped.replace(",", "\N{NARROW NO-BREAK SPACE}") + point + decimals, None
    if ends and value:
        yield _scientific(plain, "e{}"), None
        yield _scientific(plain, "×10^{}"), None
    if value.denominator != 1 and max(abs(value.numerator), value.denominator) < _LARGEST_PART:
        yield f"{value.numerator}/{value.denominator}", None


def _scientific(plain: str, power: str) -> str:
    """ "-0.0125" -> "-1.25e-2"."""
    sign, size = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    whole, _, decimals = size.partition(".")
    digits = (whole + decimals).lstrip("0")
    exponent = len(whole) - 1 if whole.strip("0") else len(digits) - len(decimals) - 1
    digits = digits.rstrip("0")
    mantissa = digits[0] + ("." + digits[1:] if digits[1:] else "")
    assert Fraction(mantissa) * Fraction(10) ** exponent == abs(Fraction(plain))
    return sign + mantissa + power.format(exponent)
