"""Writes numbers as people do in each locale. It shares nothing with the reader: the marks are
those of Unicode's locale data and of school books, entered by hand."""

from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

SPACES = (" ", "\u00a0", "\u202f", "\u2009")
QUOTES = ("'", "\u2019")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


class Habits(NamedTuple):
    """groups: what may stand between thousands. decimals: what may stand before decimals.
    digits: the zero of each set of digits. lakh: grouped 3, 2, 2, …. percent: how it is written.
    slashes: what makes a fraction and nothing else."""

    groups: tuple[str, ...]
    decimals: tuple[str, ...]
    digits: tuple[str, ...] = ("0",)
    lakh: bool = False
    percent: tuple[str, ...] = ("{}%", "{} %", "{}\u00a0%")
    slashes: tuple[str, ...] = ("/", " / ", "\u2044", "\u2215")


POINT = Habits((",", *SPACES, *QUOTES, "_"), (".",))
COMMA = Habits((".", *SPACES, *QUOTES), (",",))
SPANISH = Habits((".", *SPACES), (",",))  # by hand, an apostrophe is before decimals
COMMA_SPACE = Habits(SPACES, (",",))
SWISS = Habits((*QUOTES, *SPACES), (".",))
PERCENT_FIRST = COMMA._replace(percent=("%{}", "% {}", "{}%"))
ARABIC = Habits(("\u066c",), ("\u066b",), ("\u0660", "\u06f0"), percent=("{}\u066a", "{}%"))


def indian(zero: str) -> Habits:
    return POINT._replace(digits=("0", zero), lakh=True)


def everywhere(tags: str, habits: Habits) -> dict[str, Habits]:
    return dict.fromkeys(tags.split(), habits)


HABITS = {
    **everywhere("am cy en fil ga he ja ko mn ms mt sw zh", POINT),
    **everywhere("es-419 es-do es-gt es-hn es-mx es-ni es-pa es-pe es-pr es-sv", POINT),
    "es-us": POINT,
    **everywhere("az bs da de el hr id is it lb mk nl pt ro sl sr vi", COMMA),
    **everywhere("ca es gl", SPANISH),
    **everywhere("af be bg cs et fi fr hu hy ka kk lt lv nb nn no", COMMA_SPACE),
    **everywhere("pl ru sk sq sv uk uz", COMMA_SPACE),
    "tr": PERCENT_FIRST,
    "eu": SPANISH._replace(percent=PERCENT_FIRST.percent),
    **dict.fromkeys(("de-ch", "de-li", "fr-ch", "it-ch"), SWISS),
    "en-in": POINT._replace(lakh=True),
    **{tag: indian("\u0966") for tag in ("hi", "mr", "ne")},
    **{tag: indian("\u09e6") for tag in ("as", "bn")},
    "gu": indian("\u0ae6"),
    "kn": indian("\u0ce6"),
    "ml": indian("\u0d66"),
    "or": indian("\u0b66"),
    "pa": indian("\u0a66"),
    "ta": indian("\u0be6"),
    "te": indian("\u0c66"),
    "my": POINT._replace(digits=("0", "\u1040")),
    "th": POINT._replace(digits=("0", "\u0e50")),
    "ur": POINT._replace(digits=("0", "\u06f0")),
    **dict.fromkeys(("ar", "ckb", "ps"), ARABIC),
    "fa": ARABIC._replace(slashes=(" / ", "\u2044", "\u2215")),  # 3/14 is 3.14, too
    # Both marks are in use here, so only what has one meaning can be read back.
    "en-za": Habits(SPACES, (",", ".")),
    "und": Habits((*SPACES, *QUOTES), (",", ".")),
    "km": Habits(SPACES, (",", "."), ("0", "\u17e0")),
    "lo": Habits(SPACES, (",", "."), ("0", "\u0ed0")),
}
SETTLED = sorted(tag for tag, habits in HABITS.items() if len(habits.decimals) == 1)

MINUSES = ("-", "\u2212", "- ", "\u2212 ", "\u2013", "\uff0d")
SCIENTIFIC = ("{}e{}", "{}E{}", "{} e{}", "{}*10^{}", "{}×10^({})", "{} x 10^{{{}}}", "{} · 10^{}")
FRACTIONS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅛": (1, 8)}


def grouped(number: int, mark: str, lakh: bool) -> str:
    """The digits of a number of at least 0 in groups of three, or of two before the last three."""
    digits = str(number)
    head, tail = digits[:-3], digits[-3:]
    width = 2 if lakh else 3
    groups = [tail]
    while head:
        groups.insert(0, head[-width:])
        head = head[:-width]
    return mark.join(groups)


