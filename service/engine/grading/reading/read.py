"""Reading what a student typed: one exact value, or the reason why there is none."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from service.engine.grading.reading import problems
from service.engine.grading.reading.calculation import calculated
from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.characters import RAISED_POINT, one_spelling
from service.engine.grading.reading.contested import also_decimal, hyphened, raised_points
from service.engine.grading.reading.forms import candidates
from service.engine.grading.reading.locales import Convention, convention
from service.engine.grading.reading.notation import normal_form, typeset
from service.engine.grading.reading.numerals import Style
from service.engine.grading.reading.plain import plain_number
from service.engine.grading.reading.powers import OUT_OF_RANGE, in_range
from service.engine.grading.reading.scales import scales
from service.engine.grading.reading.styles import styles
from service.engine.grading.reading.units import beside
from service.engine.grading.reading.values import Alternative, Problem, Reading
from service.engine.grading.reading.weighing import (
    agree,
    alternatives,
    fits,
    is_settled_by_a_locale,
    others,
)

__all__ = ["Alternative", "Reading", "read", "read_cell", "read_number"]

LONGEST_TEXT = 200
_RANGE = re.compile(r"[0-9)] ?[\u2012-\u2015] ?[0-9(]")
_GROUP_OF_TWO = re.compile(r"([,. '_\u066c])[0-9]{2}\1[0-9]")


def read(text: str, locale: str | None = None, arithmetic: bool = False) -> Reading:
    """The value of text, whatever common notation it is in; with arithmetic, 96*96 has one too.

    A text is read in every style of marks. Where that gives several values, the declared locale's
    own style decides; without one the text is ambiguous and stays unread, except that in scientific
    notation a point is the decimal mark.
    """
    plain = plain_number(text)
    if plain is not None and not (locale and _is_contested(text, locale)):
        return plain
    if not text.strip():
        return Reading(text[:LONGEST_TEXT], problem=problems.BLANK)
    if len(text) > LONGEST_TEXT:
        return Reading(text[:LONGEST_TEXT], problem=problems.TOO_LONG)
    return _read(text, locale, arithmetic)


def _is_contested(text: str, locale: str) -> bool:
    marks = convention(locale).also_decimal
    return bool(marks) and marks in text


def read_number(number: object) -> Reading:
    """A JSON number, by its shortest decimal; it has no separators and so no second reading."""
    if number is None:
        return Reading("", problem=problems.BLANK)
    if isinstance(number, bool) or not isinstance(number, int | float):
        return Reading(str(number)[:LONGEST_TEXT], problem=problems.NOT_A_NUMBER)
    if isinstance(number, float) and not isfinite(number):
        return Reading(str(number), problem=problems.NOT_A_NUMBER)
    if isinstance(number, int) and not in_range(Fraction(number)):
        return Reading("", problem=OUT_OF_RANGE)  # its digits may be too many to write out
    text = str(number)
    plain = plain_number(text)
    if plain is not None:
        return plain
    found = [_checked(candidate) for candidate in candidates(text, Style("", "."))]
    return _taken(text, found[0], found)


def read_cell(cell: object, locale: str | None = None, arithmetic: bool = False) -> Reading:
    """A cell of a matrix: typed text or a JSON number."""
    return read(cell, locale, arithmetic) if isinstance(cell, str) else read_number(cell)


@lru_cache(maxsize=4096)
def _read(text: str, locale: str | None, arithmetic: bool) -> Reading:
    """read() without the short way; in a class, many type the same."""
    rules = convention(locale)
    spelled = one_spelling(text, rules)
    if isinstance(spelled, Problem):
        return Reading(text, problem=spelled)
    if rules.percent_first:
        spelled = re.sub(r"^([-+]?) ?% ?([^%]+)$", r"\1\2%", spelled)
    plain = spelled.replace(RAISED_POINT, "*")
    found = [_checked(candidate) for candidate in _candidates(plain, rules, lakh=rules.lakh)]
    if not found and arithmetic:
        if _RANGE.search(text):
            return Reading(text, problem=problems.DASH)
        found = [_checked(candidate) for candidate in _calculations(text, spelled, plain, rules)]
    if not found:
        return _unread(text, plain, rules)
    if rules.also_decimal:
        found += map(_checked, also_decimal(text, plain, rules))
    if agree(found):
        return _taken(text, found[0], found)
    preferred = [candidate for candidate in found if fits(candidate, rules)]
    if preferred and agree(preferred):
        return _taken(text, preferred[0], found)
    return Reading(text, alternatives=alternatives(found), problem=_ambiguous(found))


def _candidates(plain: str, rules: Convention, lakh: bool) -> Iterator[Candidate]:
    # A last point may end the number or the sentence; both are tried.
    for text in (plain, plain[:-1]) if re.search(r"[^.]\.$", plain) else (plain,):
        for style in styles(text, lakh):
            yield from candidates(text, style, rules.long_scale)


def _calculations(raw: str, spelled: str, plain: str, rules: Convention) -> Iterator[Candidate]:
    for style in styles(plain, rules.lakh):
        result = calculated(plain, style)
        if result:
            yield Candidate(result.value, result.marks, latex=result.latex)
    yield from raised_points(spelled, rules)
    yield from hyphened(raw, plain)


def _checked(candidate: Candidate) -> Candidate:
    value = candidate.value
    if isinstance(value, Problem | float) or in_range(value):
        return candidate
    return Candidate(OUT_OF_RANGE, candidate.marks)


def _taken(text: str, chosen: Candidate, found: list[Candidate]) -> Reading:
    value = chosen.value
    if isinstance(value, Problem):
        return Reading(text, problem=value)
    form = chosen.exact_form or normal_form(value)
    return Reading(
        text,
        value,
        form,
        chosen.latex or typeset(form),
        others(found, value),
        digits=chosen.digits,
        approximate=bool(chosen.exact_form),
    )


def _ambiguous(found: list[Candidate]) -> Problem:
    if is_settled_by_a_locale(found):
        return problems.AMBIGUOUS
    return problems.contested([one.because for one in alternatives(found)])


def _unread(text: str, plain: str, rules: Convention) -> Reading:
    if _GROUP_OF_TWO.search(plain):
        lakhs = [_checked(candidate) for candidate in _candidates(plain, rules, lakh=True)]
        if lakhs:
            return Reading(text, alternatives=alternatives(lakhs), problem=problems.LAKH)
    words = _words_beside(plain, rules)
    return Reading(text, problem=problems.unit(words) if words else problems.unreadable(plain))


def _words_beside(plain: str, rules: Convention) -> str:
    """The unit after a number, or the currency before it; "" if there is none."""
    for number, words in beside(plain):
        if next(_candidates(number, rules, rules.lakh), None):
            return "" if scales(words, rules.long_scale) else words  # 1/2k has two readings
    return ""
