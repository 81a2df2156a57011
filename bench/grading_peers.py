"""Our grader and its peers, each called as its documentation says. None is taught anything here:
what a peer cannot read, it says so itself, by an error or by an empty result.
"""

from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from bench.grading_cases import CORRECT, INCORRECT, UNREADABLE, Case, MatrixCase
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.rules import Absolute, Cells, Integer, ScalarRule
from service.engine.grading.marking.task import Task
from service.engine.grading.reading.values import Number, exact

Verdict = Callable[[Case], str]


class Peer(NamedTuple):
    """A package by its name on the index; `grade` raises what the package raises."""

    name: str
    package: str
    module: str
    grade: Verdict
    matrix: Callable[[MatrixCase], str] | None = None

    @property
    def label(self) -> str:
        return f"{self.name} {version(self.package)}"

    def verdict(self, case: Case | MatrixCase) -> str:
        """What the peer says; an error is its way to say that it cannot read."""
        if isinstance(case, MatrixCase):
            return self.matrix(case) if self.matrix else ""
        try:
            return self.grade(case)
        except Exception:  # a peer may fail in any way of its own; that is its verdict
            return UNREADABLE


def installed() -> list[Peer]:
    return [peer for peer in PEERS if find_spec(peer.module)]


def _said(right: Any) -> str:
    return CORRECT if right else INCORRECT


def by_us(case: Case | MatrixCase) -> str:
    """The verdict of this service's grader."""
    if isinstance(case, MatrixCase):
        typed: Any = case.typed if isinstance(case.typed, list) else [[case.typed]]
        rows = tuple(tuple(map(exact, row)) for row in case.key)
        task = Task(Cells(Absolute(Fraction(0))), rows)
        found = graded(task, {"kind": "matrix", "matrix": typed})
    else:
        rule: ScalarRule = Absolute(case.bound, case.arithmetic)
        if case.key.isdigit() and not case.bound:
            rule = Integer(case.arithmetic)
        answer = {"kind": "text", "text": case.typed}
        found = graded(Task(rule, _number(case.key)), answer, case.locale)
    return UNREADABLE if found.mark.verdict == "unreadable" else found.mark.verdict


def _number(text: str) -> Number:
    return float(text) if "inf" in text else Fraction(text)


def _float(text: str) -> float:
    return float(_number(text))


def by_numpy(case: Case) -> str:
    """allclose of Python's float of the text."""
    return _said(np.allclose(float(case.typed), _float(case.key), 0, float(case.bound)))


def matrix_by_numpy(case: MatrixCase) -> str:
    return _said(np.allclose(case.typed, case.key, 0, 0))


def by_openedx(case: Case) -> str:
    """The calculator behind numerical and formula problems; then, as Open edX does, the printed
    decimals are compared."""
    from calc import evaluator

    value = Fraction(repr(evaluator({}, {}, case.typed)))
    return _said(abs(value - Fraction(repr(_float(case.key)))) <= case.bound)


def by_math_verify(case: Case) -> str:
    """parse and verify as they come, on the text as typed, which serves it better than the text
    between dollars; it has no tolerance but its own rounding."""
    from math_verify import parse, verify

    answer = parse(case.typed, raise_on_error=True)
    if not answer:
        return UNREADABLE
    return _said(verify(parse(case.key.replace("inf", r"\infty")), answer))


def by_sympy(case: Case) -> str:
    """sympify to rational numbers, and an exact comparison."""
    from sympy import Abs, Rational, oo, sympify

    value = sympify(case.typed, rational=True)
    if not getattr(value, "is_number", False):
        return UNREADABLE
    if "inf" in case.key:
        return _said(value == -oo)
    return _said(Abs(value - Rational(case.key)) <= Rational(case.tolerance))


def by_babel(case: Case) -> str:
    """parse_decimal, strictly, in the locale declared, or in English."""
    from babel.numbers import parse_decimal

    value = parse_decimal(case.typed, locale=(case.locale or "en").replace("-", "_"), strict=True)
    return _said(abs(Fraction(value) - Fraction(case.key)) <= case.bound)


PEERS = (
    Peer("numpy.allclose", "numpy", "numpy", by_numpy, matrix_by_numpy),
    Peer("openedx-calc", "openedx-calc", "calc", by_openedx),
    Peer("math-verify", "math-verify", "math_verify", by_math_verify),
    Peer("sympy", "sympy", "sympy", by_sympy),
    Peer("Babel", "babel", "babel", by_babel),
)
