"""Positions as rules. Sources: Vaswani et al. 2017, section 3.5 (sinusoidal); Su et al. 2021
(RoFormer), sections 3.2 and 3.4.2 (rotary); Press et al. 2022 (ALiBi), section 3."""

from dataclasses import replace
from functools import cache

from service.engine.trace import ANY, UNIT, Read, Rule, given

TOKEN_UNIT = ("token", UNIT)
X = given("x", "x", "Vectors", ("token", "d_model"))
POSITIONS = given("positions", "p", "Positions, counted from 0", TOKEN_UNIT)

_FREQUENCY = r"\theta_i = \mathrm{base}^{-2i/d}"
FREQUENCIES = Rule(
    "frequencies",
    "Frequencies: one for each pair of dimensions",
    r"\theta",
    _FREQUENCY,
    _FREQUENCY,
    "frequency",
    (UNIT, "pair"),
)


@cache
def angles(name: str, token: str, positions: str) -> Rule:
    """p θ: each position times each frequency."""
    return Rule(
        name,
        "Angles: position times frequency",
        r"\alpha",
        r"\alpha_{pi} = p\,\theta_i",
        r"\alpha_{ip} = p\,\theta_i",
        "dot",
        (token, "pair"),
        (Read(positions, (token, UNIT)), Read("frequencies", (UNIT, "pair"))),
    )


ENCODING = Rule(
    "encoding",
    "Positional encoding: a sine and a cosine for each pair",
    "PE",
    r"PE_{p,2i} = \sin \alpha_{pi}, \quad PE_{p,2i+1} = \cos \alpha_{pi}",
    r"PE_{2i,p} = \sin \alpha_{ip}, \quad PE_{2i+1,p} = \cos \alpha_{ip}",
    "wave",
    ("token", "d_model"),
    (Read("angles", ("token", ANY)),),
)
ADDED = Rule(
    "output",
    "Output: the encoding added to the vectors",
    "y",
    "y = x + PE",
    "y = x + PE",
    "add",
    ("token", "d_model"),
    (Read("x", ("token", "d_model")), Read("encoding", ("token", "d_model"))),
)

_TURN = (
    r"(a\cos\alpha - b\sin\alpha,\; a\sin\alpha + b\cos\alpha)"
    r" \text{{ for each pair }} (a, b) \text{{ of }} {source}"
)


@cache
def rotated(name: str, source: str, token: str, width: str, angles_name: str) -> Rule:
    """Each pair of dimensions turned by its angle."""
    symbol = rf"{source}'"
    formula = rf"{symbol} = " + _TURN.format(source=source)
    return Rule(
        name,
        f"{source}, each pair turned by its angle",
        symbol,
        formula,
        formula,
        "rotate",
        (token, width),
        (Read(source, (token, ANY)), Read(angles_name, (token, ANY))),
    )


_SLOPE = r"m_h \text{ of a geometric series}"
SLOPES = Rule("slopes", "Slopes: one for each head", "m", _SLOPE, _SLOPE, "slope", ("head", UNIT))
ALIBI = Rule(
    "alibi",
    "ALiBi: the further away, the lower",
    r"B_\mathrm{ALiBi}",
    r"B_{\mathrm{ALiBi},ij} = -m\,|p_i - p_j|",
    r"B_{\mathrm{ALiBi},ji} = -m\,|p_i - p_j|",
    "distance",
    ("query", "key"),
)


@cache
def alibi_of(head: int) -> Rule:
    """The bias of one head of several, counted from 1."""
    return replace(ALIBI, name=f"alibi_{head}", symbol=f"B_{{{head}}}")


@cache
def positions_of(token: str) -> Rule:
    """The positions of queries or of keys."""
    return given(f"{token}_positions", f"p_\\mathrm{{{token}}}", "Positions", (token, UNIT))
