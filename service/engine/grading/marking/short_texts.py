"""Marking a few words by their normal form."""

import re
import unicodedata
from functools import lru_cache

from service.engine.grading.marking.mark import ALL, NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.rules import ShortText
from service.engine.grading.reading.problems import BLANK
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Problem

LONGEST_TEXT = 200
TOO_LONG = Problem("too_long", f"An answer has at most {LONGEST_TEXT} characters.")

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_RAISED = re.compile("[\u00b2\u00b3\u00b9\u2070\u2074-\u207b]+")
_HYPHEN = re.compile(r"(\w+)( ?- ?)(?=(\w+))")
_SPELLING = {**_DASHES, ord("\u2019"): "'", ord("\u02bc"): "'"}


@lru_cache(maxsize=1024)
def normal_words(text: str, case_matters: bool = False) -> str:
    """text in its normal form: NFKC, lower case, one space for spaces and hyphens between words.

    Marks of direction and joining, which copying brings along, are left out; accents stay. A hyphen
    with spaces around it is a minus sign if a number or a single letter is beside it, and so is any
    between a number and one of these. Raised digits are a power: x² is x^2.
    """
    text = _RAISED.sub(lambda digits: "^" + digits[0], text)
    text = unicodedata.normalize("NFKC", text)
    if not case_matters:
        text = unicodedata.normalize("NFKC", text.casefold())
    kept = (one for one in text if unicodedata.category(one) != "Cf")
    spaced = " ".join("".join(kept).translate(_SPELLING).split())
    return _HYPHEN.sub(_without_hyphen, spaced)


def _without_hyphen(found: re.Match[str]) -> str:
    """The word before a hyphen, and what stands for the hyphen."""
    before, hyphen, after = found.groups()
    numbers = before.isdigit(), after.isdigit()
    signs = numbers[0] or len(before) == 1, numbers[1] or len(after) == 1
    if (hyphen == " - " and any(signs)) or (all(signs) and any(numbers)):
        return before + " - "
    return before + (" -" if hyphen == " -" and numbers[1] else " ")


def read_words(rule: ShortText, text: str) -> Reading:
    """The normal form as a reading, which has no value; blank or too long is a problem."""
    if len(text) > LONGEST_TEXT or len(unicodedata.normalize("NFKC", text)) > LONGEST_TEXT:
        return Reading(text[:LONGEST_TEXT], problem=TOO_LONG)
    words = normal_words(text, rule.case_matters)
    if not words:
        return Reading(text, problem=BLANK)
    latex = "".join(_LATEX.get(character, character) for character in words)
    return Reading(text, normal_form=words, latex=rf"\text{{{latex}}}")


def mark_short_text(rule: ShortText, reading: Reading, key: str) -> Mark:
    """Are these words the key's, or accepted too?"""
    if reading.problem is not None:
        return unreadable(*reading.problem)
    if reading.normal_form in _accepted(rule, key):
        return by_score(ALL, Note("correct", f"Read as {reading.normal_form}. Right."))
    message = f"Read as {reading.normal_form}. This is not right."
    return by_score(NOTHING, Note("incorrect", message))


@lru_cache(maxsize=64)
def _accepted(rule: ShortText, key: str) -> frozenset[str]:
    return frozenset(normal_words(text, rule.case_matters) for text in (key, *rule.accepted))


_LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{character: "\\" + character for character in "{}$%&#_"},
}
