"""The forms of a number beyond plain digits, each read in one fixed style.

Every form is tried on every text, so that a text with two readings shows both.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from service.engine.grading.reading.notation import normal_form
from service.engine.grading.reading.numerals import Numeral, Style, numeral
from service.engine.grading.reading.powers import DIVISION_BY_ZERO, power, square_root, times_ten_to
from service.engine.grading.reading.scales import scales
from service.engine.grading.reading.values import Digits, Number, Problem


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read a text: its value, or the problem that stands in the way of one.

    exact_form is the writing of a root, whose value is an approximation; "" elsewhere.
    unusual: a power of ten times a number with points between thousands (6.306e-7 as 6306e-7).
    """

    value: Number | Problem
    marks: frozenset[tuple[str, str]] = frozenset()
    digits: Digits | None = None
    exact_form: str = ""
    because: str = ""
    unusual: bool = False


_INFINITY = {"∞", "inf", "infinity", "\\infty"}
_INTEGER = "[+-]?[0-9]+"
_EXPONENT = re.compile(rf"({_INTEGER})|\( ?({_INTEGER}) ?\)|\{{ ?({_INTEGER}) ?\}}")
_SCIENTIFIC = re.compile(rf"(.*?) ?[eE] ?({_INTEGER})")
_POWER = re.compile(r"(?:([^*xX^]+?) ?[*xX] ?)?([^*xX^ ]+) ?\^ ?(.+)")
_ROOT = re.compile(
    r"(?:(?P<factor>[^/*]+?) ?(?P<operator>[*/]?) ?)?"
    r"(?:√ ?(?P<bare>[^()/]+)|(?:√|sqrt) ?\( ?(?P<inside>[^()]+?) ?\)(?: ?/ ?(?P<under>.+))?)"
)
_SCALED = re.compile(r"(.*?[^a-zA-Z%‰ ]) ?(per cent|[a-zA-Z]+\.?|[%‰])")


def candidates(text: str, style: Style, long_scale: bool = False) -> Iterator[Candidate]:
    """Every reading of text in this style; none if no form fits."""
    sign, body = ("", text) if text[:1] not in ("+", "-") else (text[0], text[1:].lstrip())
    for candidate in _unsigned(body, style, long_scale):
        yield _negative(candidate) if sign == "-" else candidate


def _unsigned(text: str, style: Style, long_scale: bool) -> Iterator[Candidate]:
    if text.lower() in _INFINITY:
        yield Candidate(float("inf"))
    yield from _ratios(text, style)
    for form in (_scientific, _power, _root):
        found = form(text, style)
        if found is not None:
            yield found
    match = _SCALED.fullmatch(text)
    # 1/2k could be 1/(2k); 1/2 million could not.
    if match and not ("/" in match[1] and re.fullmatch("[a-zA-Z]", match[2])):
        for scale in scales(match[2], long_scale):
            for ratio in _ratios(match[1], style):
                yield _scaled(ratio, scale.exponent, scale.because)


def _negative(candidate: Candidate) -> Candidate:
    if isinstance(candidate.value, Problem):
        return candidate
    form = candidate.exact_form
    return replace(candidate, value=-candidate.value, exact_form=form and "-" + form)


def _scaled(candidate: Candidate, exponent: int, because: str) -> Candidate:
    if isinstance(candidate.value, Problem):
        return candidate
    value = times_ten_to(Fraction(candidate.value), exponent)
    digits = candidate.digits and candidate.digits.scaled(exponent)
    return replace(candidate, value=value, digits=digits, because=because)


def _ratios(text: str, style: Style) -> Iterator[Candidate]:
    """A plain decimal, a/b, a mixed number such as 1 1/2; ½ and its like are fractions too."""
    plain = numeral(text, style)
    if plain:
        yield Candidate(plain.value, plain.marks, plain.digits)
    if unicodedata.decomposition(text[-1:] or " ").startswith("<fraction> "):
        part = Fraction(unicodedata.numeric(text[-1])).limit_denominator(10)
        if part < 1:  # "⅟" is a numerator alone, though its numeric value is 1
            yield from _mixed(text[:-1].rstrip() or "0", part, style)
    above, slash, below = text.partition("/")
    if not slash:
        return
    over, under = numeral(above.rstrip(), style), numeral(below.lstrip(), style)
    if over and under:
        value = over.value / under.value if under.value else DIVISION_BY_ZERO
        yield Candidate(value, over.marks | under.marks)
    whole, _, last = above.rstrip().rpartition(" ")
    below = below.lstrip()
    # A proper part only: "1 3/2" is no mixed number.
    if re.fullmatch("[0-9]+/[0-9]+", f"{last}/{below}") and int(last) < int(below):
        yield from _mixed(whole, Fraction(int(last), int(below)), style)


def _mixed(text: str, part: Fraction, style: Style) -> Iterator[Candidate]:
    whole = numeral(text, style)
    if whole and all(role != "decimal" for role, _ in whole.marks):
        yield Candidate(
            whole.value + part, whole.marks, because="a whole number and then a fraction"
        )


def _scientific(text: str, style: Style) -> Candidate | None:
    """6.02e23, with spaces allowed around the e."""
    match = _SCIENTIFIC.fullmatch(text)
    mantissa = match and numeral(match[1], style)
    if not match or not mantissa:
        return None
    return _times_power_of_ten(mantissa, int(match[2]), mantissa.marks)


def _power(text: str, style: Style) -> Candidate | None:
    """b^n, or a number times that; the base has no spaces, so that "2 100^3" is not 2100^3."""
    match = _POWER.fullmatch(text)
    exponents = match and _EXPONENT.fullmatch(match[3])
    base = match and numeral(match[2], style)
    if not match or not exponents or not base:
        return None
    exponent = int(exponents[1] or exponents[2] or exponents[3])
    raised = power(base.value, exponent)
    if match[1] is None:
        return Candidate(raised, base.marks)
    factor: Numeral | None = numeral(match[1], style)
    if factor is None:
        return None
    marks = factor.marks | base.marks
    if base.value == 10:
        return _times_power_of_ten(factor, exponent, marks)
    return Candidate(raised if isinstance(raised, Problem) else factor.value * raised, marks)


def _times_power_of_ten(
    mantissa: Numeral, exponent: int, marks: frozenset[tuple[str, str]]
) -> Candidate:
    value = times_ten_to(mantissa.value, exponent)
    unusual = ("group", ".") in mantissa.marks
    return Candidate(value, marks, mantissa.digits.scaled(exponent), unusual=unusual)


def _root(text: str, style: Style) -> Candidate | None:
    """√b, a√b, a·√b, a/√b, and with parentheses also √(b)/c; √b/c alone could be √(b/c)."""
    match = _ROOT.fullmatch(text)
    if not match:
        return None
    factor = numeral(match["factor"] or "1", style)
    radicand = numeral(match["bare"] or match["inside"], style)
    under = numeral(match["under"] or "1", style)
    if factor is None or radicand is None or under is None:
        return None
    marks = factor.marks | radicand.marks | under.marks
    root, is_exact = square_root(radicand.value)
    divides = match["operator"] == "/"
    if under.value == 0 or (divides and root == 0):
        return Candidate(DIVISION_BY_ZERO, marks)
    value = (factor.value / root if divides else factor.value * root) / under.value
    form = f"√{normal_form(radicand.value)}"
    if match["factor"]:
        form = normal_form(factor.value) + match["operator"] + form
    if match["under"]:
        form = f"({form})/{normal_form(under.value)}"
    return Candidate(value, marks, exact_form="" if is_exact else form)
