"""Each operation written out with numbers: as plain text, and as LaTeX."""

import math
from collections.abc import Callable
from typing import NamedTuple

Write = Callable[[float], str]


class Operands(NamedTuple):
    """The values read, a list for each read of the rule, and the step's constants."""

    values: list[list[float]]
    index: dict[str, int]
    constants: dict[str, float]
    place: tuple[int, int]

    def one(self, read: int) -> float:
        """The only value of a read."""
        return self.values[read][0]


Expression = Callable[[Operands, float, Write], tuple[str, str]]


def number(x: float) -> str:
    """The shortest text that reads back as x, without a trailing .0."""
    if x == -math.inf:
        return "-∞"
    text = repr(x + 0.0)
    return text[:-2] if text.endswith(".0") else text


def factor(text: str) -> str:
    """A number as a factor or a base: in brackets where a sign or an exponent would mislead."""
    return f"({text})" if text.startswith("-") or "e" in text else text


def tex(text: str) -> str:
    """A plain number as LaTeX."""
    mantissa, e, exponent = text.partition("e")
    power = rf" \cdot 10^{{{int(exponent)}}}" if e else ""
    return mantissa.replace("∞", r"\infty") + power


def _brackets(text: str) -> str:
    return f"({tex(text)})" if text.startswith("-") or "e" in text else text


def _given(_: Operands, result: float, write: Write) -> tuple[str, str]:
    return f"given: {write(result)}", rf"\text{{given: }} {tex(write(result))}"


def _dot(of: Operands, result: float, write: Write) -> tuple[str, str]:
    pairs = [(write(a), write(b)) for a, b in zip(*of.values, strict=True)]
    text = " + ".join(f"{factor(a)}·{factor(b)}" for a, b in pairs)
    latex = " + ".join(rf"{_brackets(a)} \cdot {_brackets(b)}" for a, b in pairs)
    return f"{text} = {write(result)}", f"{latex} = {tex(write(result))}"


def _scale(of: Operands, result: float, write: Write) -> tuple[str, str]:
    score, end = write(of.one(0)), write(result)
    if of.constants.get("by_width", 0):
        root = write(of.constants["d_k"])
        return f"{score} / √{root} = {end}", rf"\frac{{{tex(score)}}}{{\sqrt{{{root}}}}} = {tex(end)}"
    scale = write(of.constants["scale"])
    return (
        f"{factor(scale)}·{factor(score)} = {end}",
        rf"{_brackets(scale)} \cdot {_brackets(score)} = {tex(end)}",
    )


def _softcap(of: Operands, result: float, write: Write) -> tuple[str, str]:
    cap, score, end = write(of.constants["softcap"]), write(of.one(0)), write(result)
    return (
        f"{cap}·tanh({score} / {cap}) = {end}",
        rf"{tex(cap)} \tanh\left(\frac{{{tex(score)}}}{{{tex(cap)}}}\right) = {tex(end)}",
    )


def _mask(of: Operands, result: float, write: Write) -> tuple[str, str]:
    if result == -math.inf:
        return "hidden, so -∞", r"\text{hidden, so } -\infty"
    score, end = write(of.one(0)), write(result)
    if "bias" in of.index:
        bias = write(of.one(of.index["bias"]))
        return f"{score} + {factor(bias)} = {end}", f"{tex(score)} + {_brackets(bias)} = {tex(end)}"
    return f"may be seen: {end}", rf"\text{{may be seen: }} {tex(end)}"


def _softmax(of: Operands, result: float, write: Write) -> tuple[str, str]:
    own = of.values[0][of.place[1]]
    seen = [write(x) for x in of.values[0] if x != -math.inf]
    end = write(result)
    if not seen:
        return f"nothing may be seen, so {end}", rf"\text{{nothing may be seen, so }} {tex(end)}"
    top = write(own)
    total = " + ".join(f"e^{factor(x)}" for x in seen)
    latex = " + ".join(f"e^{{{tex(x)}}}" for x in seen)
    return (
        f"e^{factor(top)} / ({total}) = {end}",
        rf"\frac{{e^{{{tex(top)}}}}}{{{latex}}} = {tex(end)}",
    )


def _sum(of: Operands, result: float, write: Write) -> tuple[str, str]:
    terms = [write(x) for read in of.values for x in read]
    text = " + ".join([terms[0], *map(factor, terms[1:])])
    latex = " + ".join([tex(terms[0]), *map(_brackets, terms[1:])])
    return f"{text} = {write(result)}", f"{latex} = {tex(write(result))}"


def _copy(_: Operands, result: float, write: Write) -> tuple[str, str]:
    return f"copied: {write(result)}", rf"\text{{copied: }} {tex(write(result))}"


def _factor(of: Operands, result: float, write: Write) -> tuple[str, str]:
    scale, x, end = write(of.constants["factor"]), write(of.one(0)), write(result)
    return (
        f"{factor(scale)}·{factor(x)} = {end}",
        rf"{_brackets(scale)} \cdot {_brackets(x)} = {tex(end)}",
    )


EXPRESSIONS: dict[str, Expression] = {
    "input": _given,
    "dot": _dot,
    "scale": _scale,
    "softcap": _softcap,
    "mask": _mask,
    "softmax": _softmax,
    "add": _sum,
    "sum": _sum,
    "concat": _copy,
    "factor": _factor,
}
