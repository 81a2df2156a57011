"""Marking a formula by its values at many points."""

from functools import lru_cache

from service.engine.grading.formulas.formula import Formula, formula
from service.engine.grading.formulas.sample import (
    Sampled,
    Span,
    agrees,
    is_enough,
    points,
    sampled,
)
from service.engine.grading.marking.mark import ALL, NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.rules import Expression
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Problem
from service.engine.trace import Array

KEY_LOCALE = "en"
"""Keys are formulas in plain ASCII, in which a point stands before the decimals."""

UNDEFINED = Problem("undefined", "This has no sure value anywhere where it was tried.")

FormulaKey = Formula | str
"""A formula, or its text in KEY_LOCALE."""


def read_formula(
    rule: Expression, text: str, locale: str | None = None
) -> tuple[Reading, Formula | None]:
    """What was understood, in plain text and in LaTeX; a formula has no value."""
    found = formula(text, rule.names, locale)
    if isinstance(found, Problem):
        return Reading(text, problem=found), None
    return Reading(text, normal_form=found.text, latex=found.latex), found


def mark_expression(
    rule: Expression, text: str, key: FormulaKey, locale: str | None = None
) -> tuple[Mark, Reading]:
    """Does the formula have the key's values? One without any value is unreadable."""
    reading, answer = read_formula(rule, text, locale)
    if reading.problem is not None or answer is None:
        return unreadable(*(reading.problem or UNDEFINED)), reading
    if is_same(rule, answer, key):
        return by_score(ALL, Note("correct", f"Read as {reading.normal_form}. Right.")), reading
    if not _has_values(rule, answer):
        return unreadable(*UNDEFINED), reading
    message = f"Read as {reading.normal_form}. This is not right."
    return by_score(NOTHING, Note("incorrect", message)), reading


def is_same(
    rule: Expression, typed: FormulaKey, key: FormulaKey, tried: FormulaKey | None = None
) -> bool:
    """Do two formulas have the same values? At the key's own points, or those of another, `tried`:
    so one formula is compared with many at the price of one."""
    one, other = _formula(rule, typed), _formula(rule, key)
    where = other if tried is None else _formula(rule, tried)
    return agrees(_at(rule, where, other), _at(rule, where, one), float(rule.tolerance))


def is_comparable(rule: Expression, key: FormulaKey, tried: FormulaKey | None = None) -> bool:
    """True if the key has values at enough points of the ranges."""
    one = _formula(rule, key)
    return is_enough(_at(rule, one if tried is None else _formula(rule, tried), one))


def _has_values(rule: Expression, answer: Formula) -> bool:
    """Tried at points that do not depend on the key, so that it tells nothing of it."""
    found = sampled(answer.node, _points(rule, ""), float(rule.tolerance))
    return bool(found.usable.any())


def _formula(rule: Expression, key: FormulaKey) -> Formula:
    if isinstance(key, Formula):
        return key
    found = formula(key, rule.names, KEY_LOCALE)
    assert not isinstance(found, Problem), found
    return found


# What a task is compared by is computed for its first answer: fifty slips at the points of the key.
@lru_cache(maxsize=2048)
def _at(rule: Expression, where: Formula, one: Formula) -> Sampled:
    return sampled(one.node, _points(rule, where.text), float(rule.tolerance))


@lru_cache(maxsize=256)
def _points(rule: Expression, salt: str) -> dict[str, Array]:
    return points([Span(one.name, one.lowest, one.highest) for one in rule.variables], salt)
