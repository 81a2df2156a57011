"""Rules in words."""

from functools import lru_cache
from typing import assert_never

from service.engine.grading.marking.rules import (
    ONE_BILLIONTH,
    Absolute,
    Cells,
    Choice,
    DecimalPlaces,
    Derived,
    Expression,
    Integer,
    Ordering,
    Range,
    Relative,
    Rule,
    ScalarRule,
    ShortText,
    SignificantFigures,
    Tensor,
)
from service.engine.grading.reading.notation import normal_form


@lru_cache(maxsize=1024)
def in_words(rule: Rule) -> str:
    """The rule as a sentence for students and teachers. It says nothing about the key."""
    match rule:
        case Cells():
            return _of_cells(rule)
        case Tensor(cells):
            return f"Head by head, and their number has to fit: {_lowered(in_words(cells))}"
        case Choice(several=False):
            return "The one right choice."
        case Choice(partial=True):
            return "All right choices and no other; each wrong one takes back a right one."
        case Choice():
            return "All right choices and no other."
        case Ordering(partial=True):
            return "The right order; each pair in the wrong one takes back a right pair."
        case Ordering():
            return "The right order, from first to last."
        case ShortText(case_matters=True):
            return "The right words, capitals included; spaces and hyphens do not matter."
        case ShortText():
            return "The right words; capitals, spaces and hyphens do not matter."
        case Expression(variables, tolerance):
            names = ", ".join(variable.name for variable in variables)
            sentence = f"A formula in {names} with the same values as the right one everywhere"
            if tolerance == ONE_BILLIONTH:
                return f"{sentence}."
            return f"{sentence}, within {normal_form(tolerance * 100)} % of each."
        case _:
            return _of_numbers(rule)


def precision(rule: SignificantFigures | DecimalPlaces) -> str:
    """ "3 significant figures", "1 decimal place"."""
    if isinstance(rule, SignificantFigures):
        return f"{rule.figures} significant figure{'s' * (rule.figures != 1)}"
    return f"{rule.places} decimal place{'s' * (rule.places != 1)}"


def _of_numbers(rule: ScalarRule) -> str:
    return _comparison(rule) + (" Simple arithmetic is read too." if rule.arithmetic else "")


def _comparison(rule: ScalarRule) -> str:
    match rule:
        case Integer():
            return "The whole number, exactly."
        case Absolute(tolerance) if tolerance == 0:
            return "The exact value, in any notation."
        case Absolute(tolerance):
            return f"Within {normal_form(tolerance)} of the exact value, the bounds included."
        case Relative(tolerance):
            percent = normal_form(tolerance * 100)
            return f"Within {percent} % of the exact value, the bounds included."
        case SignificantFigures() | DecimalPlaces():
            sentence = f"Equal to the exact value when both are rounded to {precision(rule)}"
            return sentence + (", and written with exactly as many." if rule.written_so else ".")
        case Derived(decimals):
            return (
                f"Any value that rounding each intermediate result to {decimals} or more decimals"
                " can lead to."
            )
        case Range():
            return f"Inside the range that counts as right, {_bounds(rule)}."
        case _:
            assert_never(rule)


def _bounds(rule: Range) -> str:
    """Which bounds belong to the range; not on which side it is open, for that would be a hint."""
    there = ((rule.lowest, rule.lowest_included), (rule.highest, rule.highest_included))
    included = {is_included for bound, is_included in there if bound is not None}
    if len(included) == 2:
        name = "lower" if rule.lowest_included else "upper"
        return f"the {name} bound included and the other not"
    return "its bounds included" if included == {True} else "its bounds not included"


def _of_cells(rule: Cells) -> str:
    sentence = f"Cell by cell, and the shape has to fit: {_lowered(in_words(rule.each))}"
    properties = []
    if rule.rows_sum_to_one:
        properties.append("has no negative weight and sums to 1")
    if rule.blocked_are_zero:
        sentence += (
            " A blocked cell has to be exactly 0; in each row the share of blocked cells that are "
            "right is multiplied by that of the others."
        )
        properties.append("is 0 wherever a cell is blocked")
    if properties:
        sentence += (
            " A row in which a number other than 0 is right gets back a quarter of what it lost if "
            f"it {' and '.join(properties)}."
        )
    return sentence


def _lowered(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
