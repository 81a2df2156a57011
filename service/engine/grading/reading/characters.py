"""One spelling for each character: the first step of reading, which changes no meaning."""

import re
import unicodedata
from functools import lru_cache

from service.engine.grading.reading.locales import Convention
from service.engine.grading.reading.problems import FOREIGN_DIGITS, MIXED_DIGITS
from service.engine.grading.reading.values import Problem

# For times here, before the decimals there.
RAISED_POINT = "\u00b7"

_MINUS = "\u2212\u2010\u2011\u2012\u2013\u2014\u2015\u02d7\ufe58\ufe63\u2796\u30fc"
_TIMES = "\u00d7\u2217\u2715\u2716\u2a09\u2a2f"
_RAISED_POINT = "\u00b7\u0387\u22c5\u2219\u2022"
_SLASH = "\u2044\u2215\u00f7\u2797"
_APOSTROPHE = "\u2018\u2019\u02bc\u00b4`"
# Marks of direction and joining that copying brings along. The soft hyphen is not among them: it
# may have been a minus; nor are the overrides, which show digits in another order.
_INVISIBLE = "\u200b\u200e\u200f\u2060\u2066\u2067\u2068\u2069\u061c\ufeff"
_SPELLING = str.maketrans(
    {
        **dict.fromkeys(_MINUS, "-"),
        **dict.fromkeys(_TIMES, "*"),
        **dict.fromkeys(_RAISED_POINT, RAISED_POINT),
        **dict.fromkeys(_SLASH, "/"),
        **dict.fromkeys(_APOSTROPHE, "'"),
        **dict.fromkeys(_INVISIBLE, ""),
        "\u2795": "+",
        "\u066a": "%",
        "\u0609": "\u2030",
    }
)

_RAISED = re.compile("[\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a]+")
_LOWERED = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a", "0123456789-+"
)
# Between digits, the Cyrillic letters that look like x and e are meant as them.
_CYRILLIC = re.compile("(?<=[0-9.,]) ?[\u0445\u0425\u0435\u0415] ?(?=[-+]? ?[0-9])")
_LATIN = str.maketrans("\u0445\u0425\u0435\u0415", "xXeE")

# Full NFKC would turn 10² into 102 and 1½ into 11/2; these decompositions only change the shape.
_SHAPE_ONLY = {"<wide>", "<narrow>", "<small>", "<font>", "<noBreak>"}


def plain_characters(text: str, convention: Convention) -> str | Problem:
    """one_spelling in which a raised point is a sign for times."""
    spelled = one_spelling(text, convention)
    return spelled if isinstance(spelled, Problem) else spelled.replace(RAISED_POINT, "*")


def one_spelling(text: str, convention: Convention) -> str | Problem:
    """text with look-alike characters in one spelling and single spaces.

    Raised digits become a power (10²³ -> 10^(23)); digits of other scripts become 0-9 where the
    convention knows them, and are refused elsewhere. Nobody writes one number in two scripts, and
    an Arabic zero among 0-9 looks like a point: that is refused too.
    """
    if not text.isascii():
        zeros = {zero for zero in map(_zero, text) if zero}
        if not zeros <= {"0", *convention.zeros}:
            return FOREIGN_DIGITS
        if len(zeros) > 1:
            return MIXED_DIGITS
        text = _RAISED.sub(lambda raised: f"^({raised[0].translate(_LOWERED)})", text)
        text = "".join(map(_plain, text.translate(_SPELLING))).translate(_SPELLING)
        text = _CYRILLIC.sub(lambda letter: letter[0].translate(_LATIN), text)
    elif "`" in text:
        text = text.replace("`", "'")
    return re.sub(" +", " ", text.replace("**", "^")).strip()


@lru_cache(maxsize=1024)
def _zero(character: str) -> str:
    """The zero of the digit set that the character belongs to; "" if it is no digit."""
    shaped = _shape(character)
    value = unicodedata.decimal(shaped, None)
    return "" if value is None else chr(ord(shaped) - value)


@lru_cache(maxsize=1024)
def _plain(character: str) -> str:
    """The character in its plain form; digits of every script as 0-9."""
    shaped = _shape(character)
    value = unicodedata.decimal(shaped, None)
    return shaped if value is None else str(value)


def _shape(character: str) -> str:
    """The plain form of a full-width, styled or space character; others as they are."""
    if unicodedata.category(character) == "Zs":
        return " "
    tag = unicodedata.decomposition(character).partition(" ")[0]
    return unicodedata.normalize("NFKC", character) if tag in _SHAPE_ONLY else character
