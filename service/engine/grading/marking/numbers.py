"""Marking one number by its rule and key."""

from fractions import Fraction
from typing import assert_never

from service.engine.grading.marking.mark import Mark, Note, by_score, unreadable
from service.engine.grading.marking.rounding import decimal_unit, rounds_alike, significant_unit
from service.engine.grading.marking.rules import (
    Absolute,
    DecimalPlaces,
    Integer,
    Relative,
    ScalarRule,
    SignificantFigures,
    precision,
)
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Number


def mark_value(rule: ScalarRule, reading: Reading, key: Number) -> Mark:
    """Is the value read right? One without a value is unreadable, for the reading's own reason."""
    if reading.value is None:
        assert reading.problem is not None
        return unreadable(*reading.problem)
    if not is_right(rule, reading.value, key):
        return by_score(Fraction(0), Note("incorrect", f"{_as_read(reading)} This is not right."))
    wanted = _missing_precision(rule, reading)
    if wanted:
        return by_score(Fraction(1, 2), Note("precision", f"{_as_read(reading)} {wanted}"))
    return by_score(Fraction(1), Note("correct", f"{_as_read(reading)} Right."))


def is_right(rule: ScalarRule, value: Number, key: Number) -> bool:
    """value satisfies rule for key; an infinity is right only where the key is the same one."""
    if isinstance(value, float) or isinstance(key, float):
        return value == key
    match rule:
        case Integer():
            return value == key
        case Absolute(tolerance):
            return abs(value - key) <= tolerance
        case Relative(tolerance):
            return abs(value - key) <= tolerance * abs(key)
        case SignificantFigures(figures):
            return rounds_alike(value, key, significant_unit(key, figures))
        case DecimalPlaces(places):
            return rounds_alike(value, key, decimal_unit(places))
        case _:
            assert_never(rule)


def _missing_precision(rule: ScalarRule, reading: Reading) -> str:
    """What to say of a right value typed with other than the wanted digits; "" if all is well."""
    digits = reading.digits
    match rule:
        case SignificantFigures(figures, written_so=True):
            well_written = digits is not None and digits.least == figures == digits.most
        case DecimalPlaces(places, written_so=True):
            well_written = digits is not None and digits.decimals == places
        case _:
            return ""
    return "" if well_written else f"The value is right; write it with {precision(rule)}."


def _as_read(reading: Reading) -> str:
    return f"Read as {reading.normal_form}."
