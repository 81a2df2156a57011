"""Markdown with formulas, as plain text and as LaTeX."""

import pytest

from service.engine.grading.questions.wording import latex, plain

PLAIN = {
    "a root of a name": (r"$\sqrt{d_k}$", "√d_k"),
    "a root of a sum": (r"$\sqrt{a + b}$", "√(a + b)"),
    "a product": (r"$q \cdot k$", "q·k"),
    "minus infinity": (r"$(1, 1, -\infty)$", "(1, 1, −∞)"),
    "a power of e": (r"$e^{-\infty} = 0$", "e^−∞ = 0"),
    "a power that is a number": ("$10^{-3}$ and $n^2$", "10⁻³ and n²"),
    "a power that is a sum": ("$e^{x - 1}$", "e^(x − 1)"),
    "a transpose": (r"$Q K^\top$", "Q Kᵀ"),
    "a fraction": (r"$\frac{q \cdot k}{\sqrt{d_k}}$", "q·k/√d_k"),
    "a fraction of sums": (r"$\frac{a + b}{c + d}$", "(a + b)/(c + d)"),
    "a fraction of products": (r"$\frac{a \cdot b}{c \cdot d}$", "a·b/(c·d)"),
    "thousands": ("$12{,}288$", "12,288"),
    "words in an index": (r"$d_\text{model}$", "d_model"),
    "letters in an index": ("$x_{ij}$", "x_ij"),
    "a function": (r"$\operatorname{softmax}(x)$", "softmax(x)"),
    "a logarithm": (r"$\ln(9)$", "ln(9)"),
    "relations": (r"$a \le b \approx c$", "a ≤ b ≈ c"),
    "a Greek letter before a name": (r"$\gamma x + \beta$", "γx + β"),
    "a matrix": (r"$\begin{pmatrix} 1 & -2 \\ 3 & 4 \end{pmatrix}$", "(1, −2; 3, 4)"),
    "a percentage": (r"$94\,\%$", "94 %"),
    "a transpose before a sign": (r"$Q K^\top = S$", "Q Kᵀ = S"),
    "emphasis": ("*fluffy* and **blue**", "“fluffy” and blue"),
    "code": ("`a_b*c`", "a_b*c"),
    "words alone": ("5 % of 12,288: why?", "5 % of 12,288: why?"),
}
LATEX = {
    "math is kept": (r"by $\sqrt{d_k}$.", r"by $\sqrt{d_k}$."),
    "signs are escaped": ("5 % & #1_a {b}", r"5 \% \& \#1\_a \{b\}"),
    "emphasis": ("*the $d_k$ of it*", r"\emph{the $d_k$ of it}"),
    "strong emphasis": ("**no** *yes*", r"\textbf{no} \emph{yes}"),
    "code": ("`a_b`", r"\texttt{a\_b}"),
}


@pytest.mark.parametrize(("text", "due"), PLAIN.values(), ids=PLAIN)
def test_plain_text_is_unicode(text, due):
    assert plain(text) == due


@pytest.mark.parametrize(("text", "due"), LATEX.values(), ids=LATEX)
def test_latex_keeps_formulas_and_escapes_the_rest(text, due):
    assert latex(text) == due


@pytest.mark.parametrize("text", ["$x", "a `b", "$$"])
@pytest.mark.parametrize("write", [plain, latex])
def test_what_opens_and_does_not_close_is_refused(write, text):
    with pytest.raises(ValueError, match="without its partner"):
        write(text)


@pytest.mark.parametrize("write", [plain, latex])
def test_a_star_that_does_not_close_is_refused(write):
    with pytest.raises(ValueError, match="a star without its partner"):
        write("*a")


@pytest.mark.parametrize(
    "formula", [r"$\foo$", r"$\begin{pmatrix} 1$", "${a$", "$x^$", r"$\text{a$", r"$\text$"]
)
def test_a_formula_that_cannot_be_written_is_refused(formula):
    with pytest.raises(ValueError, match=r"no Unicode is known|a formula that ends"):
        plain(formula)
