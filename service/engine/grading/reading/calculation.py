"""A small calculation, read exactly: 96*96, 2·2+0·0, 12288/96, (1+2)*3, 2^10, sqrt(16)/2.

    sum      = [sign] product {sign product}        sign     = "+" | "-"
    product  = power {("*" | "/") [sign] power}     power    = atom ["^" [sign] atom]
    atom     = number | "(" sum ")" | ("√" | "sqrt") "(" sum ")"

What people read in different ways is refused: two signs in a row, a/b/c, a^b^c, a root without
parentheses, a product without a sign, ·10e5.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from service.engine.grading.reading.notation import latex
from service.engine.grading.reading.numerals import Marks, Style, numeral
from service.engine.grading.reading.powers import (
    DIVISION_BY_ZERO,
    OUT_OF_RANGE,
    power,
    square_root,
    times_ten_to,
)
from service.engine.grading.reading.values import Problem

LONGEST, DEEPEST, MOST_BITS = 200, 20, 2048

_DIGITS = r"[0-9.,'_\u066b\u066c]+"
_TOKEN = re.compile(
    rf" ?((?P<number>{_DIGITS}(?: {_DIGITS})*(?:[eE][-+]?[0-9]+)?)|sqrt|[-+*/^()√xX]) ?"
)
_CHARACTERS = re.compile(r"(?:sqrt|[-+*/^()√xXeE0-9.,'_ \u066b\u066c])+")
_OPERATOR = re.compile(r"[0-9.)] ?[-+*/^xX]|√|sqrt")
# 0x10 is hexadecimal, 2017-06-12 a date.
_NO_CALCULATION = re.compile(r"(?<![0-9.,])0[xX][0-9]|^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$")

UNCLEAR = Problem(
    "expression", "This can be calculated in more than one way; put parentheses into it."
)
IRRATIONAL = Problem("expression", "This root does not come out even; enter a decimal number.")
WHOLE_POWERS = Problem("expression", "Only whole numbers are read as powers.")


class Calculated(NamedTuple):
    """What a calculation comes to, how it was understood, and the marks in its numbers."""

    value: Fraction | Problem
    latex: str = ""
    marks: Marks = frozenset()


class _Refused(Exception):
    """This is no calculation, or one with a problem."""

    def __init__(self, problem: Problem | None = None) -> None:
        super().__init__()
        self.problem = problem


class _Tokens:
    """The tokens that are left, and the marks in the numbers that were read."""

    def __init__(self, tokens: Iterator[str], style: Style) -> None:
        self.left = [*tokens, ""][::-1]
        self.style = style
        self.marks: Marks = frozenset()
        self.depth = 0

    def take(self, *wanted: str) -> str:
        """The next token if it is one of these, else ""."""
        return self.left.pop() if self.left[-1] in wanted else ""


Term = tuple[Fraction, str]


def calculated(text: str, style: Style) -> Calculated | None:
    """The value of a calculation whose numbers are in this style; None if it is none."""
    if len(text) > LONGEST or not _CHARACTERS.fullmatch(text) or not _OPERATOR.search(text):
        return None
    if _NO_CALCULATION.search(text):
        return None
    try:
        tokens = _Tokens(_tokens(text), style)
        value, written = _sum(tokens)
        if tokens.left != [""]:
            raise _Refused
    except _Refused as refused:
        return refused.problem and Calculated(refused.problem)
    return Calculated(value, f"{written} = {latex(value)}", tokens.marks)


def _tokens(text: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _Refused
        yield match[1].replace("x", "*").replace("X", "*")
        place = match.end()


def _sum(tokens: _Tokens) -> Term:
    sign = tokens.take("+", "-")
    value, written = _product(tokens)
    if sign == "-":
        value, written = -value, f"-{written}"
    while sign := tokens.take("+", "-"):
        term, form = _product(tokens)
        value = _bounded(value + term if sign == "+" else value - term)
        written += f" {sign} {form}"
    return value, written


def _product(tokens: _Tokens) -> Term:
    value, written = _power(tokens)
    divided = False
    while operator := tokens.take("*", "/"):
        if operator == "/" and divided:
            raise _Refused(UNCLEAR)
        divided = operator == "/"
        if operator == "*" and re.match("10[eE]", tokens.left[-1]):
            raise _Refused(UNCLEAR)
        sign = tokens.take("+", "-")
        factor, form = _power(tokens)
        if sign == "-":
            factor, form = -factor, f"({sign}{form})"
        if divided and factor == 0:
            raise _Refused(DIVISION_BY_ZERO)
        value = _bounded(value / factor if divided else value * factor)
        written = rf"\frac{{{written}}}{{{_bare(form)}}}" if divided else rf"{written} \cdot {form}"
    return value, written


def _power(tokens: _Tokens) -> Term:
    base, written = _atom(tokens)
    if not tokens.take("^"):
        return base, written
    sign = tokens.take("+", "-")
    exponent, form = _atom(tokens)
    if tokens.left[-1] == "^":
        raise _Refused(UNCLEAR)
    if exponent.denominator != 1:
        raise _Refused(WHOLE_POWERS)
    value = power(base, -int(exponent) if sign == "-" else int(exponent))
    if isinstance(value, Problem):
        raise _Refused(value)
    base_form = f"{{{written}}}" if "\\" in written else written
    return value, f"{base_form}^{{{sign}{_bare(form)}}}"


def _bare(form: str) -> str:
    """The LaTeX of one factor without the parentheses that a fraction or a power makes needless."""
    return form[1:-1] if form[0] == "(" and form[-1] == ")" else form


def _atom(tokens: _Tokens) -> Term:
    root = tokens.take("√", "sqrt")
    if tokens.take("("):
        tokens.depth += 1
        if tokens.depth > DEEPEST:
            raise _Refused
        value, written = _sum(tokens)
        tokens.depth -= 1
        if not tokens.take(")"):
            raise _Refused
        return _root(value, written) if root else (value, f"({written})")
    if root:
        raise _Refused(UNCLEAR)
    return _number(tokens)


def _root(value: Fraction, written: str) -> Term:
    if value < 0:
        raise _Refused
    root, is_exact = square_root(value)
    if not is_exact:
        raise _Refused(IRRATIONAL)
    return root, rf"\sqrt{{{written}}}"


def _number(tokens: _Tokens) -> Term:
    text, _, exponent = tokens.left.pop().lower().partition("e")
    read = numeral(text, tokens.style)
    if read is None:
        raise _Refused
    tokens.marks |= read.marks
    value = times_ten_to(read.value, int(exponent or 0))
    if isinstance(value, Problem):
        raise _Refused(value)
    return value, latex(_bounded(value))


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise _Refused(OUT_OF_RANGE)
    return value
