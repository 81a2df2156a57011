"""Marking a formula by its values at many points."""

from functools import lru_cache

from service.engine.grading.formulas.parse import understood
from service.engine.grading.formulas.sample import Sampled, Span, agrees, is_enough, sampled
from service.engine.grading.formulas.typeset import latex, plain
from service.engine.grading.marking.mark import ALL, NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.rules import Expression
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Problem

KEY_LOCALE = "en"
"""Keys are formulas in plain ASCII, in which a point stands before the decimals."""

UNDEFINED = Problem("undefined", "This has no sure value anywhere where it was tried.")


def read_formula(rule: Expression, text: str, locale: str | None = None) -> Reading:
    """What was understood, in plain text and in LaTeX; a formula has no value."""
    formula = understood(text, rule.names, locale)
    if isinstance(formula, Problem):
        return Reading(text, problem=formula)
    return Reading(text, normal_form=plain(formula), latex=latex(formula))


def mark_expression(
    rule: Expression, text: str, key: str, locale: str | None = None
) -> tuple[Mark, Reading]:
    """Does the formula have the key's values? One without any value is unreadable."""
    reading = read_formula(rule, text, locale)
    if reading.problem is not None:
        return unreadable(*reading.problem), reading
    answer = understood(text, rule.names, locale)
    assert not isinstance(answer, Problem)
    match agrees(_key(rule, key), answer, float(rule.tolerance)):
        case None:
            return unreadable(*UNDEFINED), reading
        case True:
            return by_score(ALL, Note("correct", f"Read as {reading.normal_form}. Right.")), reading
        case False:
            message = f"Read as {reading.normal_form}. This is not right."
            return by_score(NOTHING, Note("incorrect", message)), reading


def is_comparable(rule: Expression, key: str) -> bool:
    """True if the key has values at enough points of the ranges."""
    return is_enough(_key(rule, key))


@lru_cache(maxsize=256)
def _key(rule: Expression, key: str) -> Sampled:
    formula = understood(key, rule.names, KEY_LOCALE)
    assert not isinstance(formula, Problem)
    spans = [Span(one.name, one.lowest, one.highest) for one in rule.variables]
    return sampled(formula, spans, key, float(rule.tolerance))
