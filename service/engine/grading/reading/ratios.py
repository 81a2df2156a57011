"""Plain decimals, fractions and mixed numbers, each read in one fixed style."""

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.numerals import Style, numeral
from service.engine.grading.reading.powers import DIVISION_BY_ZERO


def ratios(text: str, style: Style) -> Iterator[Candidate]:
    """A plain decimal, a/b, a mixed number such as 1 1/2; ½ and its like are fractions too."""
    plain = numeral(text, style)
    if plain:
        yield Candidate(plain.value, plain.marks, plain.digits)
    if not text.isascii() and unicodedata.decomposition(text[-1]).startswith("<fraction> "):
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
    # A proper part only: "1 3/2" and "1 000/2" are no mixed numbers.
    if re.fullmatch("[1-9][0-9]*/[0-9]+", f"{last}/{below}") and int(last) < int(below):
        yield from _mixed(whole, Fraction(int(last), int(below)), style)


def _mixed(text: str, part: Fraction, style: Style) -> Iterator[Candidate]:
    whole = numeral(text, style)
    if whole and all(role != "decimal" for role, _ in whole.marks):
        yield Candidate(
            whole.value + part, whole.marks, because="a whole number and then a fraction"
        )
