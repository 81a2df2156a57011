"""Numbers with something beside them: which word or symbol is it?"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

LONGEST, LONGEST_NAMED, MOST_WORDS = 40, 20, 6
_BEFORE = re.compile(r"([^\W\d_]{0,3}[$€£¥₹]|[€£¥₹]) ?([0-9].*)")
_START = re.compile(r"(?<![^\W\d_])[^\W\d_½-¾⅐-⅞]|[°$€£¥₹′″]")
_POWER = re.compile(r"\^\(?(-?[0-9])\)?")
_UNIT = re.compile(r"(?:[^\W0-9]|[-°$€£¥₹′″'/*. ]|\^\(?-?[0-9]\)?)+")
_FORMULA = re.compile("[xeiXE][-*/. ]*")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Beside(NamedTuple):
    number: str
    words: str


def beside(plain: str) -> Iterator[Beside]:
    """Each way to part a text into a number and a unit, the longest number first.

    A unit begins with a letter, a degree or a currency sign, has no digits but a power's, and is
    not long. An x, e or i alone is more likely part of a formula. More than six words are no unit.
    """
    before = _BEFORE.fullmatch(plain)
    if before:
        yield Beside(before[2], before[1])
    first = max(0, len(plain) - LONGEST)
    starts = [match.start() for match in _START.finditer(plain, first)]
    for start in starts[: -MOST_WORDS - 1 : -1]:
        number, words = plain[:start].rstrip(), plain[start:]
        if not number or _FORMULA.fullmatch(words):
            continue
        if _UNIT.fullmatch(words):
            yield Beside(number, _as_typed(words)[:LONGEST_NAMED])


def _as_typed(words: str) -> str:
    """One form for look-alikes (Ω, µ), and m/s^(2) as m/s² again."""
    words = unicodedata.normalize("NFKC", words)
    return _POWER.sub(lambda power: power[1].translate(_RAISED), words)
