"""Reading what a student typed: one exact value, or the reason why there is none."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from service.engine.grading.reading import problems
from service.engine.grading.reading.calculation import calculated
from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.characters import plain_characters
from service.engine.grading.reading.forms import candidates
from service.engine.grading.reading.locales import NEUTRAL_GROUPS, Convention, convention
from service.engine.grading.reading.notation import normal_form, typeset
from service.engine.grading.reading.numerals import Style
from service.engine.grading.reading.plain import plain_number
from service.engine.grading.reading.powers import OUT_OF_RANGE, in_range
from service.engine.grading.reading.scales import scales
from service.engine.grading.reading.units import beside
from service.engine.grading.reading.values import Alternative, Number, Problem, Reading

__all__ = ["Alternative", "Reading", "read", "read_cell", "read_number"]

LONGEST_TEXT = 200
_GROUPS, _DECIMALS = ",. '_\u066c", ".,\u066b"
_MARKS = "".join(sorted({*_GROUPS, *_DECIMALS}))
_NAMES = {
    ",": "comma",
    ".": "point",
    " ": "space",
    "'": "apostrophe",
    "_": "underscore",
    "\u066b": "Arabic decimal mark",
    "\u066c": "Arabic thousands mark",
}
_RANGE = re.compile(r"[0-9)] ?[\u2012-\u2015] ?[0-9(]")
_GROUP_OF_TWO = re.compile(r"([,. '_\u066c])[0-9]{2}\1[0-9]")
_RAISED_POINT = re.compile(r"[+-]?0\u00b7[0-9]+")


def read(text: str, locale: str | None = None, arithmetic: bool = False) -> Reading:
    """The value of text, whatever common notation it is in; with arithmetic, 96*96 has one too.

    A text is read in every style of marks. Where that gives several values, the declared locale's
    own style decides; without one the text is ambiguous and stays unread, except that in scientific
    notation a point is the decimal mark.
    """
    plain = plain_number(text)
    if plain is not None:
        return plain
    if not text.strip():
        return Reading(text[:LONGEST_TEXT], problem=problems.BLANK)
    if len(text) > LONGEST_TEXT:
        return Reading(text[:LONGEST_TEXT], problem=problems.TOO_LONG)
    return _read(text, locale, arithmetic)


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
    plain = plain_characters(text, rules)
    if isinstance(plain, Problem):
        return Reading(text, problem=plain)
    if rules.percent_first:
        plain = re.sub(r"^([-+]?) ?% ?([^%]+)$", r"\1\2%", plain)
    found = [_checked(candidate) for candidate in _candidates(plain, rules, lakh=rules.lakh)]
    if not found and arithmetic:
        if _RANGE.search(text):
            return Reading(text, problem=problems.DASH)
        found = [_checked(candidate) for candidate in _calculations(text, plain, rules)]
    if not found:
        return _unread(text, plain, rules)
    if _agree(found):
        return _taken(text, found[0], found)
    preferred = [candidate for candidate in found if _fits(candidate, rules)]
    if preferred and _agree(preferred):
        return _taken(text, preferred[0], found)
    return Reading(text, alternatives=_alternatives(found), problem=problems.AMBIGUOUS)


def _candidates(plain: str, rules: Convention, lakh: bool) -> Iterator[Candidate]:
    # A last point may end the number or the sentence; both are tried.
    for text in (plain, plain[:-1]) if re.search(r"[^.]\.$", plain) else (plain,):
        for style in _styles(text, lakh):
            yield from candidates(text, style, rules.long_scale)


def _calculations(raw: str, plain: str, rules: Convention) -> Iterator[Candidate]:
    for style in _styles(plain, rules.lakh):
        result = calculated(plain, style)
        if result:
            yield Candidate(result.value, result.marks, latex=result.latex)
    if _RAISED_POINT.fullmatch(raw.strip()):
        for candidate in candidates(plain.replace("*", "."), Style("", ".")):
            yield Candidate(candidate.value, because="raised point before the decimals")


def _styles(text: str, lakh: bool) -> tuple[Style, ...]:
    """Every way to use the marks that are in the text."""
    return _styles_of("".join([mark for mark in _MARKS if mark in text]), lakh)


@lru_cache(maxsize=256)
def _styles_of(marks: str, lakh: bool) -> tuple[Style, ...]:
    """Every way to use these marks.

    A style with a mark between thousands reads numbers without one too. If there is one kind of
    mark only, it may stand between thousands, and then another, absent one before the decimals.
    1,234 567 is 1.234567, with a space between decimals, or 1234567 with marks mixed.
    """
    decimals = [mark for mark in _DECIMALS if mark in marks]
    if len(decimals) < 2:
        decimals += [mark for mark in _DECIMALS if mark not in decimals][:1]
    found = []
    for decimal in decimals:
        groups = [mark for mark in _GROUPS if mark in marks and mark != decimal]
        found += [Style(group, decimal, lakh) for group in groups or [""]]
        if "," in groups and " " in groups:
            found.append(Style(", ", decimal, lakh))
    return tuple(found)


def _agree(found: list[Candidate]) -> bool:
    """True if there is one value only."""
    value = found[0].value
    return all(candidate.value == value for candidate in found[1:])


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
        mark == rules.decimal
        if role == "decimal"
        else mark in rules.groups or mark in NEUTRAL_GROUPS
        for role, mark in candidate.marks
    )


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
        _others(found, value),
        digits=chosen.digits,
        approximate=bool(chosen.exact_form),
    )


def _unread(text: str, plain: str, rules: Convention) -> Reading:
    if _GROUP_OF_TWO.search(plain):
        lakhs = [_checked(candidate) for candidate in _candidates(plain, rules, lakh=True)]
        if lakhs:
            return Reading(text, alternatives=_alternatives(lakhs), problem=problems.LAKH)
    words = _words_beside(plain, rules)
    return Reading(text, problem=problems.unit(words) if words else problems.unreadable(plain))


def _words_beside(plain: str, rules: Convention) -> str:
    """The unit after a number, or the currency before it; "" if there is none."""
    for number, words in beside(plain):
        if next(_candidates(number, rules, rules.lakh), None):
            return "" if scales(words, rules.long_scale) else words  # 1/2k has two readings
    return ""


def _others(found: list[Candidate], value: Number) -> tuple[Alternative, ...]:
    """The readings beside the one that was taken."""
    if len(found) == 1:
        return ()
    return tuple(other for other in _alternatives(found) if other.value != value)


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
