"""The lecture's eleven steps as rules: names, formulas and where each cell comes from.

Source: Vaswani et al. 2017, section 3.2.1; soft-capping: Gemma Team 2024 (Gemma 2), section 2.
"""

from functools import cache

from service.engine.projection import OUT_IN
from service.engine.trace import ANY, Read, Rule, given

QUERY_KEY = ("query", "key")

X = given("X", "X", "Embeddings", ("query", "d_model"))
CONTEXT = given("context", r"X_\mathrm{context}", "Context embeddings", ("key", "d_context"))
Q = given("Q", "Q", "Queries", ("query", "d_k"))
K = given("K", "K", "Keys", ("key", "d_k"))
V = given("V", "V", "Values", ("key", "d_v"))

SCORES = Rule(
    "scores",
    "Scores: how well each query matches each key",
    "S",
    r"S = Q K^\top",
    r"S = K^\top Q",
    "dot",
    QUERY_KEY,
    (Read("Q", ("query", "d_k")), Read("K", ("key", "d_k"))),
)


_SCALED = ("scaled", "Scaled scores", r"\tilde S")
_OF_SCORES = (Read("scores", QUERY_KEY),)
_BY_WIDTH = r"\tilde S = S / \sqrt{d_k}"
_BY_FACTOR = r"\tilde S = \mathrm{scale} \cdot S"
SCALED = Rule(*_SCALED, _BY_WIDTH, _BY_WIDTH, "scale", QUERY_KEY, _OF_SCORES)
SCALED_BY = Rule(*_SCALED, _BY_FACTOR, _BY_FACTOR, "scale", QUERY_KEY, _OF_SCORES)

_CAPPED = r"C = c \tanh(\tilde S / c)"
CAPPED = Rule(
    "capped",
    "Soft-capped scores",
    "C",
    _CAPPED,
    _CAPPED,
    "softcap",
    QUERY_KEY,
    (Read("scaled", QUERY_KEY),),
)


@cache
def masked(source: str, parts: tuple[Read, ...]) -> Rule:
    """The scores that may be seen, −∞ elsewhere; reads the mask's own matrices too."""
    symbol = {"scaled": r"\tilde S", "capped": "C", "scores": "S"}[source]
    bias = " + B" if any(part.name == "bias" for part in parts) else ""
    formula = (
        rf"M_{{ij}} = {symbol}_{{ij}}{bias} \text{{ if }} i \text{{ may see }} j,"
        r" \text{ else } -\infty"
    )
    columns = formula.replace("_{ij}", "_{ji}")
    reads = (Read(source, QUERY_KEY), *parts)
    return Rule("masked", "Masked scores", "M", formula, columns, "mask", QUERY_KEY, reads)


WEIGHTS = Rule(
    "weights",
    "Weights: softmax over the keys of each query",
    "A",
    r"A_{ij} = e^{M_{ij}} / \sum_{j'} e^{M_{ij'}}",
    r"A_{ji} = e^{M_{ji}} / \sum_{j'} e^{M_{j'i}}",
    "softmax",
    QUERY_KEY,
    (Read("masked", ("query", ANY)),),
)

HEAD = Rule(
    "head",
    "Head: each query's weighted sum of values",
    "H",
    "H = A V",
    "H = V A",
    "dot",
    ("query", "d_v"),
    (Read("weights", QUERY_KEY), Read("V", ("key", "d_v"))),
)

OUTPUT = Rule(
    "output",
    "Output: the update added to the embeddings",
    "Y",
    r"Y = X + \Delta",
    r"Y = X + \Delta",
    "add",
    ("query", "d_model"),
    (Read("X", ("query", "d_model")), Read("update", ("query", "d_model"))),
)

_TITLES = {"Q": "Queries", "K": "Keys", "V": "Values", "update": "Update: the head, mapped back"}
_SYMBOLS = {"X": "X", "context": r"X_\mathrm{context}", "head": "H", "update": r"\Delta"}


def weight_axes(layout: str, d_out: str, d_in: str) -> tuple[str, str]:
    """The axes of a weight matrix as the caller laid it out."""
    return (d_out, d_in) if layout == OUT_IN else (d_in, d_out)


@cache
def projected(name: str, source: str, weight: str, layout: str, token: str, dims: str) -> Rule:
    """The product of token vectors and a weight matrix; `dims` is "d_in d_out"."""
    d_in, d_out = dims.split()
    x = _SYMBOLS[source]
    symbol = _SYMBOLS.get(name, name)
    rows = rf"{x} {weight}^\top" if layout == OUT_IN else f"{x} {weight}"
    columns = f"{weight} {x}" if layout == OUT_IN else rf"{weight}^\top {x}"
    return Rule(
        name,
        _TITLES[name],
        symbol,
        f"{symbol} = {rows}",
        f"{symbol} = {columns}",
        "dot",
        (token, d_out),
        (Read(source, (token, d_in)), Read(weight, weight_axes(layout, d_out, d_in))),
    )


@cache
def weight(name: str, layout: str, d_out: str, d_in: str) -> Rule:
    """The rule of a given weight matrix."""
    return given(name, name, f"Weight matrix {name}", weight_axes(layout, d_out, d_in))
