"""Reading what a student typed: one exact value, or the reason why there is none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

from service.engine.grading.reading import problems
from service.engine.grading.reading.characters import plain_characters
from service.engine.grading.reading.forms import Candidate, candidates
from service.engine.grading.reading.locales import NEUTRAL_GROUPS, Convention, convention
from service.engine.grading.reading.notation import latex, normal_form
from service.engine.grading.reading.numerals import Style
from service.engine.grading.reading.powers import OUT_OF_RANGE, in_range
from service.engine.grading.reading.values import Digits, Number, Problem

LONGEST_TEXT = 200
_GROUPS, _DECIMALS = ",. '_\u066c", ".,\u066b"
_NAMES = {
    ",": "comma",
    ".": "point",
    " ": "space",
    "'": "apostrophe",
    "_": "underscore",
    "\u066b": "Arabic decimal mark",
    "\u066c": "Arabic thousands mark",
}


class Alternative(NamedTuple):
    """Another value that the same text could have, and how it would come about."""

    value: Number
    because: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text was read.

    value: exact; None if there is no reading, and then problem says why.
    alternatives: the readings not taken, or all of them if the text is ambiguous.
    digits: the precision typed, for a decimal; None for 1/2, 2^10, √2, ∞.
    approximate: value is a long decimal in place of an irrational root.
    """

    text: str
    value: Number | None = None
    normal_form: str = ""
    latex: str = ""
    alternatives: tuple[Alternative, ...] = ()
    problem: Problem | None = None
    digits: Digits | None = None
    approximate: bool = False


def read(text: str, locale: str | None = None, *, arithmetic: bool = False) -> Reading:
    """The value of text, whatever common notation it is in.

    A text is read in every style of marks. Where that gives several values, the declared locale's
    own style decides; without one the text is ambiguous and stays unread, except that in scientific
    notation a point is the decimal mark.
    """
    if not text.strip():
        return Reading(text, problem=problems.BLANK)
    if len(text) > LONGEST_TEXT:
        return Reading(text[:LONGEST_TEXT], problem=problems.TOO_LONG)
    rules = convention(locale)
    plain = plain_characters(text, rules)
    if isinstance(plain, Problem):
        return Reading(text, problem=plain)
    found = [_checked(candidate) for candidate in _candidates(plain, rules, lakh=rules.lakh)]
    if not found:
        return _unread(text, plain, rules)
    preferred = [candidate for candidate in found if _fits(candidate, rules)]
    for pool in (found, preferred):
        if len({candidate.value for candidate in pool}) == 1:
            return _taken(text, pool[0], found)
    return Reading(text, alternatives=_alternatives(found), problem=problems.AMBIGUOUS)


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
    found = [_checked(candidate) for candidate in candidates(text, Style("", "."))]
    return _taken(text, found[0], found)


def read_cell(cell: object, locale: str | None = None, *, arithmetic: bool = False) -> Reading:
    """A cell of a matrix: typed text or a JSON number."""
    if isinstance(cell, str):
        return read(cell, locale, arithmetic=arithmetic)
    return read_number(cell)


def _candidates(plain: str, rules: Convention, lakh: bool) -> Iterator[Candidate]:
    # A last point may end the number or the sentence; both are tried.
    for text in (plain, plain[:-1]) if re.search(r"[^.]\.$", plain) else (plain,):
        groups = ["", *(mark for mark in _GROUPS if mark in text)]
        for decimal in _DECIMALS:
            for group in groups:
                if group != decimal:
                    yield from candidates(text, Style(group, decimal, lakh), rules.long_scale)


def _checked(candidate: Candidate) -> Candidate:
    value = candidate.value
    if isinstance(value, Problem | float) or in_range(value):
        return candidate
    return Candidate(OUT_OF_RANGE, candidate.marks)


def _fits(candidate: Candidate, rules: Convention) -> bool:
    """True if every mark has the role that the locale gives it. The unusual never fits: code
    prints 6.306e-7 in every locale, so a locale may leave it ambiguous."""
    if candidate.unusual:
        return False
    if rules.decimal is None:
        return True
    return all(
        mark == rules.decimal if role == "decimal" else mark in NEUTRAL_GROUPS | set(rules.groups)
        for role, mark in candidate.marks
    )


def _taken(text: str, chosen: Candidate, found: list[Candidate]) -> Reading:
    value = chosen.value
    if isinstance(value, Problem):
        return Reading(text, problem=value)
    form = chosen.exact_form
    return Reading(
        text,
        value,
        form or normal_form(value),
        re.sub("√([^)]+)", r"\\sqrt{\1}", form) or latex(value),
        tuple(other for other in _alternatives(found) if other.value != value),
        digits=chosen.digits,
        approximate=bool(form),
    )


def _unread(text: str, plain: str, rules: Convention) -> Reading:
    lakhs = [_checked(candidate) for candidate in _candidates(plain, rules, lakh=True)]
    if lakhs:
        return Reading(text, alternatives=_alternatives(lakhs), problem=problems.LAKH)
    return Reading(text, problem=problems.unreadable(plain))


def _alternatives(found: list[Candidate]) -> tuple[Alternative, ...]:
    """Each value once, with how it comes about."""
    reasons: dict[Number, str] = {}
    for candidate in found:
        if not isinstance(candidate.value, Problem):
            reasons.setdefault(candidate.value, _because(candidate))
    return tuple(Alternative(value, because) for value, because in reasons.items())


def _because(candidate: Candidate) -> str:
    roles = {"group": "between thousands", "decimal": "before the decimals"}
    reasons = [f"{_NAMES[mark]} {roles[role]}" for role, mark in sorted(candidate.marks)]
    return "; ".join([*reasons, *filter(None, [candidate.because])]) or "as written"
