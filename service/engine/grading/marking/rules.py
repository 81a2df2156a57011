"""What counts as right, as data. A rule says how to compare; the key says with what."""

from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from service.engine.grading.reading.notation import normal_form


@dataclass(frozen=True, slots=True)
class Integer:
    """answer = key, as whole numbers; 4.0 and 8/2 are the whole number 4."""


@dataclass(frozen=True, slots=True)
class Absolute:
    """|answer − key| <= tolerance, on exact fractions of both as printed."""

    tolerance: Fraction


@dataclass(frozen=True, slots=True)
class Relative:
    """|answer − key| <= tolerance · |key|, on exact fractions of both as printed."""

    tolerance: Fraction


@dataclass(frozen=True, slots=True)
class SignificantFigures:
    """answer and key agree when both are rounded to the digit that is the key's last of `figures`.

    A half may be rounded either way. If written_so, the answer also has to be typed with that many
    significant digits; right in value but not in this is half right.
    """

    figures: int
    written_so: bool = False


@dataclass(frozen=True, slots=True)
class DecimalPlaces:
    """answer and key agree when both are rounded to `places` decimals.

    A half may be rounded either way. If written_so, the answer also has to be typed with that many
    decimals; right in value but not in this is half right.
    """

    places: int
    written_so: bool = False


ScalarRule = Integer | Absolute | Relative | SignificantFigures | DecimalPlaces


@dataclass(frozen=True, slots=True)
class Cells:
    """The shape is the key's, and each cell is right by `each`; the score is the share of right
    cells. A vector is one row."""

    each: ScalarRule


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen set is the key.

    several: more than one may be chosen. partial: then max(0, right − wrong) / |key| is scored.
    """

    several: bool = False
    partial: bool = False


Rule = ScalarRule | Cells | Choice


def in_words(rule: Rule) -> str:
    """The rule as a sentence for students and teachers. It says nothing about the key."""
    match rule:
        case Integer():
            return "The whole number, exactly."
        case Absolute(tolerance):
            return f"Within {normal_form(tolerance)} of the exact value, the bounds included."
        case Relative(tolerance):
            percent = normal_form(tolerance * 100)
            return f"Within {percent} % of the exact value, the bounds included."
        case SignificantFigures() | DecimalPlaces():
            sentence = f"Equal to the exact value when both are rounded to {precision(rule)}"
            return sentence + (", and written with exactly as many." if rule.written_so else ".")
        case Cells(each):
            inner = in_words(each)
            return f"Cell by cell, and the shape has to fit: {inner[0].lower()}{inner[1:]}"
        case Choice(several=False):
            return "The one right choice."
        case Choice(partial=True):
            return "All right choices and no other; each wrong one takes back a right one."
        case Choice():
            return "All right choices and no other."
        case _:
            assert_never(rule)


def precision(rule: SignificantFigures | DecimalPlaces) -> str:
    """ "3 significant figures", "1 decimal place"."""
    if isinstance(rule, SignificantFigures):
        return f"{rule.figures} significant figure{'s' * (rule.figures != 1)}"
    return f"{rule.places} decimal place{'s' * (rule.places != 1)}"
