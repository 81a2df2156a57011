"""Square roots, read in one fixed style."""

import re
from fractions import Fraction

from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.notation import latex, normal_form
from service.engine.grading.reading.numerals import Style, numeral
from service.engine.grading.reading.powers import DIVISION_BY_ZERO, square_root
from service.engine.grading.reading.ratios import ratios
from service.engine.grading.reading.values import Problem

_ROOT = re.compile(
    r"(?:(?P<factor>[^/*√()]+?) ?(?P<operator>[*/]?) ?)?"
    r"(?:√ ?(?P<bare>[^()/√]+)|(?:√|sqrt) ?\( ?(?P<inside>[^()√]+?) ?\)(?: ?/ ?(?P<under>.+))?)"
)


def root_of(text: str, style: Style) -> Candidate | None:
    """√b, a√b, a·√b, a/√b, and with parentheses also √(b)/c; √b/c alone could be √(b/c)."""
    match = _ROOT.fullmatch(text)
    if not match:
        return None
    factor = numeral(match["factor"] or "1", style)
    radicand = next(ratios(match["bare"] or match["inside"], style), None)
    under = numeral(match["under"] or "1", style)
    if factor is None or radicand is None or under is None:
        return None
    if isinstance(radicand.value, Problem):
        return radicand
    marks = factor.marks | radicand.marks | under.marks
    root, is_exact = square_root(Fraction(radicand.value))
    divides = match["operator"] == "/"
    if under.value == 0 or (divides and root == 0):
        return Candidate(DIVISION_BY_ZERO, marks)
    value = (factor.value / root if divides else factor.value * root) / under.value
    if is_exact:
        return Candidate(value, marks)
    under_root = normal_form(radicand.value)
    form = f"√({under_root})" if "/" in under_root else f"√{under_root}"
    typeset = rf"\sqrt{{{latex(radicand.value)}}}"
    if match["factor"]:
        sign = match["operator"]
        form = normal_form(factor.value) + sign + form
        typeset = latex(factor.value) + sign.replace("*", r" \cdot ") + typeset
    if match["under"]:
        form = f"({form})/{normal_form(under.value)}"
        typeset = rf"\frac{{{typeset}}}{{{latex(under.value)}}}"
    return Candidate(value, marks, exact_form=form, latex=typeset)
