"""Formulas are compared by their values; identities are those of school, mpmath is the judge."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.formulas.parse import understood
from service.engine.grading.formulas.sample import Span, points
from service.engine.grading.formulas.tree import Call, Constant, Name, Negative, Operation
from service.engine.grading.formulas.typeset import plain
from service.engine.grading.formulas.values import values
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.expressions import is_comparable, read_formula
from service.engine.grading.marking.rules import Expression, Variable
from service.engine.grading.marking.task import Misconception, Task

ABC = Expression(tuple(Variable(name, -3, 3) for name in "abc"))
ATTENTION = Expression((Variable("q", -3, 3), Variable("k", -3, 3), Variable("d_k", 1, 128)))
COUNTS = Expression((Variable("n", 1, 4096), Variable("d", 1, 1024)))


def mark(rule, key, typed, locale=None):
    return graded(Task(rule, key), {"kind": "text", "text": typed}, locale)


EQUAL = [
    (ABC, "a*(b+c)", "ab+ac"),
    (ABC, "a*(b+c)", "(c+b)a"),
    (ABC, "a*(b+c)", "a·b + a·c"),
    (ABC, "(a+b)^2", "a² + 2ab + b²"),
    (ABC, "(a+b)*(a-b)", "a^2-b^2"),
    (ABC, "a-b", "-(b-a)"),
    (ABC, "a/b", "a*b^-1"),
    (ABC, "exp(a+b)", "e^a*e^b"),
    (ABC, "sin(2*a)", "2sin(a)cos(a)"),
    (ABC, "1", "sin(a)^2 + cos(a)^2"),
    (ABC, "0*a", "(a+1)^2 - a^2 - 2a - 1"),
    (ABC, "0", "cos(a)^2 + sin(a)^2 - 1"),
    (ABC, "ln(a^2)/2", "ln(√(a^2))"),
    (ABC, "(a^2-b^2)/(a-b)", "a+b"),
    (ATTENTION, "q*k/sqrt(d_k)", "qk/√d_k"),
    (ATTENTION, "q*k/sqrt(d_k)", "q k d_k^(-1/2)"),
    (ATTENTION, "q*k/sqrt(d_k)", "(q/d_k^0.25)(k/d_k^0.25)"),
    (COUNTS, "n^2*d", "n·n·d"),
    (COUNTS, "n^2*d + n*d^2", "nd(n+d)"),
    (COUNTS, "exp(-n)", "e^(-n)"),
]
UNEQUAL = [
    (ABC, "a*(b+c)", "ab-ac"),
    (ABC, "a*(b+c)", "ab+c"),
    (ABC, "a*(b+c)", "ab+ac+10^(-7)"),
    (ABC, "a*(b+c)", "ab+ac+10^20-10^20+1"),
    (ABC, "(a+b)^2", "a^2+b^2"),
    (ABC, "a-b", "b-a"),
    (ABC, "a", "√(a^2)"),
    (ABC, "ln(a^2)", "2ln(a)"),
    (ABC, "0", "10^(-6)"),
    (ATTENTION, "q*k/sqrt(d_k)", "qk/d_k"),
    (ATTENTION, "q*k/sqrt(d_k)", "qk"),
    (ATTENTION, "q*k/sqrt(d_k)", "qk√d_k"),
    (COUNTS, "n^2*d", "n d^2"),
    (COUNTS, "n^2*d", "n^2*d + 1"),
    (COUNTS, "exp(-n)", "e^(-n)/2"),
]


@pytest.mark.parametrize(("rule", "key", "typed"), EQUAL)
def test_a_formula_equals_itself_rewritten(rule, key, typed):
    assert mark(rule, key, typed).mark.verdict == "correct"
    assert mark(rule, plain(understood(typed, rule.names)), key).mark.verdict == "correct"


@pytest.mark.parametrize(("rule", "key", "typed"), UNEQUAL)
def test_another_formula_is_not_equal(rule, key, typed):
    assert mark(rule, key, typed).mark.verdict in ("incorrect", "unreadable")
    assert mark(rule, key, typed).mark.score == 0


def test_a_value_that_rounding_has_eaten_is_not_taken_for_the_right_one():
    found = mark(ABC, "a", "a + 10^20 - 10^20").mark
    assert (found.verdict, found.feedback[0].code) == ("unreadable", "undefined")


def test_a_formula_without_values_is_unreadable():
    found = mark(ABC, "a", "√(-1-a^2)").mark
    assert (found.verdict, found.feedback[0].code) == ("unreadable", "undefined")


def test_the_reading_says_what_was_understood():
    reading = mark(ATTENTION, "q*k/sqrt(d_k)", "qk/√dₖ").reading
    assert reading.normal_form == "q*k/sqrt(d_k)"
    assert reading.latex == r"\frac{q k}{\sqrt{d_{k}}}"
    assert reading.value is None


def test_a_wrong_formula_is_not_told_the_right_one():
    found = mark(ATTENTION, "q*k/sqrt(d_k)", "qk/d_k").mark
    assert found.feedback == (("incorrect", "Read as q*k/d_k. This is not right."),)


def test_a_formula_follows_the_declared_locale_and_the_key_does_not():
    assert mark(ABC, "1.5*a", "1,5a", "de").mark.verdict == "correct"
    assert mark(ABC, "1.500*a", "1,5a", "de").mark.verdict == "correct"


@pytest.mark.parametrize(("typed", "verdict"), [("1.01a", "correct"), ("1.02a", "incorrect")])
def test_the_tolerance_is_relative(typed, verdict):
    rule = Expression((Variable("a", 1, 2),), Fraction("0.015"))
    assert mark(rule, "a", typed).mark.verdict == verdict


@pytest.mark.parametrize(
    ("key", "comparable"),
    [("a", True), ("ln(a)", True), ("ln(-1-a^2)", False), ("a+10^20-10^20", False), ("0", True)],
)
def test_a_key_needs_values_at_enough_points(key, comparable):
    assert is_comparable(ABC, key) is comparable


def test_where_formulas_are_tried_depends_on_what_is_asked_and_on_nothing_else():
    spans = [Span("a", -1, 1), Span("b", 10, 20)]
    one, again, other = points(spans, "a*b"), points(spans, "a*b"), points(spans, "a+b")
    assert all((one[name] == again[name]).all() for name in "ab")
    assert not (one["a"] == other["a"]).any()
    assert ((one["b"] >= 10) & (one["b"] <= 20)).all()
    assert len(set(one["a"])) == len(one["a"])


def rewritten(node):
    """The same formula in other words: sums turned round, products taken apart, signs doubled."""
    match node:
        case Operation("+", left, right):
            return Operation("+", rewritten(right), rewritten(left))
        case Operation("-", left, right):
            return Negative(Operation("-", rewritten(right), rewritten(left)))
        case Operation("*", left, Operation("+", one, other)):
            return Operation(
                "+",
                Operation("*", rewritten(left), rewritten(one)),
                Operation("*", rewritten(left), rewritten(other)),
            )
        case Operation("*", left, right):
            return Operation("*", rewritten(right), rewritten(left))
        case Operation("/", left, right):
            minus_one = Negative(Constant(Fraction(1)))
            return Operation("*", rewritten(left), Operation("^", rewritten(right), minus_one))
        case Call("exp", of):
            return Operation("^", Name("e"), rewritten(of))
        case _:
            return node


small = st.integers(1, 9).map(Fraction).map(Constant) | st.sampled_from([*map(Name, "abc")])
polynomials = st.recursive(
    small,
    lambda part: (
        st.builds(Operation, st.sampled_from("+-*"), part, part)
        | part.map(lambda of: Call("exp", Operation("/", of, Constant(Fraction(50)))))
    ),
    max_leaves=7,
)


def verdict(key, answer):
    key, answer = plain(key), plain(answer)
    return mark(ABC, key, answer, "en").mark.verdict if max(map(len, (key, answer))) < 200 else None


@given(polynomials)
def test_rewriting_a_formula_never_makes_it_wrong(formula):
    if is_comparable(ABC, plain(formula)):
        assert verdict(formula, rewritten(formula)) in ("correct", None)


@given(polynomials, st.sampled_from("abc"))
def test_a_changed_sign_always_makes_it_wrong(formula, name):
    one = Operation("+", formula, Name(name))
    other = Operation("-", formula, Name(name))
    where = {letter: np.array([2.9, -2.9]) for letter in "abc"}
    if np.nanmax(abs(values(one, where).value)) < 1e6:  # else ± a is within the tolerance
        assert verdict(one, other) in ("incorrect", "unreadable", None)


def by_mpmath(node, where):
    match node:
        case Constant(value):
            return mpmath.mpf(value.numerator) / value.denominator
        case Name(name):
            return where[name] if name in where else {"e": mpmath.e, "pi": mpmath.pi}[name]
        case Negative(of):
            return -by_mpmath(of, where)
        case Call(function, of):
            called = getattr(mpmath, function)(by_mpmath(of, where))
            return called if isinstance(called, mpmath.mpf) else mpmath.nan
    left, right = by_mpmath(node.left, where), by_mpmath(node.right, where)
    try:
        found = {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "/": lambda: left / right,
            "^": lambda: left**right,
        }[node.operator]()
    except ZeroDivisionError:
        return mpmath.nan
    return found if isinstance(found, mpmath.mpf) else mpmath.nan


functions = st.sampled_from(["sqrt", "exp", "ln", "sin", "cos"])
formulas = st.recursive(
    small | st.just(Name("pi")),
    lambda part: (
        st.builds(Operation, st.sampled_from("+-*/^"), part, part)
        | st.builds(Call, functions, part)
        | st.builds(Negative, part)
    ),
    max_leaves=6,
)


WHERE = {name: np.array([0.3, 1.7, -2.1]) * (i + 1) for i, name in enumerate("abc")}
# Where rounding has done much: in sums that cancel, and in what is made from them.
CANCELLING = [
    "a + 10^8 - 10^8",
    "(a + 10^8 - 10^8)^3",
    "(a + 10^8 - 10^8)^(1/3)",
    "3^(a + 10^8 - 10^8)",
    "1/(a + 10^8 - 10^8)",
    "b*(a + 10^8 - 10^8)",
    "sqrt(a + 10^8 - 10^8)",
    "exp(a + 10^8 - 10^8)",
    "ln(a + 10^8 - 10^8)",
    "sin(a + 10^8 - 10^8)",
    "cos(a + 10^8 - 10^8)",
    "(1 + a/10^9)^(10^7)",
    "sin(1000000*a)",
    "exp(a^2 - a^2 + 1)",
]


def assert_errors_hold(formula):
    found = values(formula, WHERE)
    with mpmath.workdps(60):
        for i in range(3):
            if not np.isfinite(found.value[i]) or not abs(found.value[i]) < 1e100:
                continue
            exact = {name: mpmath.mpf(float(at[i])) for name, at in WHERE.items()}
            try:
                true = by_mpmath(formula, exact)
            except (OverflowError, MemoryError):
                continue
            if mpmath.isnan(true):
                continue
            apart = abs(mpmath.mpf(float(found.value[i])) - true)
            assert apart <= 1.001 * found.error[i] + mpmath.mpf("1e-300"), plain(formula)


@given(formulas)
def test_a_value_is_no_further_from_the_true_one_than_its_error_says(formula):
    assert_errors_hold(formula)


@pytest.mark.parametrize("typed", CANCELLING)
def test_what_rounding_did_is_known_where_it_did_much(typed):
    formula = understood(typed, ("a", "b", "c"))
    assert np.isfinite(values(formula, WHERE).value[:2]).all()
    assert_errors_hold(formula)


@pytest.mark.parametrize(
    "typed",
    ["1/((a+1)^2 - a^2 - 2a - 1)", "(1 + a/10^17)^(10^19)", "ln(a + 10^20 - 10^20)", "(a - a)^0"],
)
def test_a_value_of_which_rounding_has_left_nothing_is_none(typed):
    assert np.isnan(values(understood(typed, ("a",)), WHERE).error).all()


def test_a_wrong_formula_is_told_the_one_slip_that_leads_to_it():
    slips = (
        Misconception("no_root", "It is the root of $d_k$.", "q*k/d_k"),
        Misconception("no_scaling", "Divide.", "q*k"),
    )
    task = Task(ATTENTION, "q*k/sqrt(d_k)", misconceptions=lambda: slips)
    told = graded(task, {"kind": "text", "text": "(q/d_k)·k"}).misconception
    assert told == slips[0]
    assert graded(task, {"kind": "text", "text": "2qk"}).misconception is None
    assert graded(task, {"kind": "text", "text": "k q/√(d_k)"}).misconception is None


LONG = ["x+" * 70 + "1", "√" * 32 + "x", "√" * 190 + "x", "x" * 99 + "+1", "-" * 190 + "x"]


@pytest.mark.parametrize("typed", LONG, ids=len)
def test_a_formula_is_a_key_and_a_slip_however_long_it_is_in_words(typed):
    rule = Expression((Variable("x", 1, 2),))
    reading, key = read_formula(rule, typed)
    assert mark(rule, key, typed).reading == reading
    assert mark(rule, key, typed).mark.verdict == "correct"
    slip = Misconception("slip", "A slip.", key)
    task = Task(rule, "x^2 + 9", misconceptions=lambda: (slip,))
    assert graded(task, {"kind": "text", "text": typed}).misconception == slip


@pytest.mark.parametrize("key", ["10^30*a", "a", "a/10^30", "a*(a-10)", "0"])
@pytest.mark.parametrize(
    "typed",
    [
        *(f"10^{n} - 10^{n} + 0*a" for n in (3, 9, 16, 30)),
        *(f"0*√(a - {c})" for c in ("0.5", "1.02", "1.5", "1.98", "2.5")),
        "√(a-1.5) + 10^40",
        "7 + 0/(a-a)",
    ],
)
def test_whether_a_formula_has_values_is_the_same_whatever_the_key(typed, key):
    rule = Expression((Variable("a", 1, 2),))
    found = mark(rule, key, typed).mark
    if found.verdict != "correct":
        assert found == mark(rule, "a^3 + 17", typed).mark


def test_a_small_sine_is_judged():
    rule = Expression((Variable("x", 0, 1e-9),))
    assert mark(rule, "x", "sin(x)").mark.verdict == "correct"
    assert mark(rule, "x", "2sin(x)").mark.verdict == "incorrect"
