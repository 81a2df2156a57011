"""Reads the arithmetic that a reply writes out, as text or as LaTeX, and works it out."""

import re
from typing import Any

import mpmath

WORDS = re.compile(
    r"^(given: |copied: |right: |wrong: |may be seen: |hidden: |hidden, so |not rotated: "
    r"|nothing may be seen, so )"
)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
NAMES = {
    "mpf": mpmath.mpf,
    "sqrt": mpmath.sqrt,
    "tanh": mpmath.tanh,
    "ln": mpmath.log,
    "erf": mpmath.erf,
    "max": max,
    "PI": mpmath.pi,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "abs": abs,
    "E": mpmath.e,
    "INF": mpmath.inf,
}


def sides(text: str) -> tuple[str, str]:
    """What is worked out, and what it comes to; words alone say what a cell is."""
    if WORDS.match(text):
        left, _, right = WORDS.sub("", text).rpartition(" = ")
        return left or right, right
    left, _, right = text.rpartition(" = ")
    return left, right


def value(expression: str) -> Any:
    """An expression of numbers, + - · / ^ √ |…|, e^, functions, π and ∞, with 40 digits."""
    expression = re.sub(r"\|([^|]*)\|", r"abs(\1)", expression)
    expression = re.sub(r"√(\d+(?:\.\d+)?)", r"√(\1)", expression)
    for sign, ours in (("·", "*"), ("√", "sqrt"), ("∞", "INF"), ("π", "PI")):
        expression = expression.replace(sign, ours)
    expression = re.sub(r"\be\^", "E**", expression).replace("^", "**")
    expression = NUMBER.sub(r"mpf('\g<0>')", expression)
    with mpmath.workdps(40):
        return eval(expression, {"__builtins__": {}}, NAMES)


def numbers(expression: str) -> set[float]:
    """The numbers that an expression holds, without their signs."""
    return {float(found) for found in NUMBER.findall(expression.replace("√", " "))}


def plain(latex: str) -> str:
    """LaTeX as the same text that `value` reads."""
    latex = re.sub(r"\\text\{([^}]*)\}", r"\1", latex)
    latex = latex.replace(r"\operatorname{erf}", r"\erf")
    latex = re.sub(r"(?<=[\d)}] )\\(tanh|sin|cos)\\left\(", r"· \1(", latex)
    latex = re.sub(r"\\(tanh|sin|cos|erf|max|ln)\\left\(", r"\1(", latex)
    latex = latex.replace(r"\left(", "(").replace(r"\right)", ")")
    latex = latex.replace(r"\cdot", "·").replace(r"\infty", "∞").replace(r"\pi", "π")
    while (start := latex.rfind("\\")) >= 0:
        name, before = re.match(r"\\(frac|sqrt)", latex[start:]), latex[:start]
        assert name, latex
        first, rest = braced(latex[start + len(name[0]) :])
        if name[1] == "sqrt":
            latex = f"{before}√({first}){rest}"
        else:
            second, rest = braced(rest)
            latex = f"{before}(({first})/({second})){rest}"
    while "{" in latex:
        start = latex.rindex("{")
        inside, rest = braced(latex[start:])
        latex = f"{latex[:start]}({inside}){rest}"
    return " ".join(latex.split())


def braced(text: str) -> tuple[str, str]:
    """What is inside the braces that text starts with, and what comes after them."""
    depth = 0
    for i, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return text[1:i], text[i + 1 :]
    raise ValueError(f"braces do not close: {text}")
