"""Marking one number by its rule and key."""

from fractions import Fraction
from typing import assert_never

from service.engine.grading.marking.mark import ALL, HALF, NOTHING, Mark, Note, unreadable
from service.engine.grading.marking.rounding import last_exponent, rounds_alike
from service.engine.grading.marking.rules import (
    Absolute,
    DecimalPlaces,
    Derived,
    Integer,
    Range,
    Relative,
    ScalarRule,
    SignificantFigures,
)
from service.engine.grading.marking.words import precision
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Number
from service.engine.grading.tolerances.reached import Reached


def mark_number(rule: ScalarRule, reading: Reading, key: Number, also: tuple[Number, ...]) -> Mark:
    """The best mark by any of the keys, all under the same rule."""
    mark = mark_value(rule, reading, key)
    for other in also:
        if mark.score == 1:
            break
        mark = max(mark, mark_value(rule, reading, other), key=lambda one: one.score)
    return mark


def mark_value(rule: ScalarRule, reading: Reading, key: Number) -> Mark:
    """Is the value read right? One without a value is unreadable, for the reading's own reason."""
    value = reading.value
    if value is None:
        assert reading.problem is not None
        return unreadable(*reading.problem)
    if not is_right(rule, value, key):
        message = f"Read as {reading.normal_form}. This is not right."
        return Mark("incorrect", NOTHING, (Note("incorrect", message),))
    wanted = _missing_precision(rule, reading)
    if wanted:
        message = f"Read as {reading.normal_form}. {wanted}"
        return Mark("partial", HALF, (Note("precision", message),))
    return Mark("correct", ALL, (Note("correct", f"Read as {reading.normal_form}. Right."),))


def is_right(rule: ScalarRule, value: Number, key: Number) -> bool:
    """value satisfies rule for key; an infinity is right only where the key is the same one."""
    if isinstance(value, float) or isinstance(key, float):
        return value == key
    match rule:
        case Integer():
            return value.numerator == key.numerator and value.denominator == key.denominator
        case Absolute(tolerance):
            return _apart_at_most(value, key, tolerance, 1, 1)
        case Relative(tolerance):
            return _apart_at_most(value, key, tolerance, abs(key.numerator), key.denominator)
        case SignificantFigures(figures):
            return rounds_alike(value, key, last_exponent(key, figures)) if key else value == 0
        case DecimalPlaces(places):
            return rounds_alike(value, key, -places)
        case Range():
            return _is_inside(rule, value)
        case Derived():
            assert isinstance(key, Reached)
            return key.lowest <= value <= key.highest
        case _:
            assert_never(rule)


def _apart_at_most(
    value: Fraction, key: Fraction, tolerance: Fraction, above: int, below: int
) -> bool:
    """|value − key| <= tolerance · above/below, in whole numbers: much faster than fractions."""
    n, d = value.numerator, value.denominator
    key_n, key_d = key.numerator, key.denominator
    return abs(n * key_d - key_n * d) * tolerance.denominator * below <= (
        tolerance.numerator * above * d * key_d
    )


def _is_inside(rule: Range, value: Fraction) -> bool:
    lowest, highest = rule.lowest, rule.highest
    if lowest is not None and not (value >= lowest if rule.lowest_included else value > lowest):
        return False
    return highest is None or (value <= highest if rule.highest_included else value < highest)


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
