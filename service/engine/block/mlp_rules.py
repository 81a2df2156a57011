"""The MLP as rules. Sources: Vaswani et al. 2017, section 3.3; Shazeer 2020 (gated)."""

from functools import cache

from service.engine.attention_rules import weight_axes
from service.engine.projection import OUT_IN, bias_of
from service.engine.trace import UNIT, Read, Rule, given

TOKEN_FF = ("token", "d_ff")
TOKEN_MODEL = ("token", "d_model")

_TITLES = {
    "up": "Up: each token widened to d_ff numbers",
    "gate": "Gate: what decides how much passes",
    "update": "Update: mapped back to d_model numbers",
}
_SYMBOLS = {"x": "x", "up": "U", "gate": "G", "activated": "F", "gated": "F", "update": r"\Delta"}


def _of(letter: str, name: str) -> str:
    return rf"{letter}_\mathrm{{{name[2:]}}}"


@cache
def weight(name: str, layout: str, d_out: str, d_in: str) -> Rule:
    """The rule of a given matrix."""
    axes = weight_axes(layout, d_out, d_in)
    return given(name, _of("W", name), f"Weight matrix {name}", axes)


@cache
def bias(name: str, d_out: str) -> Rule:
    """The rule of a given bias."""
    return given(name, _of("b", name), f"Bias {name}", (UNIT, d_out))


@cache
def linear(name: str, source: str, W: str, layout: str, dims: str, with_bias: bool) -> Rule:
    """x W + b, or x W; `dims` is "d_in d_out"."""
    d_in, d_out = dims.split()
    x, symbol, matrix = _SYMBOLS[source], _SYMBOLS[name], _of("W", W)
    rows = rf"{x} {matrix}^\top" if layout == OUT_IN else f"{x} {matrix}"
    columns = f"{matrix} {x}" if layout == OUT_IN else rf"{matrix}^\top {x}"
    plus = f" + {_of('b', W)}" if with_bias else ""
    reads = [Read(source, ("token", d_in)), Read(W, weight_axes(layout, d_out, d_in))]
    if with_bias:
        reads.append(Read(bias_of(W), (UNIT, d_out)))
    return Rule(
        name,
        _TITLES[name],
        symbol,
        f"{symbol} = {rows}{plus}",
        f"{symbol} = {columns}{plus}",
        "linear" if with_bias else "dot",
        ("token", d_out),
        tuple(reads),
    )


_FORMULAS = {
    "relu": r"\max(0, {x})",
    "gelu": r"\frac{{{x}}}{{2}} \left(1 + \operatorname{{erf}}\frac{{{x}}}{{\sqrt{{2}}}}\right)",
    "gelu_tanh": (
        r"\frac{{{x}}}{{2}} \left(1 + \tanh\left(\sqrt{{2/\pi}}"
        r" \left({x} + 0.044715\, {x}^3\right)\right)\right)"
    ),
    "silu": r"\frac{{{x}}}{{1 + e^{{-{x}}}}}",
}
_ACTIVATED = {
    "relu": "Activated: what is negative becomes 0",
    "gelu": "Activated: GELU",
    "gelu_tanh": "Activated: GELU by tanh",
    "silu": "Activated: SiLU of the gate",
}


@cache
def activated(operation: str, source: str) -> Rule:
    """The activation of each cell, in the formula of one cell."""
    symbol = r"\sigma" if source == "gate" else "F"
    rows = _FORMULAS[operation].format(x=_SYMBOLS[source] + "_{ij}")
    return Rule(
        "activated",
        _ACTIVATED[operation],
        symbol,
        rf"{symbol}_{{ij}} = {rows}",
        rf"{symbol}_{{ji}} = {rows}".replace("_{ij}", "_{ji}"),
        operation,
        TOKEN_FF,
        (Read(source, TOKEN_FF),),
    )


_GATED = r"F = \sigma \odot U"
GATED = Rule(
    "gated",
    "Gated: what the gate lets pass",
    "F",
    _GATED,
    _GATED,
    "multiply",
    TOKEN_FF,
    (Read("activated", TOKEN_FF), Read("up", TOKEN_FF)),
)
