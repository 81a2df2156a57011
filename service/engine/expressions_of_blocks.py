"""The activations of an MLP written out with numbers."""

from service.engine.notation import Operands, Write, brackets, factor, tex


def relu(of: Operands, result: float, write: Write) -> tuple[str, str]:
    x, end = write(of.one(0)), write(result)
    return f"max(0, {x}) = {end}", rf"\max\left(0, {tex(x)}\right) = {tex(end)}"


def gelu(of: Operands, result: float, write: Write) -> tuple[str, str]:
    x, end = write(of.one(0)), write(result)
    return (
        f"{factor(x)}·(1 + erf({x} / √2)) / 2 = {end}",
        rf"\frac{{{tex(x)}}}{{2}} \cdot \left(1 + \operatorname{{erf}}\left("
        rf"\frac{{{tex(x)}}}{{\sqrt{{2}}}}\right)\right) = {tex(end)}",
    )


def gelu_tanh(of: Operands, result: float, write: Write) -> tuple[str, str]:
    x, end = write(of.one(0)), write(result)
    return (
        f"{factor(x)}·(1 + tanh(√(2 / π)·({x} + 0.044715·{factor(x)}^3))) / 2 = {end}",
        rf"\frac{{{tex(x)}}}{{2}} \cdot \left(1 + \tanh\left(\sqrt{{2 / \pi}} \cdot"
        rf" \left({tex(x)} + 0.044715 \cdot {brackets(x)}^3\right)\right)\right) = {tex(end)}",
    )


def silu(of: Operands, result: float, write: Write) -> tuple[str, str]:
    x, end = write(of.one(0)), write(result)
    minus = x[1:] if x.startswith("-") else f"-{x}"
    return (
        f"{x} / (1 + e^({minus})) = {end}",
        rf"\frac{{{tex(x)}}}{{1 + e^{{{tex(minus)}}}}} = {tex(end)}",
    )
