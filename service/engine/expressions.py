"""Each operation written out with numbers: as plain text, and as LaTeX."""

import math

from service.engine import (
    expressions_of_blocks,
    expressions_of_norms,
    expressions_of_positions,
    expressions_of_quantities,
)
from service.engine.notation import Expression, Operands, Write, brackets, factor, tex

_HIDDEN = ("hidden, so -∞", r"\text{hidden, so } -\infty")


def _given(_: Operands, result: float, write: Write) -> tuple[str, str]:
    return f"given: {write(result)}", rf"\text{{given: }} {tex(write(result))}"


def _dot(of: Operands, result: float, write: Write) -> tuple[str, str]:
    pairs = [(write(a), write(b)) for a, b in zip(*of.values, strict=True)]
    text = " + ".join(f"{factor(a)}·{factor(b)}" for a, b in pairs)
    latex = " + ".join(rf"{brackets(a)} \cdot {brackets(b)}" for a, b in pairs)
    return f"{text} = {write(result)}", f"{latex} = {tex(write(result))}"


def _linear(of: Operands, result: float, write: Write) -> tuple[str, str]:
    *pairs, (bias,) = of.values
    text, latex = _dot(of._replace(values=pairs), result, write)
    plus = write(bias)
    return (
        text.replace(" = ", f" + {factor(plus)} = "),
        latex.replace(" = ", f" + {brackets(plus)} = "),
    )


def _scale(of: Operands, result: float, write: Write) -> tuple[str, str]:
    if result == -math.inf:
        return _HIDDEN
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
        return _HIDDEN
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
        due, latex = "", ""
        if "fully_masked" in of.constants:
            n = len(of.values[0])
            due, latex = f"1 / {n} = ", rf"\frac{{1}}{{{n}}} = "
        return (
            f"nothing may be seen, so {due}{end}",
            rf"\text{{nothing may be seen, so }} {latex}{tex(end)}",
        )
    over = write(of.constants.get("temperature", 1.0))
    top, top_latex = _power(write(own), over)
    terms = [_power(x, over) for x in seen]
    total, latex = (" + ".join(term[i] for term in terms) for i in (0, 1))
    return f"{top} / ({total}) = {end}", rf"\frac{{{top_latex}}}{{{latex}}} = {tex(end)}"


def _power(x: str, over: str) -> tuple[str, str]:
    """e^x, or e^(x / over) where that is not 1."""
    if over == "1":
        return f"e^{factor(x)}", f"e^{{{tex(x)}}}"
    return f"e^({x} / {over})", f"e^{{{tex(x)} / {brackets(over)}}}"


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
    "linear": _linear,
    "multiply": _dot,
    "scale": _scale,
    "softcap": _softcap,
    "mask": _mask,
    "hide": _hide,
    "softmax": _softmax,
    "add": _sum,
    "sum": _sum,
    "concat": _copy,
    "frequency": expressions_of_positions.frequency,
    "wave": expressions_of_positions.wave,
    "rotate": expressions_of_positions.rotate,
    "slope": expressions_of_positions.slope,
    "distance": expressions_of_positions.distance,
    "copy": _copy,
    "lookup": _copy,
    "relu": expressions_of_blocks.relu,
    "gelu": expressions_of_blocks.gelu,
    "gelu_tanh": expressions_of_blocks.gelu_tanh,
    "silu": expressions_of_blocks.silu,
    "add_scaled": _add_scaled,
    "mean": expressions_of_norms.mean,
    "mean_square": expressions_of_norms.mean_square,
    "variance": expressions_of_norms.variance,
    "normalise": expressions_of_norms.normalise,
    "affine": expressions_of_norms.affine,
    **expressions_of_quantities.QUANTITIES,
}
