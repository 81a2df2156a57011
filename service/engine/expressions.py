"""Each operation written out with numbers: as plain text, and as LaTeX."""

import math

from service.engine import expressions_of_norms
from service.engine.notation import Expression, Operands, Write, brackets, factor, tex


def _given(_: Operands, result: float, write: Write) -> tuple[str, str]:
    return f"given: {write(result)}", rf"\text{{given: }} {tex(write(result))}"


def _dot(of: Operands, result: float, write: Write) -> tuple[str, str]:
    pairs = [(write(a), write(b)) for a, b in zip(*of.values, strict=True)]
    text = " + ".join(f"{factor(a)}·{factor(b)}" for a, b in pairs)
    latex = " + ".join(rf"{brackets(a)} \cdot {brackets(b)}" for a, b in pairs)
    return f"{text} = {write(result)}", f"{latex} = {tex(write(result))}"


def _scale(of: Operands, result: float, write: Write) -> tuple[str, str]:
    score, end = write(of.one(0)), write(result)
    if of.constants.get("by_width", 0):
        root = write(of.constants["d_k"])
        return (
            f"{score} / √{root} = {end}",
            rf"\frac{{{tex(score)}}}{{\sqrt{{{root}}}}} = {tex(end)}",
        )
    scale = write(of.constants["scale"])
    return (
        f"{factor(scale)}·{factor(score)} = {end}",
        rf"{brackets(scale)} \cdot {brackets(score)} = {tex(end)}",
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
    if "bias" in of.places:
        bias = write(of.one(of.places["bias"]))
        return f"{score} + {factor(bias)} = {end}", f"{tex(score)} + {brackets(bias)} = {tex(end)}"
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
    latex = " + ".join([tex(terms[0]), *map(brackets, terms[1:])])
    return f"{text} = {write(result)}", f"{latex} = {tex(write(result))}"


def _copy(_: Operands, result: float, write: Write) -> tuple[str, str]:
    return f"copied: {write(result)}", rf"\text{{copied: }} {tex(write(result))}"


def _add_scaled(of: Operands, result: float, write: Write) -> tuple[str, str]:
    x, delta, end = write(of.one(0)), write(of.one(1)), write(result)
    scale = of.constants["factor"]
    if scale == 1.0:
        return f"{x} + {factor(delta)} = {end}", f"{tex(x)} + {brackets(delta)} = {tex(end)}"
    times = write(scale)
    return (
        f"{x} + {factor(times)}·{factor(delta)} = {end}",
        rf"{tex(x)} + {brackets(times)} \cdot {brackets(delta)} = {tex(end)}",
    )


def _hide(_: Operands, result: float, write: Write) -> tuple[str, str]:
    said = "hidden" if result else "may be seen"
    return f"{said}: {write(result)}", rf"\text{{{said}: }} {tex(write(result))}"


EXPRESSIONS: dict[str, Expression] = {
    "input": _given,
    "dot": _dot,
    "scale": _scale,
    "softcap": _softcap,
    "mask": _mask,
    "hide": _hide,
    "softmax": _softmax,
    "add": _sum,
    "sum": _sum,
    "concat": _copy,
    "copy": _copy,
    "add_scaled": _add_scaled,
    "mean": expressions_of_norms.mean,
    "mean_square": expressions_of_norms.mean_square,
    "variance": expressions_of_norms.variance,
    "normalise": expressions_of_norms.normalise,
    "affine": expressions_of_norms.affine,
}
