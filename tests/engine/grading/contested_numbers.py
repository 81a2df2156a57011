"""Writes numbers as one school does and another would not read: a value and its text, with the
locales in which somebody writes so. Entered by hand, from school books, not from the reader."""

from fractions import Fraction

from hypothesis import strategies as st
from written_numbers import HABITS

EVERYWHERE = sorted(HABITS)
COMMA = sorted(tag for tag, habits in HABITS.items() if "," in habits.decimals)
POINT = sorted(tag for tag, habits in HABITS.items() if "." in habits.decimals)
UNITS = {"K": 10**3, "T": 10**12, "B": 10**9}

SMALL = st.integers(1, 999)


def pointed_power(draw):
    """6.10^23 for 6 times 10^23, as in France and the Netherlands."""
    mantissa, exponent = draw(SMALL), draw(st.integers(-30, 30))
    return f"{mantissa}.10^{exponent}", Fraction(mantissa) * Fraction(10) ** exponent


def pointed_decimal_power(draw):
    """6,02.10^23."""
    whole, more = draw(SMALL), draw(st.from_regex("[0-9]{1,5}", fullmatch=True))
    exponent = draw(st.integers(-30, 30))
    return f"{whole},{more}.10^{exponent}", Fraction(f"{whole}.{more}") * Fraction(10) ** exponent


def power_of_a_decimal(draw):
    """1.10^5, as in compound interest."""
    whole, exponent = draw(st.integers(0, 99)), draw(st.integers(1, 20))
    return f"{whole}.10^{exponent}", Fraction(10 * whole + 1, 10) ** exponent


def raised_product(draw):
    """3·14 for 42."""
    left, right = draw(st.integers(0, 9999)), draw(st.integers(0, 9999))
    return f"{left}·{right}", Fraction(left * right)


def raised_decimal(draw):
    """3·14 for 3.14, as in older British books."""
    whole, more = draw(st.integers(0, 9999)), draw(st.from_regex("[0-9]{1,5}", fullmatch=True))
    return f"{whole}·{more}", Fraction(f"{whole}.{more}")


def _proper(draw):
    below = draw(st.integers(2, 99))
    return draw(SMALL), draw(st.integers(1, below - 1)), below


def hyphened_mixed(draw):
    """1-1/2 for 1½."""
    whole, above, below = _proper(draw)
    return f"{whole}-{above}/{below}", whole + Fraction(above, below)


def subtracted(draw):
    whole, above, below = _proper(draw)
    return f"{whole}-{above}/{below}", whole - Fraction(above, below)


def slashed(draw):
    """3/14 for 3.14, as Persian keyboards have it."""
    whole, more = draw(SMALL), draw(st.from_regex("[0-9]{1,5}", fullmatch=True))
    return f"{whole}/{more}", Fraction(f"{whole}.{more}")


def apostrophed(draw):
    """1'234 for 1.234, as by hand in Spain."""
    whole, more = draw(SMALL), draw(st.from_regex("[0-9]{3}", fullmatch=True))
    return f"{whole}'{more}", Fraction(f"{whole}.{more}")


def of_a_unit(draw):
    """5 K for five kelvins."""
    number, unit = draw(st.integers(0, 9999)), draw(st.sampled_from(sorted(UNITS)))
    return f"{number} {unit}", Fraction(number)


def abbreviated(draw):
    """5 K for five thousand."""
    number, unit = draw(st.integers(0, 9999)), draw(st.sampled_from(sorted(UNITS)))
    return f"{number} {unit}", Fraction(number) * UNITS[unit]


FORMS = [
    (pointed_power, EVERYWHERE),
    (pointed_decimal_power, COMMA),
    (power_of_a_decimal, EVERYWHERE),
    (raised_product, EVERYWHERE),
    (raised_decimal, POINT),
    (hyphened_mixed, EVERYWHERE),
    (subtracted, EVERYWHERE),
    (slashed, ["fa"]),
    (apostrophed, ["ca", "es", "eu", "gl"]),
    (of_a_unit, EVERYWHERE),
    (abbreviated, EVERYWHERE),
]
