"""Rules of the wire as the engine's, with exact tolerances and bounds."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from service.engine.errors import EngineError
from service.engine.grading.formulas.names import is_name
from service.engine.grading.marking.rules import (
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
    Variable,
)
from service.engine.grading.marking.short_texts import read_words
from service.engine.grading.reading.read import read, read_number

LEAST_TOLERANCE = Fraction(1, 10**12)
"""Values of formulas are floats; closer than this they cannot be told apart."""

Loaded = Mapping[str, Any]


def rule_of(loaded: Loaded, locale: str | None = None) -> Rule:
    """The engine's rule. Raises EngineError whose field is the place of the fault in it."""
    match loaded["kind"]:
        case "cells":
            return _cells(loaded, locale)
        case "tensor":
            return Tensor(_cells(loaded, locale))
        case "choice":
            return Choice(loaded["several"], loaded["partial"])
        case "ordering":
            return Ordering(loaded["partial"])
        case "short_text":
            return _short_text(loaded)
        case "expression":
            return _expression(loaded, locale)
        case _:
            return scalar_rule_of(loaded, locale)


def scalar_rule_of(loaded: Loaded, locale: str | None = None) -> ScalarRule:
    """The engine's rule for one number."""
    arithmetic = loaded["arithmetic"]
    match loaded["kind"]:
        case "integer":
            return Integer(arithmetic)
        case "absolute":
            return Absolute(_tolerance(loaded, locale), arithmetic)
        case "relative":
            return Relative(_tolerance(loaded, locale), arithmetic)
        case "significant_figures":
            return SignificantFigures(loaded["figures"], loaded["written_so"], arithmetic)
        case "decimal_places":
            return DecimalPlaces(loaded["places"], loaded["written_so"], arithmetic)
        case "range":
            return _range(loaded, locale)
        case "derived":
            return Derived(loaded["decimals"], arithmetic)
        case kind:
            raise AssertionError(kind)


def _cells(loaded: Loaded, locale: str | None) -> Cells:
    try:
        each = scalar_rule_of(loaded["each"], locale)
    except EngineError as error:
        raise EngineError(f"each/{error.field}", error.message) from None
    return Cells(each, loaded["rows_sum_to_one"], loaded["blocked_are_zero"])


def _range(loaded: Loaded, locale: str | None) -> Range:
    lowest, highest = (
        _exact(loaded, name, locale) if name in loaded else None for name in ("lowest", "highest")
    )
    if lowest is None and highest is None:
        raise EngineError("lowest", "A range has a lowest or a highest number, or both.")
    included = loaded["lowest_included"], loaded["highest_included"]
    if lowest is not None and highest is not None:
        if lowest > highest:
            raise EngineError("highest", "The range is empty: highest is below lowest.")
        if lowest == highest and not all(included):
            raise EngineError("highest", "The range is empty: its only number is not included.")
    return Range(lowest, highest, *included, loaded["arithmetic"])


def _short_text(loaded: Loaded) -> ShortText:
    rule = ShortText(tuple(loaded.get("accepted", ())), loaded["case_matters"])
    for i, words in enumerate(rule.accepted):
        problem = read_words(rule, words).problem
        if problem is not None:
            raise EngineError(f"accepted/{i}", problem.message)
    return rule


def _expression(loaded: Loaded, locale: str | None) -> Expression:
    ranges = loaded.get("variables", {})
    if not ranges:
        raise EngineError("variables", "A formula has at least one variable.")
    for name, (lowest, highest) in ranges.items():
        if not is_name(name):
            raise EngineError(
                "variables",
                f"{name[:40]!r} is no name of a variable, which is a letter or a few, with digits "
                "or an index after them: x, n, d_k, n_heads, x1. e, pi and functions are taken.",
            )
        if lowest >= highest:
            raise EngineError(f"variables/{name}", "The highest value is above the lowest.")
    variables = tuple(Variable(name, *bounds) for name, bounds in ranges.items())
    if "tolerance" not in loaded:
        return Expression(variables)
    tolerance = _tolerance(loaded, locale)
    if tolerance < LEAST_TOLERANCE:
        raise EngineError("tolerance", "The values of formulas are told apart down to 1e-12.")
    return Expression(variables, tolerance)


def _tolerance(loaded: Loaded, locale: str | None) -> Fraction:
    tolerance = _exact(loaded, "tolerance", locale)
    if tolerance < 0:
        raise EngineError("tolerance", "A tolerance is not negative.")
    return tolerance


def _exact(loaded: Loaded, name: str, locale: str | None) -> Fraction:
    """A member that is a finite number, exactly as it is typed."""
    typed = loaded[name]
    reading = read(typed, locale) if isinstance(typed, str) else read_number(typed)
    if reading.problem is not None:
        raise EngineError(name, reading.problem.message)
    if not isinstance(reading.value, Fraction):
        raise EngineError(name, "This must be a finite number; leave it out where there is none.")
    return reading.value
