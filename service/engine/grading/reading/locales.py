"""How numbers are written where: the decimal mark, the marks between thousands, other digits."""

from typing import NamedTuple

# Accepted between thousands everywhere: none of these is anybody's decimal mark.
NEUTRAL_GROUPS = frozenset(" '_\u066c")


class Convention(NamedTuple):
    """What a locale settles.

    decimal: its decimal mark; None where both marks are in use, so nothing is settled.
    groups: its marks between thousands, beside the neutral ones.
    lakh: digits may also be grouped 3, 2, 2, … from the right (1,00,000).
    long_scale: "billion" is also a native word there, for 10^12.
    zeros: the zeros of the digit sets in use beside 0-9.
    """

    decimal: str | None = None
    groups: str = ""
    lakh: bool = False
    long_scale: bool = False
    zeros: str = ""


UNDECLARED = Convention()

_POINT = Convention(".", ",")
_COMMA = Convention(",", ".")
_COMMA_SPACE = Convention(",")
_SWISS = Convention(".")
_ARABIC = Convention(zeros="\u0660\u06f0")
# Mexico, Central America, Peru and the Caribbean write 1,234.5.
_SPANISH_WITH_POINT = ("419", "do", "gt", "hn", "mx", "ni", "pa", "pe", "pr", "sv", "us")

_CONVENTIONS = {
    **dict.fromkeys(("en", "he", "ja", "ko", "th", "zh"), _POINT),
    "en-in": _POINT._replace(lakh=True),
    "hi": _POINT._replace(lakh=True, zeros="\u0966"),
    "en-za": UNDECLARED,  # the official comma and the everyday point are both common
    **dict.fromkeys(("el", "es", "hr", "id", "it", "nl", "pt", "ro", "sl", "tr"), _COMMA),
    **dict.fromkeys(("da", "de"), _COMMA._replace(long_scale=True)),
    **dict.fromkeys(
        ("bg", "cs", "et", "fi", "hu", "lt", "lv", "pl", "ru", "sk", "sv", "uk"), _COMMA_SPACE
    ),
    **dict.fromkeys(("fr", "nb", "nn", "no"), _COMMA_SPACE._replace(long_scale=True)),
    **dict.fromkeys(("de-ch", "de-li", "fr-ch"), _SWISS._replace(long_scale=True)),
    "it-ch": _SWISS,
    **dict.fromkeys((f"es-{land}" for land in _SPANISH_WITH_POINT), _POINT),
    **dict.fromkeys(("ar", "fa"), _ARABIC),
}

LOCALES = frozenset(_CONVENTIONS)


def known_locale(tag: str) -> bool:
    """True if the tag has a convention here, or its language alone has (de-AT counts as de)."""
    return _find(tag) is not None


def convention(tag: str | None) -> Convention:
    """The convention of a tag such as "de", "de-AT" or "en_US"; an unknown tag settles nothing."""
    return (_find(tag) if tag else None) or UNDECLARED


def _find(tag: str) -> Convention | None:
    tag = tag.replace("_", "-").lower()
    language, _, _ = tag.partition("-")
    return _CONVENTIONS.get(tag) or _CONVENTIONS.get(language)
