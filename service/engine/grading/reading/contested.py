"""Marks that are for one thing in one school and for another in the next, written out as the other.

A raised point is for times or, in older British books, before the decimals; a Persian slash is a
fraction's or before the decimals; an apostrophe in Spain is between thousands or before the
decimals; 1-1/2 is a subtraction or 1½.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from service.engine.grading.reading.calculation import calculated
from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.characters import RAISED_POINT
from service.engine.grading.reading.forms import candidates
from service.engine.grading.reading.locales import Convention
from service.engine.grading.reading.numerals import Style
from service.engine.grading.reading.styles import styles
from service.engine.grading.reading.values import Problem

_RAISED = re.compile(rf"(?<=[0-9]){RAISED_POINT}(?=[0-9])")
# 0·5 and 1·05 would be odd products, and 1·000 has a thousand's shape.
_LEADING_ZERO = re.compile(rf"[0-9]{RAISED_POINT}0[0-9]")
_ZERO_TIMES = re.compile(rf"(?<![0-9.,])0{RAISED_POINT}[0-9]")
# A product of three numbers, and a sum of products, which is what a dot product looks like.
_PRODUCT = rf"[0-9]+(?:{RAISED_POINT}[0-9]+)+"
_PRODUCTS = re.compile(
    rf"[-+]? ?(?:[0-9]+{RAISED_POINT}{_PRODUCT}|{_PRODUCT}(?: ?[-+] ?{_PRODUCT})+)"
)
_HYPHENED = re.compile("([-+]?[1-9][0-9]*)-([1-9][0-9]*)/([1-9][0-9]*)")
_BETWEEN_DIGITS = {mark: re.compile(f"(?<=[0-9]){mark}(?=[0-9])") for mark in "'/"}


def also_decimal(raw: str, plain: str, rules: Convention) -> Iterator[Candidate]:
    """The readings in which a mark that a locale puts before decimals, too, does stand there."""
    mark = rules.also_decimal
    if not mark or mark not in plain or (mark == "/" and not re.search("[/\uff0f]", raw)):
        return
    text = _BETWEEN_DIGITS[mark].sub(".", plain)
    if text == plain:
        return
    for style in styles(text, rules.lakh):
        if style.decimal == ".":
            for candidate in _read(text, style):
                yield _remarked(candidate, mark, "also")


def raised_points(spelled: str, rules: Convention) -> Iterator[Candidate]:
    """The readings in which raised points stand before decimals, or odd ones between thousands.

    They are signs for times if one of them is anyway, as in 2·(3+4), and in products of three
    numbers and sums of products (2·2+0·0).
    """
    if RAISED_POINT not in spelled:
        return
    text, odd = _RAISED.sub(".", spelled), _LEADING_ZERO.search(spelled) is not None
    if not odd and (RAISED_POINT in text or _PRODUCTS.fullmatch(spelled)):
        return
    odd = odd or _ZERO_TIMES.search(spelled) is not None
    text = text.replace(RAISED_POINT, "*")
    for style in styles(text, rules.lakh):
        if odd or style.decimal == ".":
            for candidate in _read(text, style):
                yield _remarked(candidate, RAISED_POINT, "also" if odd else "raised")


def hyphened(raw: str, plain: str) -> Iterator[Candidate]:
    """1-1/2 as 1½; with spaces or a true minus it is a subtraction."""
    match = None if "\u2212" in raw else _HYPHENED.fullmatch(plain)
    if match and int(match[2]) < int(match[3]):
        for candidate in candidates(f"{match[1]} {match[2]}/{match[3]}", Style("", ".")):
            yield replace(candidate, because="a whole number, a hyphen and a fraction")


def _remarked(candidate: Candidate, mark: str, role: str) -> Candidate:
    """The candidate with this mark where there is a point, in a role that no locale settles."""
    roles = {("decimal", "."): (role, mark), ("group", "."): ("odd", mark)}
    return replace(candidate, marks=frozenset(roles.get(one, one) for one in candidate.marks))


def _read(text: str, style: Style) -> Iterator[Candidate]:
    yield from candidates(text, style)
    result = calculated(text, style)
    if result and not isinstance(result.value, Problem):
        yield Candidate(result.value, result.marks, latex=result.latex)
