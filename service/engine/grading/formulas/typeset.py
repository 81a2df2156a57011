"""A formula as plain text that reads back as itself, and in LaTeX."""

import re
import unicodedata

from service.engine.grading.formulas.tree import Call, Constant, Name, Negative, Node, Operation
from service.engine.grading.reading.notation import latex as number_latex
from service.engine.grading.reading.notation import normal_form

_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_RANK = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "^": _POWER}


def plain(node: Node) -> str:
    """2*(x + 1)/sqrt(d_k): ASCII, with all signs, and brackets only where they are needed."""
    match node:
        case Constant(value):
            mantissa, e, exponent = normal_form(value).partition("e")
            return f"({mantissa}*10^({int(exponent)}))" if e else mantissa
        case Name(name):
            return name
        case Negative(of):
            return f"-{_in_brackets(of, _POWER)}"
        case Call(function, of):
            return f"{function}({plain(of)})"
        case Operation("^", left, right):
            return f"{_in_brackets(left, _ATOM)}^{_in_brackets(right, _ATOM)}"
        case Operation("*" | "/" as operator, left, right):
            first = plain(left) if _goes_first(left) else f"({plain(left)})"
            return f"{first}{operator}{_in_brackets(right, _POWER)}"
        case Operation(operator, left, right):
            return f"{plain(left)} {operator} {_in_brackets(right, _PRODUCT)}"


def latex(node: Node) -> str:
    """\\frac{2 \\left(x + 1\\right)}{\\sqrt{d_{k}}}."""
    match node:
        case Constant(value):
            return number_latex(value)
        case Name(name):
            return _name(name)
        case Negative(of):
            return f"-{_in_large_brackets(of, _POWER)}"
        case Call("sqrt", of):
            return rf"\sqrt{{{latex(of)}}}"
        case Call(function, of):
            return rf"\{function}\left({latex(of)}\right)"
        case Operation("^", left, right):
            return f"{_in_large_brackets(left, _ATOM)}^{{{latex(right)}}}"
        case Operation("/", left, right):
            return rf"\frac{{{latex(left)}}}{{{latex(right)}}}"
        case Operation("*", left, right):
            first = latex(left) if _goes_first(left) else _in_large_brackets(left, _ATOM)
            last = _in_large_brackets(right, _POWER)
            return rf"{first} \cdot {last}" if last[0].isdigit() else f"{first} {last}"
        case Operation(operator, left, right):
            return f"{latex(left)} {operator} {_in_large_brackets(right, _PRODUCT)}"


def _rank(node: Node) -> int:
    """How firmly it holds together; what begins with a minus sign does so like a sum."""
    if _begins_with_minus(node):
        return _SUM
    return _RANK[node.operator] if isinstance(node, Operation) else _ATOM


def _begins_with_minus(node: Node) -> bool:
    while type(node) is Operation and (node.operator == "*" or node.operator == "/"):
        node = node.left
    return type(node) is Negative


def _goes_first(node: Node) -> bool:
    """True if it needs no brackets at the beginning of a product: -x*y is (-x)*y."""
    return _rank(node) >= _PRODUCT or _begins_with_minus(node)


def _in_brackets(node: Node, least: int) -> str:
    return plain(node) if _rank(node) >= least else f"({plain(node)})"


def _in_large_brackets(node: Node, least: int) -> str:
    if _rank(node) >= least or (least == _POWER and _is_fraction(node)):
        return latex(node)
    return rf"\left({latex(node)}\right)"


def _is_fraction(node: Node) -> bool:
    return isinstance(node, Operation) and node.operator == "/"


def _name(name: str) -> str:
    """d_{k}, n_{\\text{heads}}, x_{1}, \\alpha."""
    match = re.fullmatch("([^0-9_]+)([0-9]*)_?(.*)", name)
    assert match
    letters, digits, index = match.groups()
    index = digits + (f",{index}" if digits and index else index)
    if len(index) > 1 and index.isalpha():
        index = rf"\text{{{index}}}"
    return _letters(letters) + (f"_{{{index}}}" if index else "")


def _letters(letters: str) -> str:
    if letters == "e":
        return r"\mathrm{e}"
    if letters == "pi":
        return r"\pi"
    if len(letters) > 1:
        return rf"\text{{{letters}}}"
    if letters.isascii():
        return letters
    *_, size, _, word = unicodedata.name(letters).split(" ")[:4]  # GREEK SMALL LETTER ALPHA
    return "\\" + (word.capitalize() if size == "CAPITAL" else word.lower())
