"""The arithmetic of single quantities written out with numbers."""

from service.engine.notation import Expression, Operands, Write, brackets, factor, tex


def _values(of: Operands, write: Write) -> list[str]:
    return [write(x) for read in of.values for x in read]


def product(of: Operands, result: float, write: Write) -> tuple[str, str]:
    terms, end = _values(of, write), write(result)
    text, latex = "·".join(map(factor, terms)), r" \cdot ".join(map(brackets, terms))
    return f"{text} = {end}", f"{latex} = {tex(end)}"


def difference(of: Operands, result: float, write: Write) -> tuple[str, str]:
    (a, b), end = _values(of, write), write(result)
    return f"{a} - {factor(b)} = {end}", f"{tex(a)} - {brackets(b)} = {tex(end)}"


def quotient(of: Operands, result: float, write: Write) -> tuple[str, str]:
    (a, b), end = _values(of, write), write(result)
    return f"{factor(a)} / {factor(b)} = {end}", rf"\frac{{{tex(a)}}}{{{tex(b)}}} = {tex(end)}"


def power(of: Operands, result: float, write: Write) -> tuple[str, str]:
    (a, b), end = _values(of, write), write(result)
    return f"{factor(a)}^{factor(b)} = {end}", f"{brackets(a)}^{{{tex(b)}}} = {tex(end)}"


def root(of: Operands, result: float, write: Write) -> tuple[str, str]:
    (a,), end = _values(of, write), write(result)
    return f"√({a}) = {end}", rf"\sqrt{{{tex(a)}}} = {tex(end)}"


def exponential(of: Operands, result: float, write: Write) -> tuple[str, str]:
    (a,), end = _values(of, write), write(result)
    return f"e^{factor(a)} = {end}", f"e^{{{tex(a)}}} = {tex(end)}"


def logarithm(of: Operands, result: float, write: Write) -> tuple[str, str]:
    (a,), end = _values(of, write), write(result)
    return f"ln({a}) = {end}", rf"\ln\left({tex(a)}\right) = {tex(end)}"


def verdict(_: Operands, result: float, write: Write) -> tuple[str, str]:
    said = "right" if result else "wrong"
    return f"{said}: {write(result)}", rf"\text{{{said}: }} {tex(write(result))}"


QUANTITIES: dict[str, Expression] = {
    "product": product,
    "difference": difference,
    "quotient": quotient,
    "power": power,
    "root": root,
    "exponential": exponential,
    "logarithm": logarithm,
    "verdict": verdict,
}
