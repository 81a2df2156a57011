"""A rule for one number, tried with values that it should not let pass."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from service.engine.grading.checks.findings import Finding
from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rounding import decimal_unit, significant_unit
from service.engine.grading.marking.rules import (
    Absolute,
    DecimalPlaces,
    Integer,
    Range,
    Relative,
    ScalarRule,
    SignificantFigures,
)
from service.engine.grading.reading.notation import normal_form
from service.engine.grading.reading.values import Number


class Asked(NamedTuple):
    """With how many decimals or significant figures the prompt wants the answer."""

    decimals: int | None = None
    figures: int | None = None


NOTHING_ASKED = Asked()


def check_number(rule: ScalarRule, key: Number, asked: Asked) -> Iterator[Finding]:
    """What a rule does with its key, the key's neighbours and the common slips."""
    yield from _impossible(rule, key)
    if isinstance(key, float):
        return
    if isinstance(rule, Range):
        yield from _range(rule)
    if not is_right(rule, key, key):
        yield Finding("error", "key_fails", f"The key {normal_form(key)} fails its own rule.")
        return
    yield from _too_wide(rule, key)
    yield from _too_tight(rule, key, asked)


def _impossible(rule: ScalarRule, key: Number) -> Iterator[Finding]:
    if isinstance(rule, Integer) and (isinstance(key, float) or key.denominator != 1):
        yield Finding(
            "error", "not_whole", f"A whole number is asked for, but the key is {normal_form(key)}."
        )
    if isinstance(rule, Relative) and key == 0:
        yield Finding(
            "error", "relative_to_zero", "A share of 0 is 0: give an absolute tolerance instead."
        )
    if not isinstance(rule, SignificantFigures | DecimalPlaces) or not rule.written_so:
        return
    if isinstance(key, float) or (isinstance(rule, SignificantFigures) and key == 0):
        what = "significant figures" if isinstance(rule, SignificantFigures) else "decimals"
        yield Finding(
            "error",
            "never_right",
            f"{normal_form(key)} has no {what}, so no answer is more than half right: leave"
            " written_so out.",
        )


def _range(rule: Range) -> Iterator[Finding]:
    if rule.lowest is None and rule.highest is None:
        yield Finding("error", "accepts_everything", "The range has no bound: any number passes.")


def _too_wide(rule: ScalarRule, key: Fraction) -> Iterator[Finding]:
    if key.denominator == 1 and any(is_right(rule, key + step, key) for step in (-1, 1)):
        yield Finding(
            "warning",
            "neighbour_passes",
            "The key is a whole number, and one more or one less passes too. If it counts"
            " something, use the rule for whole numbers.",
        )
    if key == 0:
        return
    if is_right(rule, Fraction(0), key):
        yield Finding("error", "zero_passes", "The window is so wide that 0 passes.")
        return
    if any(is_right(rule, key * factor, key) for factor in (10, Fraction(1, 10))):
        yield Finding(
            "error",
            "misconception_passes",
            "decimal_point_moved: ten times the key, or a tenth, passes.",
        )
    if is_right(rule, -key, key):
        yield Finding("error", "misconception_passes", "sign_lost: the key's opposite passes.")


def _too_tight(rule: ScalarRule, key: Fraction, asked: Asked) -> Iterator[Finding]:
    exact_only = isinstance(rule, Absolute | Relative) and rule.tolerance == 0
    if exact_only and key.denominator != 1:
        yield Finding(
            "warning",
            "zero_tolerance",
            "The tolerance is 0, but the key is no whole number: every rounding of it fails.",
        )
    for unit, places in (
        (asked.decimals is not None and decimal_unit(asked.decimals), f"{asked.decimals} decimals"),
        (asked.figures and significant_unit(key, asked.figures), f"{asked.figures} figures"),
    ):
        if unit and not is_right(rule, round(key / unit) * unit, key):
            yield Finding(
                "error", "too_tight", f"The key rounded to {places}, as it is asked for, fails."
            )
    digits = len(normal_form(abs(key)).replace(".", "").lstrip("0"))
    if isinstance(rule, SignificantFigures) and key.denominator != 1 and digits < rule.figures:
        yield Finding(
            "warning",
            "key_has_fewer_figures",
            f"{rule.figures} significant figures are asked for, but the key has {digits}; it is"
            " taken as exact.",
        )
