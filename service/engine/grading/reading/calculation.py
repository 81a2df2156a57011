"""A small calculation, read exactly: 96*96, 2·2+0·0, 12288/96, (1+2)*3, 2^10, sqrt(16)/2.

    sum      = [sign] product {sign product}        sign     = "+" | "-"
    product  = power {("*" | "/") [sign] power}     power    = atom ["^" [sign] atom]
    atom     = number | "(" sum ")" | ("√" | "sqrt") "(" sum ")"

What people read in different ways is refused: two signs in a row, a/b/c, a^b^c, a root without
parentheses, a product without a sign, ·10e5.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from service.engine.grading.reading.calculation_tokens import Refused, Tokens, tokens_of
from service.engine.grading.reading.exponents import ends_in_ten
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

_CHARACTERS = re.compile(r"(?:sqrt|[-+*/^()√xXeE0-9.,'_ \u066b\u066c])+")
_OPERATOR = re.compile(r"[0-9.)] ?[-+*/^xX]|√|sqrt")
_HEXADECIMAL = re.compile(r"(?<![0-9.,])0[xX][0-9]")
# 2017-06-12, 12-6-2017; nobody subtracts 06.
_DATE = re.compile(
    r"[0-9]{4} ?- ?[0-9]{1,2} ?- ?[0-9]{1,2}|[0-9]{1,2} ?- ?[0-9]{1,2} ?- ?[0-9]{4}"
    r"|(?=.*(?<![0-9])0[0-9])[0-9]+(?: ?- ?[0-9]+)+"
)

UNCLEAR = Problem(
    "expression", "This can be calculated in more than one way; put parentheses into it."
)
DATE = Problem("expression", "This looks like a date; enter the number alone.")
POINTED = Problem(
    "expression", "The mark before 10 may be for times or before decimals; write * for times."
)
IRRATIONAL = Problem("expression", "This root does not come out even; enter a decimal number.")
WHOLE_POWERS = Problem("expression", "Only whole numbers are read as powers.")


class Calculated(NamedTuple):
    """What a calculation comes to, how it was understood, and the marks in its numbers."""

    value: Fraction | Problem
    latex: str = ""
    marks: Marks = frozenset()


Term = tuple[Fraction, str]


def calculated(text: str, style: Style) -> Calculated | None:
    """The value of a calculation whose numbers are in this style; None if it is none."""
    if len(text) > LONGEST or not _CHARACTERS.fullmatch(text) or not _OPERATOR.search(text):
        return None
    if _HEXADECIMAL.search(text):
        return None
    if _DATE.fullmatch(text):
        return Calculated(DATE)
    try:
        tokens = Tokens(tokens_of(text), style)
        value, written = _sum(tokens)
        if tokens.left != [""]:
            raise Refused
    except Refused as refused:
        return refused.problem and Calculated(refused.problem)
    return Calculated(value, f"{written} = {latex(value)}", tokens.marks)


def _sum(tokens: Tokens) -> Term:
    sign = tokens.take("+", "-")
    value, written = _product(tokens)
    if sign == "-":
        value, written = -value, f"-{written}"
    while sign := tokens.take("+", "-"):
        term, form = _product(tokens)
        value = _bounded(value + term if sign == "+" else value - term)
        written += f" {sign} {form}"
    return value, written


def _product(tokens: Tokens) -> Term:
    value, written = _power(tokens)
    divided = False
    while operator := tokens.take("*", "/"):
        if operator == "/" and divided:
            raise Refused(UNCLEAR)
        divided = operator == "/"
        if operator == "*" and re.match("10[eE]", tokens.left[-1]):
            raise Refused(UNCLEAR)
        sign = tokens.take("+", "-")
        factor, form = _power(tokens)
        if sign == "-":
            factor, form = -factor, f"({sign}{form})"
        if divided and factor == 0:
            raise Refused(DIVISION_BY_ZERO)
        value = _bounded(value / factor if divided else value * factor)
        written = rf"\frac{{{written}}}{{{_bare(form)}}}" if divided else rf"{written} \cdot {form}"
    return value, written


def _power(tokens: Tokens) -> Term:
    first = tokens.left[-1]
    base, written = _atom(tokens)
    if not tokens.take("^"):
        return base, written
    if ends_in_ten(first):
        raise Refused(POINTED)
    sign = tokens.take("+", "-")
    exponent, form = _atom(tokens)
    # Nobody raises to the power 1: 3^1/2 is meant as a root.
    if tokens.left[-1] == "^" or (form == "1" and tokens.left[-1] == "/"):
        raise Refused(UNCLEAR)
    if exponent.denominator != 1:
        raise Refused(WHOLE_POWERS)
    value = power(base, -int(exponent) if sign == "-" else int(exponent))
    if isinstance(value, Problem):
        raise Refused(value)
    base_form = f"{{{written}}}" if "\\" in written else written
    return value, f"{base_form}^{{{sign}{_bare(form)}}}"


def _bare(form: str) -> str:
    """The LaTeX of one factor without the parentheses that a fraction or a power makes needless."""
    return form[1:-1] if form[0] == "(" and form[-1] == ")" else form


def _atom(tokens: Tokens) -> Term:
    root = tokens.take("√", "sqrt")
    if tokens.take("("):
        tokens.depth += 1
        if tokens.depth > DEEPEST:
            raise Refused
        value, written = _sum(tokens)
        tokens.depth -= 1
        if not tokens.take(")"):
            raise Refused
        return _root(value, written) if root else (value, f"({written})")
    if root:
        raise Refused(UNCLEAR)
    return _number(tokens)


def _root(value: Fraction, written: str) -> Term:
    if value < 0:
        raise Refused
    root, is_exact = square_root(value)
    if not is_exact:
        raise Refused(IRRATIONAL)
    return root, rf"\sqrt{{{written}}}"


def _number(tokens: Tokens) -> Term:
    text, _, exponent = tokens.left.pop().lower().partition("e")
    read = numeral(text, tokens.style)
    if read is None:
        raise Refused
    tokens.marks |= read.marks
    value = times_ten_to(read.value, int(exponent or 0))
    if isinstance(value, Problem):
        raise Refused(value)
    return value, latex(_bounded(value))


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise Refused(OUT_OF_RANGE)
    return value
