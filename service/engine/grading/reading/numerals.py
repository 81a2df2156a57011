"""Digits with marks between them, read in one fixed style: exact value and digits as typed."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from service.engine.grading.reading.values import Digits

Marks = frozenset[tuple[str, str]]
"""Which mark was used for what: {("group", ","), …}."""


class Style(NamedTuple):
    """One way to use marks: what stands between thousands ("" for nothing) and before decimals.

    group may hold several marks, each of which may stand between any two groups.
    """

    group: str
    decimal: str
    lakh: bool = False


class Numeral(NamedTuple):
    """An unsigned decimal, and the marks in it."""

    value: Fraction
    digits: Digits
    marks: Marks


def numeral(text: str, style: Style) -> Numeral | None:
    """The decimal that text is in this style, or None.

    Groups have three digits (in lakh style two, the last three) and the first is not 0 alone, so
    0,472 is never 472; but 01,234 may be 1234. Decimals may stand in threes with spaces between.
    The number may begin or end with its decimal mark, but not end with a comma, which is more
    likely punctuation.
    """
    match = _pattern(style).fullmatch(text)
    if match is None or text[-1:] == ",":
        return None
    whole, mark, decimals = match.groups("")
    marks = [("decimal", mark)] if mark else []
    for group in style.group:
        if group in whole:
            whole = whole.replace(group, "")
            marks.append(("group", group))
    if not mark:
        if not whole:
            return None
        return Numeral(Fraction(int(whole)), _digits(whole, "", False), frozenset(marks))
    decimals = decimals.replace(" ", "")
    if not whole and not decimals:
        return None
    value = Fraction(int(whole + decimals), 10 ** len(decimals))
    return Numeral(value, _digits(whole, decimals, True), frozenset(marks))


def _digits(whole: str, decimals: str, marked: bool) -> Digits:
    significant = (whole + decimals).lstrip("0")
    least = significant if marked else significant.rstrip("0")
    return Digits(len(decimals), len(least), len(significant))


@lru_cache(maxsize=64)
def _pattern(style: Style) -> re.Pattern[str]:
    group, decimal = f"[{style.group}]", re.escape(style.decimal)
    whole = "[0-9]*"
    if style.group:
        whole += f"|(?:[1-9][0-9]{{0,2}}|0[0-9]{{1,2}})(?:{group}[0-9]{{3}})+"
        if style.lakh:
            whole += f"|[1-9][0-9]?(?:{group}[0-9]{{2}})+{group}[0-9]{{3}}"
    decimals = "[0-9]*|[0-9]{3}(?: [0-9]{3})*(?: [0-9]{1,3})"
    return re.compile(f"({whole})(?:({decimal})({decimals}))?")
