"""Formulas: how they are read, what is refused, and that nothing is read silently in two ways."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.grading.formulas.names import is_name
from service.engine.grading.formulas.parse import understood
from service.engine.grading.formulas.tree import Call, Constant, Name, Negative, Operation
from service.engine.grading.formulas.typeset import latex, plain
from service.engine.grading.reading.values import Problem

NAMES = ("x", "y", "d_k", "n_heads", "x1", "α")

READ = [
    ("2x", "2*x"),
    ("xy", "x*y"),
    ("x y", "x*y"),
    ("2 x y", "2*x*y"),
    ("x(y+1)", "x*(y + 1)"),
    ("(x+1)(y-1)", "(x + 1)*(y - 1)"),
    ("2(x+1)", "2*(x + 1)"),
    ("2sin(x)", "2*sin(x)"),
    ("x sin(x)", "x*sin(x)"),
    ("x²y", "x^2*y"),
    ("x^2(y+1)", "x^2*(y + 1)"),
    ("-x^2", "-x^2"),
    ("(-x)^2", "(-x)^2"),
    ("(x^2)^3", "(x^2)^3"),
    ("(xy)^2", "(x*y)^2"),
    ("-xy", "-x*y"),
    ("-(xy)", "-(x*y)"),
    ("x(-y)", "x*(-y)"),
    ("1-(-x)y", "1 - (-x*y)"),
    ("x^-2", "x^(-2)"),
    ("x**2", "x^2"),
    ("x⁻¹", "x^(-1)"),
    ("x--y", "x - (-y)"),
    ("--x", "x"),
    ("+x", "x"),
    ("x−y", "x - y"),
    ("x·y", "x*y"),
    ("x × y ÷ 2", "x*y/2"),
    ("x/y/2", "x/y/2"),
    ("x/(y/2)", "x/(y/2)"),
    ("x/y*2", "x/y*2"),
    ("x-(y-2)", "x - (y - 2)"),
    ("x-y-2", "x - y - 2"),
    ("√x", "sqrt(x)"),
    ("√(x+1)", "sqrt(x + 1)"),
    ("√√x", "sqrt(sqrt(x))"),
    ("2√x", "2*sqrt(x)"),
    ("1/√d_k", "1/sqrt(d_k)"),
    ("√(2)x", "sqrt(2)*x"),
    ("d_{k}", "d_k"),
    ("dₖ", "d_k"),
    ("n_heads x1", "n_heads*x1"),
    ("α x", "α*x"),
    ("αx", "α*x"),
    ("π", "pi"),
    ("2πx", "2*pi*x"),
    ("e^x", "e^x"),
    ("e^{-x}", "e^(-x)"),
    ("e^(x+y)", "e^(x + y)"),
    ("log(x)", "ln(x)"),
    ("Exp(x)", "exp(x)"),
    ("exp (x)", "exp(x)"),
    ("sin(x)^2", "sin(x)^2"),
    ("2e3", "2000"),
    ("0.5x", "0.5*x"),
    (".5x", "0.5*x"),
    ("[x+1]*y", "(x + 1)*y"),
    ("2 e x", "2*e*x"),
    ("\uff12\uff58", "2*x"),
]


@pytest.mark.parametrize(("typed", "form"), READ)
def test_a_formula_is_read_as(typed, form):
    found = understood(typed, NAMES)
    assert not isinstance(found, Problem), found
    assert plain(found) == form


REFUSED = {
    "ambiguous": [
        "1/2x", "x/2y", "x/2(y+1)", "1/d_k x", "√2x", "√x y", "√2/2", "√x^2", "x^2y", "e^x y",
        "e^x(y+1)", "x^y^2", "2^3^4", "2e-3", "x^√2y", "1/2π",
    ],
    "unknown_name": ["z", "xz", "x2", "foo(x)", "dk", "tan(x)", "0x10", "lambda:x"],
    "not_understood": [
        "x=y", "y = x", "2 3", "x 2", "(x+1)2", "x+", "*x", "x*/y", "()", "(x", "x)", "sin x",
        "sin", "√", "x^", "x;y", "x!", "|x|", "x < y", "'x'", "x\\y", "50%", "∞", "x_", ",",
        "1,000.5.5x", "__import__", "x.real",
    ],
    "blank": ["", "  "],
    "too_long": ["x+" * 100 + "x", "(" * 31 + "x" + ")" * 31],
}  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "code"), [(typed, code) for code, texts in REFUSED.items() for typed in texts]
)
def test_what_is_not_clear_or_not_a_formula_is_refused(typed, code):
    found = understood(typed, NAMES)
    assert isinstance(found, Problem), plain(found)
    assert found.code == code


@pytest.mark.parametrize(
    ("typed", "locale", "form"),
    [
        ("0,5x", "de", "0.5*x"),
        ("0,5x", None, "0.5*x"),
        ("1.500x", "de", "1500*x"),
        ("1,500x", "en", "1500*x"),
        ("1,500x", None, "ambiguous"),
        ("٢x", "ar", "2*x"),
    ],
)
def test_numbers_in_a_formula_are_read_as_numbers_alone_are(typed, locale, form):
    found = understood(typed, NAMES, locale)
    assert (found.code if isinstance(found, Problem) else plain(found)) == form


def test_letters_that_can_be_taken_apart_in_two_ways_are_refused():
    found = understood("abc", ("ab", "c", "a", "bc"))
    assert isinstance(found, Problem)
    assert found.code == "ambiguous"
    assert plain(understood("abc", ("ab", "c"))) == "ab*c"
    assert plain(understood("ab", ("ab", "a", "b"))) == "ab"


@pytest.mark.parametrize("name", ["x", "d_k", "n_heads", "W_Q", "x1", "α", "dk"])
def test_these_can_be_names(name):
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["", "e", "pi", "π", "sin", "Sqrt", "log", "1x", "x y", "x-y", "_x", "x_", "x__y", "é"]
)
def test_these_cannot(name):
    assert not is_name(name)


LATEX = [
    ("q k/√d_k", r"\frac{q k}{\sqrt{d_{k}}}"),
    ("2*3*q", r"2 \cdot 3 q"),
    ("(q+1)^2", r"\left(q + 1\right)^{2}"),
    ("q/k^2", r"\frac{q}{k^{2}}"),
    ("exp(q)", r"\exp\left(q\right)"),
    ("log(q)", r"\ln\left(q\right)"),
    ("e^(-q)", r"\mathrm{e}^{-q}"),
    ("-(q+k)", r"-\left(q + k\right)"),
    ("q-(k-1)", r"q - \left(k - 1\right)"),
    ("2π", r"2 \pi"),
    ("n_heads", r"n_{\text{heads}}"),
    ("α", r"\alpha"),
    ("Δ", r"\Delta"),
    ("0.5q", "0.5 q"),
    ("(q/k)q", r"\frac{q}{k} q"),
]


@pytest.mark.parametrize(("typed", "tex"), LATEX)
def test_what_was_understood_is_shown_in_latex(typed, tex):
    assert latex(understood(typed, ("q", "k", "d_k", "n_heads", "α", "Δ"))) == tex


numbers = st.decimals(0, 10**6, places=3, allow_nan=False).map(Fraction).map(Constant)
names = st.sampled_from([*map(Name, NAMES), Name("e"), Name("pi")])
formulas = st.recursive(
    numbers | names,
    lambda part: (
        st.builds(Operation, st.sampled_from("+-*/^"), part, part)
        | st.builds(Call, st.sampled_from(["sqrt", "exp", "ln", "sin", "cos"]), part)
        | part.filter(lambda node: not isinstance(node, Negative)).map(Negative)
    ),
    max_leaves=8,
)


@given(formulas)
def test_every_formula_is_read_back_from_its_plain_form(formula):
    text = plain(formula)
    if len(text) <= 200:
        found = understood(text, NAMES, "en")
        assert not isinstance(found, Problem), (text, found)
        assert plain(found) == text


@given(st.text("xy12+-*/^()√ .,esin_{}²πα", max_size=60))
def test_no_text_breaks_the_reader_and_what_is_read_is_read_alike_again(typed):
    found = understood(typed, NAMES)
    if not isinstance(found, Problem):
        again = understood(plain(found), NAMES, "en")
        assert isinstance(again, Problem) or plain(again) == plain(found)
        assert len(plain(found)) > 200 or not isinstance(again, Problem)


LONG = [
    "√" * 198 + "x", "x" * 200, "-" * 199 + "x", "((" * 50, "x^" * 99 + "x", "1/" * 99 + "x",
    "sin(" * 30 + "x" + ")" * 30, "9" * 200, "xy" * 100,
]  # fmt: skip


@pytest.mark.parametrize("typed", LONG)
def test_the_longest_texts_are_read_or_refused_without_trouble(typed):
    found = understood(typed, NAMES)
    assert isinstance(found, Problem) or latex(found)
