"""Which known way to go wrong explains an answer that is not right."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import log10
from typing import Any, cast

from service.engine.grading.marking.expressions import FormulaKey, is_same
from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import (
    SCALAR_RULES,
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
from service.engine.grading.marking.short_texts import normal_words
from service.engine.grading.marking.task import Misconception, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.reading.values import Number
from service.engine.grading.tolerances.reached import Reached

# A range has no key to compare with, and a wrong power of ten of a key has to be near it.
_NEAR = Relative(Fraction(1, 100))
_OF_NUMBERS = (Integer, Absolute, Relative, SignificantFigures, DecimalPlaces)
_MOST_PLACES = 3
_MOST_BITS = 12  # 10^3.5 has as many
_ZERO = Fraction(0)


def diagnosis(task: Task, typed: Any) -> Misconception | None:
    """The misconception whose answer this is under the task's rule; None unless it is one only.

    typed: what was answered, in the form of a key, None for a cell that was not read. Silent where
    two of different codes lead to it, and for one that leads to a right answer on these numbers.
    For a number, a moved decimal point and a lost sign come after the specific ones.
    """
    rule, keys = task.rule, (task.key, *task.also)
    if typed is None:
        return None
    agree = partial(agrees, rule)
    if isinstance(rule, Expression):  # all are tried where the key is
        agree = partial(is_same, rule, tried=cast(FormulaKey, task.key))
    found = [one for one in task.misconceptions() if agree(typed, one.key)]
    told = told_apart(one for one in found if not any(agree(one.key, key) for key in keys))
    if told or not isinstance(rule, SCALAR_RULES) or isinstance(rule, Range):
        return told[0] if len(told) == 1 else None
    return generic_slip(cast(ScalarRule, rule), typed, cast(Sequence[Number], keys))


def told_apart(found: Iterable[Misconception]) -> list[Misconception]:
    """One of each code."""
    return list({one.code: one for one in found}.values())


def agrees(rule: Rule, typed: Any, key: Any) -> bool:
    """Would typed be right, every cell of it, if key were the key?"""
    if typed is None:
        return False
    if isinstance(rule, _OF_NUMBERS):  # nearly all, so before the others are looked through
        return is_right(rule, typed, key)
    match rule:
        case Cells(each):
            return _all_agree(each, typed, key)
        case Tensor(cells):
            return len(typed) == len(key) and all(map(partial(agrees, cells), typed, key))
        case Range():
            return is_right(_NEAR, typed, key)
        case Derived(decimals) if not isinstance(key, Reached):
            return is_right(Absolute(Fraction(1, 10**decimals)), typed, key)
        case Choice() | Ordering():
            return bool(typed == key)
        case ShortText(case_matters=case_matters):
            return normal_words(typed, case_matters) == normal_words(key, case_matters)
        case Expression():
            return is_same(rule, typed, key)
        case _:
            return is_right(rule, typed, key)


def _all_agree(
    each: ScalarRule, typed: Sequence[Sequence[Number | None]], key: Sequence[Sequence[Number]]
) -> bool:
    return len(typed) == len(key) and all(
        len(row) == len(due) and all(map(partial(agrees, each), row, due))
        for row, due in zip(typed, key, strict=True)
    )


def generic_slip(rule: ScalarRule, value: Any, keys: Sequence[Number]) -> Misconception | None:
    """A lost sign, or a moved decimal point where the key has two digits or more.

    Silent where the rule would take 0 too: then sign and digits say nothing.
    """
    if not isinstance(value, Fraction):
        return None
    for key in keys:
        if isinstance(key, float):
            continue
        if (value.numerator < 0) != (key.numerator < 0):
            if is_right(rule, -value, key) and not is_right(rule, _ZERO, key):
                return known("sign_lost", -key)
            continue
        places = _places_apart(value, key)
        if places and _has_two_digits(key) and not is_right(rule, _ZERO, key):
            moved = value / Fraction(10) ** places
            if is_right(rule, moved, key) and is_right(_NEAR, moved, key):
                return known("decimal_point_moved", key * Fraction(10) ** places)
    return None


def _places_apart(value: Fraction, key: Fraction) -> int:
    """The power of ten, up to _MOST_PLACES, that value / key may be within 1 % of; else 0."""
    above, below = value.numerator * key.denominator, value.denominator * key.numerator
    if above == 0 or below == 0 or abs(above.bit_length() - below.bit_length()) > _MOST_BITS:
        return 0
    places = round(log10(above / below))
    is_near = 0.98 < above / below / 10.0**places < 1.02
    return places if is_near and abs(places) <= _MOST_PLACES else 0


def _has_two_digits(key: Fraction) -> bool:
    """False for 4, 0.5 and 2000, true for 0.47 and 9216."""
    return f"{abs(float(key)):.6e}"[1:8].strip(".0") != ""