def in_digits(text: str, zero: str) -> str:
    return "".join(chr(ord(zero) + int(c)) if c in "0123456789" else c for c in text)


def signed(draw, text: str) -> tuple[str, int]:
    """text with one of the signs, and 1 or −1."""
    sign = draw(st.sampled_from(["", "", "+", *MINUSES]))
    return sign + text, -1 if sign not in ("", "+") else 1


def whole_text(draw, habits: Habits, number: int) -> str:
    mark = draw(st.sampled_from(["", *habits.groups]))
    return grouped(number, mark, habits.lakh and draw(st.booleans()) and mark == ",")


def decimal(draw, habits: Habits) -> tuple[str, Fraction]:
    whole = draw(st.integers(0, 10**12))
    decimals = draw(st.from_regex("[0-9]{1,9}", fullmatch=True))
    mark = draw(st.sampled_from(habits.decimals))
    return whole_text(draw, habits, whole) + mark + decimals, Fraction(f"{whole}.{decimals}")


def integer(draw, habits: Habits) -> tuple[str, Fraction]:
    number = draw(st.integers(0, 10**15))
    return whole_text(draw, habits, number), Fraction(number)


def scientific(draw, habits: Habits) -> tuple[str, Fraction]:
    first, more = draw(st.integers(1, 9)), draw(st.from_regex("[0-9]{1,6}", fullmatch=True))
    exponent = draw(st.integers(-99, 99))
    mantissa = f"{first}{draw(st.sampled_from(habits.decimals))}{more}"
    value = Fraction(f"{first}.{more}") * Fraction(10) ** exponent
    form = draw(st.sampled_from([*SCIENTIFIC, "raised"]))
    if form == "raised":
        return f"{mantissa}·10{str(exponent).translate(RAISED)}", value
    return form.format(mantissa, exponent), value


def percent(draw, habits: Habits) -> tuple[str, Fraction]:
    text, value = draw(st.sampled_from([integer, decimal]))(draw, habits)
    return draw(st.sampled_from(habits.percent)).format(text), value / 100


def fraction(draw, habits: Habits) -> tuple[str, Fraction]:
    above, below = draw(st.integers(0, 10**6)), draw(st.integers(1, 10**6))
    slash = draw(st.sampled_from(habits.slashes))
    return f"{above}{slash}{below}", Fraction(above, below)


def mixed(draw, habits: Habits) -> tuple[str, Fraction]:
    whole = draw(st.integers(0, 10**6))
    if draw(st.booleans()):
        sign = draw(st.sampled_from(sorted(FRACTIONS)))
        return f"{whole}{draw(st.sampled_from(['', ' ']))}{sign}", whole + Fraction(
            *FRACTIONS[sign]
        )
    below = draw(st.integers(2, 99))
    above = draw(st.integers(1, below - 1))
    return f"{whole} {above}/{below}", whole + Fraction(above, below)


def power(draw, habits: Habits) -> tuple[str, Fraction]:
    base, exponent = draw(st.integers(2, 99)), draw(st.integers(-20, 20))
    if draw(st.booleans()):
        return f"{base}{str(exponent).translate(RAISED)}", Fraction(base) ** exponent
    return f"{base}^{exponent}", Fraction(base) ** exponent


def root(draw, habits: Habits) -> tuple[str, Fraction]:
    number = draw(st.integers(0, 10**6))
    form = draw(st.sampled_from(["√{}", "√({})", "sqrt({})"]))
    return form.format(number**2), Fraction(number)


def worded(draw, habits: Habits) -> tuple[str, Fraction]:
    word, size = draw(
        st.sampled_from(
            [("k", 3), (" thousand", 3), (" million", 6), ("M", 6), (" G", 9), ("T", 12)]
        )
    )
    text, value = draw(st.sampled_from([integer, decimal]))(draw, habits)
    return text + word, value * 10**size


FORMS = (integer, decimal, scientific, percent, fraction, mixed, power, root, worded)


@st.composite
def written(draw, locale: str) -> tuple[str, Fraction]:
    """A number in a notation of this locale, as text, and its value."""
    habits = HABITS[locale]
    form = draw(st.sampled_from(FORMS))
    text, value = form(draw, habits)
    text, sign = signed(draw, text)
    if draw(st.booleans()):
        text = in_digits(text, draw(st.sampled_from([*habits.digits, "\uff10"])))
    return text, sign * value
