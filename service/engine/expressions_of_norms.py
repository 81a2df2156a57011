"""The operations of add & norm written out with numbers."""

from service.engine.notation import Operands, Write, brackets, factor, tex


def mean(of: Operands, result: float, write: Write) -> tuple[str, str]:
    terms = [write(x) for x in of.values[0]]
    text = " + ".join([terms[0], *map(factor, terms[1:])])
    latex = " + ".join([tex(terms[0]), *map(brackets, terms[1:])])
    n, end = len(terms), write(result)
    return f"({text}) / {n} = {end}", rf"\frac{{{latex}}}{{{n}}} = {tex(end)}"


def mean_square(of: Operands, result: float, write: Write) -> tuple[str, str]:
    terms = [write(x) for x in of.values[0]]
    text = " + ".join(f"{factor(x)}^2" for x in terms)
    latex = " + ".join(f"{brackets(x)}^2" for x in terms)
    n, end = len(terms), write(result)
    return f"({text}) / {n} = {end}", rf"\frac{{{latex}}}{{{n}}} = {tex(end)}"


def variance(of: Operands, result: float, write: Write) -> tuple[str, str]:
    mean, n, end = write(of.one(1)), len(of.values[0]), write(result)
    terms = [write(x) for x in of.values[0]]
    text = " + ".join(f"({x} - {factor(mean)})^2" for x in terms)
    latex = " + ".join(f"({tex(x)} - {brackets(mean)})^2" for x in terms)
    return f"({text}) / {n} = {end}", rf"\frac{{{latex}}}{{{n}}} = {tex(end)}"


def normalise(of: Operands, result: float, write: Write) -> tuple[str, str]:
    x, eps, end = write(of.one(0)), write(of.constants["eps"]), write(result)
    spread = write(of.one(len(of.values) - 1))
    top, latex = x, tex(x)
    if "mean" in of.places:
        mean = write(of.one(of.places["mean"]))
        top, latex = f"({x} - {factor(mean)})", f"{tex(x)} - {brackets(mean)}"
    return (
        f"{top} / √({spread} + {eps}) = {end}",
        rf"\frac{{{latex}}}{{\sqrt{{{tex(spread)} + {tex(eps)}}}}} = {tex(end)}",
    )


def affine(of: Operands, result: float, write: Write) -> tuple[str, str]:
    text = write(of.one(0))
    latex, end = tex(text), write(result)
    if "gamma" in of.places:
        gamma = write(of.one(of.places["gamma"]))
        latex = rf"{brackets(gamma)} \cdot {brackets(text)}"
        text = f"{factor(gamma)}·{factor(text)}"
    if "beta" in of.places:
        beta = write(of.one(of.places["beta"]))
        text, latex = f"{text} + {factor(beta)}", f"{latex} + {brackets(beta)}"
    return f"{text} = {end}", f"{latex} = {tex(end)}"
