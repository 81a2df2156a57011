"""One spelling for each character: the first step of reading, which changes no meaning."""

import re
import unicodedata

from service.engine.grading.reading.locales import Convention
from service.engine.grading.reading.values import Problem

_MINUS = "\u2212\u2010\u2011\u2012\u2013\u2014\u02d7\ufe63\u2796"
_TIMES = "\u00d7\u00b7\u22c5\u2219\u2217\u2022\u2715\u2a09"
_SLASH = "\u2044\u2215\u00f7"
_APOSTROPHE = "\u2019\u02bc"
# Marks of direction and joining that copying brings along. The soft hyphen is not among them: it
# may have been a minus; nor are the overrides, which show digits in another order.
_INVISIBLE = "\u200b\u200e\u200f\u2060\u2066\u2067\u2068\u2069\u061c\ufeff"
_SPELLING = str.maketrans(
    {
        **dict.fromkeys(_MINUS, "-"),
        **dict.fromkeys(_TIMES, "*"),
        **dict.fromkeys(_SLASH, "/"),
        **dict.fromkeys(_APOSTROPHE, "'"),
        **dict.fromkeys(_INVISIBLE, ""),
        "\u066a": "%",
    }
)

_RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a"
_LOWERED = str.maketrans(_RAISED, "0123456789-+")

# Full NFKC would turn 10² into 102 and 1½ into 11/2; these decompositions only change the shape.
_SHAPE_ONLY = {"<wide>", "<narrow>", "<font>", "<noBreak>"}

FOREIGN_DIGITS = Problem(
    "digits_need_locale",
    "These digits are read only when a locale that uses them, such as ar, fa or hi, is declared.",
)


def plain_characters(text: str, convention: Convention) -> str | Problem:
    """text with look-alike characters in one spelling and single spaces.

    Raised digits become a power (10²³ -> 10^(23)); digits of other scripts become 0-9 where the
    convention knows them, and are refused elsewhere.
    """
    if not text.isascii():
        text = re.sub(f"[{_RAISED}]+", lambda raised: f"^({raised[0].translate(_LOWERED)})", text)
        plain = [_plain(character, convention) for character in text.translate(_SPELLING)]
        if None in plain:
            return FOREIGN_DIGITS
        text = "".join(filter(None, plain)).translate(_SPELLING)
    return re.sub(" +", " ", text.replace("**", "^")).strip()


def _plain(character: str, convention: Convention) -> str | None:
    """The character in its plain form; None for a digit that the convention does not know."""
    shaped = _shape(character)
    value = unicodedata.decimal(shaped, None)
    if value is None or shaped.isascii():
        return shaped
    return str(value) if chr(ord(shaped) - value) in convention.zeros else None


def _shape(character: str) -> str:
    """The plain form of a full-width, styled or space character; others as they are."""
    if unicodedata.category(character) == "Zs":
        return " "
    tag = unicodedata.decomposition(character).partition(" ")[0]
    return unicodedata.normalize("NFKC", character) if tag in _SHAPE_ONLY else character
