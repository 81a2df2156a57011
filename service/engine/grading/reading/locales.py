"""How numbers are written where: the decimal mark, the marks between thousands, other digits."""

from functools import lru_cache
from typing import NamedTuple

# Accepted between thousands everywhere: no locale's data has one as its decimal mark.
NEUTRAL_GROUPS = frozenset(" '_\u066c")


class Convention(NamedTuple):
    """What a locale settles.

    decimal: its decimal mark; None where both marks are in use, so nothing is settled.
    groups: its marks between thousands, beside the neutral ones.
    lakh: digits may also be grouped 3, 2, 2, … from the right (1,00,000).
    long_scale: "billion" is also a native word there, for 10^12.
    zeros: the zeros of the digit sets in use beside 0-9.
    percent_first: %50 is written for 50 %.
    also_decimal: marks that hands or keyboards there put before decimals, beside other uses.
    """

    decimal: str | None = None
    groups: str = ""
    lakh: bool = False
    long_scale: bool = False
    zeros: str = ""
    percent_first: bool = False
    also_decimal: str = ""


UNDECLARED = Convention()

# Digit sets by their names in Unicode's locale data; a tag declares one as in th-u-nu-thai.
# Full-width digits are 0-9 in another shape and are read everywhere.
DIGITS = {
    "latn": "",
    "fullwide": "",
    "arab": "\u0660",
    "arabext": "\u06f0",
    "deva": "\u0966",
    "beng": "\u09e6",
    "guru": "\u0a66",
    "gujr": "\u0ae6",
    "orya": "\u0b66",
    "tamldec": "\u0be6",
    "telu": "\u0c66",
    "knda": "\u0ce6",
    "mlym": "\u0d66",
    "thai": "\u0e50",
    "laoo": "\u0ed0",
    "tibt": "\u0f20",
    "mymr": "\u1040",
    "khmr": "\u17e0",
}

_POINT = Convention(".", ",")
_INDIAN = _POINT._replace(lakh=True)
_COMMA = Convention(",", ".")
_COMMA_SPACE = Convention(",")
_SWISS = Convention(".")
# Mexico, Central America, Peru and the Caribbean write 1,234.5.
_SPANISH_WITH_POINT = ("419", "do", "gt", "hn", "mx", "ni", "pa", "pe", "pr", "sv", "us")
_INDIAN_DIGITS = {
    **dict.fromkeys(("hi", "mr", "ne"), "deva"),
    **{"as": "beng", "bn": "beng", "gu": "gujr", "kn": "knda", "ml": "mlym"},
    **{"or": "orya", "pa": "guru", "ta": "tamldec", "te": "telu"},
}

_CONVENTIONS = {
    "und": UNDECLARED,
    "en-za": UNDECLARED,  # the official comma and the everyday point are both common
    **dict.fromkeys(("am", "cy", "en", "fil", "ga", "he", "ja", "ko", "mn", "ms", "mt"), _POINT),
    **dict.fromkeys(("sw", "zh"), _POINT),
    "my": _POINT._replace(zeros=DIGITS["mymr"]),
    "th": _POINT._replace(zeros=DIGITS["thai"]),
    "ur": _POINT._replace(zeros=DIGITS["arabext"]),
    "en-in": _INDIAN,
    **{tag: _INDIAN._replace(zeros=DIGITS[name]) for tag, name in _INDIAN_DIGITS.items()},
    **dict.fromkeys(("az", "bs", "el", "hr", "id", "is", "it", "mk"), _COMMA),
    # 3'14 is 3.14 by hand in Spain.
    **dict.fromkeys(("ca", "es", "gl"), _COMMA._replace(also_decimal="'")),
    **dict.fromkeys(("nl", "pt", "ro", "sl", "sr", "vi"), _COMMA),
    "tr": _COMMA._replace(percent_first=True),
    "eu": _COMMA._replace(percent_first=True, also_decimal="'"),
    **dict.fromkeys(("da", "de", "lb"), _COMMA._replace(long_scale=True)),
    **dict.fromkeys(("af", "be", "bg", "cs", "et", "fi", "hu", "hy", "ka", "kk"), _COMMA_SPACE),
    **dict.fromkeys(("lt", "lv", "pl", "ru", "sk", "sq", "sv", "uk", "uz"), _COMMA_SPACE),
    **dict.fromkeys(("fr", "nb", "nn", "no"), _COMMA_SPACE._replace(long_scale=True)),
    **dict.fromkeys(("de-ch", "de-li", "fr-ch"), _SWISS._replace(long_scale=True)),
    "it-ch": _SWISS,
    **dict.fromkeys((f"es-{land}" for land in _SPANISH_WITH_POINT), _POINT),
    **dict.fromkeys(("ar", "ckb", "ps"), Convention(zeros="\u0660\u06f0")),
    # Persian keyboards have no decimal mark in reach: 3/14 is 3.14.
    "fa": Convention(zeros="\u0660\u06f0", also_decimal="/"),
    "km": Convention(zeros=DIGITS["khmr"]),
    "lo": Convention(zeros=DIGITS["laoo"]),
}

LOCALES = frozenset(_CONVENTIONS)


@lru_cache(maxsize=256)
def known_locale(tag: str) -> bool:
    """True if the tag has a convention here, or its language alone has (de-AT counts as de).

    A choice of digits, as in ar-EG-u-nu-arab, has to be known too.
    """
    return len(tag) < 50 and _find(tag) is not None


@lru_cache(maxsize=256)
def convention(tag: str | None) -> Convention:
    """The convention of a tag such as "de", "de-AT", "en_US" or "en-u-nu-thai"; an unknown tag
    settles nothing."""
    return (_find(tag) if tag else None) or UNDECLARED


def _find(tag: str) -> Convention | None:
    tag, extended, choices = tag.replace("_", "-").lower().partition("-u-")
    language, _, _ = tag.partition("-")
    found = _CONVENTIONS.get(tag) or _CONVENTIONS.get(language)
    if found is None or not extended:
        return found
    name = choices.removeprefix("nu-")
    zeros = DIGITS.get(name) if name != choices else None
    return None if zeros is None else found._replace(zeros=zeros)
