"""The forms of a number, each read in one fixed style.

Every form that could fit is tried on a text, so that a text with two readings shows both.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from service.engine.grading.reading.candidate import Candidate, negative
from service.engine.grading.reading.exponents import pointed, raised, scientific
from service.engine.grading.reading.numerals import Style, numeral
from service.engine.grading.reading.powers import times_ten_to
from service.engine.grading.reading.ratios import ratios
from service.engine.grading.reading.roots import root_of
from service.engine.grading.reading.scales import scales
from service.engine.grading.reading.values import Problem

_FORMS = (
    ("e", scientific),
    ("E", scientific),
    ("^", raised),
    ("^", pointed),
    ("√", root_of),
    ("sqrt", root_of),
)
_INFINITY = {"∞", "inf", "infinity", "infty", "\\infty"}
_DIGITS_ALONE = re.compile(r"[0-9.,'_ \u066b\u066c]*")
_BRACKETED = re.compile(r"\( ?([^()]+?) ?\)")


def candidates(text: str, style: Style, long_scale: bool = False) -> Iterator[Candidate]:
    """Every reading of text in this style; none if no form fits."""
    sign, body = ("", text) if text[:1] not in ("+", "-") else (text[0], text[1:].lstrip())
    for candidate in _unsigned(body, style, long_scale):
        yield negative(candidate) if sign == "-" else candidate
    if not sign and text[:1] == "(":
        yield from _bracketed(text, style)


def _unsigned(text: str, style: Style, long_scale: bool) -> Iterator[Candidate]:
    yield from ratios(text, style)
    if _DIGITS_ALONE.fullmatch(text):
        return
    if text.lower() in _INFINITY:
        yield Candidate(float("inf"))
    for mark, form in _FORMS:
        found = form(text, style) if mark in text else None
        if found is not None:
            yield found
    yield from _scaled(text, style, long_scale)


def _bracketed(text: str, style: Style) -> Iterator[Candidate]:
    """(5) is 5, or −5 as bookkeepers write it."""
    match = _BRACKETED.fullmatch(text)
    inner = match and numeral(match[1], style)
    if inner:
        yield Candidate(inner.value, inner.marks, because="a number in brackets")
        yield Candidate(-inner.value, inner.marks, because="brackets in place of a minus")


def _scaled(text: str, style: Style, long_scale: bool) -> Iterator[Candidate]:
    """A number and then a percent sign, or a word or letter for a power of ten."""
    cut = len(text)
    while cut and (text[cut - 1].isalpha() or text[cut - 1] in " .%‰‱"):
        cut -= 1
    head, word = text[:cut], text[cut:].strip()
    # 1/2k could be 1/(2k); 1/2 million could not.
    if not head or not word or ("/" in head and len(word) == 1 and word.isalpha()):
        return
    for scale in scales(word, long_scale, parted=text[cut] == " "):
        for ratio in ratios(head, style):
            if isinstance(ratio.value, Problem):
                yield ratio
            else:
                value = times_ten_to(Fraction(ratio.value), scale.exponent)
                digits = ratio.digits and ratio.digits.scaled(scale.exponent)
                yield replace(ratio, value=value, digits=digits, because=scale.because)
