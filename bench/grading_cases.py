"""Answers put to our grader and to its peers, each with the verdict that a teacher wants and why.

All verdicts and reasons are by hand. UNREADABLE is right where only the student can say what was
meant: the answer is given back, and no attempt is lost. MAYBE: a teacher may also be content with
CORRECT, but never with INCORRECT, for that reads something else than was meant.
"""

from fractions import Fraction
from typing import NamedTuple

CORRECT, INCORRECT, UNREADABLE = "correct", "incorrect", "cannot read"


class Case(NamedTuple):
    """typed is compared with key, ± tolerance; right holds the verdicts that are right."""

    typed: str
    key: str
    right: tuple[str, ...]
    why: str
    tolerance: str = "0"
    locale: str | None = None
    arithmetic: bool = False

    @property
    def bound(self) -> Fraction:
        return Fraction(self.tolerance)


class MatrixCase(NamedTuple):
    """A matrix answer: rows of numbers, or what a form sent in their place."""

    typed: list[list[float]] | float | list[float]
    key: list[list[float]]
    right: tuple[str, ...]
    why: str


YES, NO, ASK = (CORRECT,), (INCORRECT,), (UNREADABLE,)
MAYBE = (CORRECT, UNREADABLE)
BILLIONS = "57982058496"

CASES = (
    # Thousands
    Case("57,982,058,496", BILLIONS, YES, "three commas can only part thousands"),
    Case("57.982.058.496", BILLIONS, YES, "three points can only part thousands"),
    Case("57 982 058 496", BILLIONS, YES, "spaces part thousands"),
    Case("57\u202f982\u202f058\u202f496", BILLIONS, YES, "as French typography has it, U+202F"),
    Case("57'982'058'496", BILLIONS, YES, "as the Swiss write"),
    Case("9,216", "9216", MAYBE, "meant as in English, but nobody said so"),
    Case("9,216", "9.216", MAYBE, "meant as in German, but nobody said so"),
    Case("9,216", "9216", YES, "English declared", locale="en"),
    Case("9,216", "9.216", YES, "German declared", locale="de"),
    Case("9,216", "9216", NO, "German declared: this says 9.216", locale="de"),
    Case("1,00,000", "100000", YES, "as India writes, declared", locale="en-IN"),
    Case("1_000", "1000", YES, "as programmers write"),
    Case("12,34,567", "1234567", ASK, "a slip, or Indian groups that nobody declared"),
    Case("78.539 816 339", "78.53981634", YES, "decimals in threes", "0.001"),
    # Decimals and signs
    Case("0,47", "0.47", YES, "a decimal comma; groups never begin with 0"),
    Case("1,5", "1.5", YES, "a decimal comma; groups have three digits"),
    Case(".47", "0.47", YES, "without the 0"),
    Case("−0.5", "-0.5", YES, "the minus of typography, U+2212"),
    Case("–0.5", "-0.5", YES, "an en dash, as word processors put it"),
    Case("٤٢", "42", MAYBE, "other digits are read by declared choice"),
    Case("٤٢", "42", YES, "Arabic declared", locale="ar"),
    # Fractions and percent
    Case("1/2", "0.5", YES, "a fraction"),
    Case("1 1/2", "1.5", YES, "a mixed number"),
    Case("1 1/2", "5.5", NO, "not 11/2"),
    Case("½", "0.5", YES, "one character, U+00BD"),
    Case("1½", "1.5", YES, "a mixed number"),
    Case("50%", "0.5", YES, "percent is a hundredth"),
    # Powers
    Case("6.02e23", "602000000000000000000000", YES, "as computers write"),
    Case("6.02×10^23", "602000000000000000000000", YES, "as books write"),
    Case("6.02 × 10²³", "602000000000000000000000", YES, "raised digits"),
    Case("1e-5", "0.00001", YES, "a small exponent"),
    Case("1 e10", "10000000000", MAYBE, "a space, but one meaning"),
    Case("6.306*10^(-7)", "0.0000006306", YES, "the exponent in parentheses"),
    Case("10^2^3", "100000000", MAYBE, "10^8 by convention; some say 10^6"),
    Case("2^10", "1024", YES, "a power"),
    Case("√2", "1.41421356", YES, "a root", "0.0000001"),
    # Words, infinity, what is no number
    Case("58 billion", "58000000000", YES, "as one says it in English", locale="en"),
    Case("58 billion", "58000000000", ASK, "in German this may be 58 · 10^12", locale="de"),
    Case("-∞", "-inf", YES, "a blocked score"),
    Case("four", "4", ASK, "a word"),
    Case("1 Ω", "1", MAYBE, "a unit that was not asked for"),
    Case("x = -4", "-4", MAYBE, "an equation; the value alone was asked for"),
    Case("9216!", "9216", MAYBE, "joy, or a factorial"),
    Case("0x10", "16", MAYBE, "programmers' notation, or 0 times 10"),
    # Calculations
    Case("96*96", "9216", YES, "the rule allows calculations", arithmetic=True),
    Case("2·2+0·0", "4", YES, "the rule allows calculations", arithmetic=True),
    Case("1/2/3", "1/6", MAYBE, "from left to right, if one knows", arithmetic=True),
    # Bounds and exactness
    Case("46.0", "45.8", YES, "exactly at the bound", "0.2"),
    Case("100.01", "100", YES, "exactly at the bound", "0.01"),
    Case("100.0100001", "100", NO, "beyond the bound", "0.01"),
    Case("9007199254740993", "9007199254740992", NO, "off by one"),
    Case("0.1000000000000000055", "0.1", NO, "another number, if exactness is asked for"),
    Case("9220", "9216", NO, "a count is exact"),
)

HALVES = [[0.5, 0.5], [0.5, 0.5]]
MATRICES = (
    MatrixCase([[0.5, 0.5], [0.5, 0.5]], HALVES, YES, "the same"),
    MatrixCase(0.5, HALVES, (INCORRECT, UNREADABLE), "one number is no matrix"),
    MatrixCase([[0.5, 0.5]], HALVES, (INCORRECT, UNREADABLE), "a row is missing"),
    MatrixCase([[]], [[0.5]], (INCORRECT, UNREADABLE), "there is nothing in it"),
)
