"""The lecture's eleven steps as rules: names, formulas and where each cell comes from.

Source: Vaswani et al. 2017, section 3.2.1; soft-capping: Gemma Team 2024 (Gemma 2), section 2.
"""

from dataclasses import replace
from functools import cache

from service.engine.projection import OUT_IN
from service.engine.trace import ANY, UNIT, Read, Rule, given

QUERY_KEY = ("query", "key")

X = given("X", "X", "Embeddings", ("query", "d_model"))
CONTEXT = given("context", r"X_\mathrm{context}", "Context embeddings", ("key", "d_context"))
Q = given("Q", "Q", "Queries", ("query", "d_k"))
K = given("K", "K", "Keys", ("key", "d_k"))
V = given("V", "V", "Values", ("key", "d_v"))


@cache
def scores(q: Rule, k: Rule) -> Rule:
    """Q Kᵀ, of the queries and keys as they are, or rotated."""
    return Rule(
        "scores",
        "Scores: how well each query matches each key",
        "S",
        rf"S = {q.symbol} {_transposed(k.symbol)}",
        rf"S = {_transposed(k.symbol)} {q.symbol}",
        "dot",
        QUERY_KEY,
        (Read(q.name, ("query", "d_k")), Read(k.name, ("key", "d_k"))),
    )


def _transposed(symbol: str) -> str:
    return rf"{symbol[:-1]}'^\top" if symbol.endswith("'") else rf"{symbol}^\top"


SCORES = scores(Q, K)

_SCALED = ("scaled", "Scaled scores", r"\tilde S")
_OF_SCORES = (Read("scores", QUERY_KEY),)
_BY_WIDTH = r"\tilde S = S / \sqrt{d_k}"
_BY_FACTOR = r"\tilde S = \mathrm{scale} \cdot S"
SCALED = Rule(*_SCALED, _BY_WIDTH, _BY_WIDTH, "scale", QUERY_KEY, _OF_SCORES)
SCALED_BY = Rule(*_SCALED, _BY_FACTOR, _BY_FACTOR, "scale", QUERY_KEY, _OF_SCORES)

_SCORES = {"scaled": r"\tilde S", "capped": "C", "biased": r"\hat S", "scores": "S"}

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
def biased(source: str) -> Rule:
    """Scores with ALiBi added, after soft-capping as any bias is."""
    formula = rf"\hat S = {_SCORES[source]} + B_\mathrm{{ALiBi}}"
    reads = (Read(source, QUERY_KEY), Read("alibi", QUERY_KEY))
    return Rule(
        "biased", "Scores with ALiBi added", r"\hat S", formula, formula, "add", QUERY_KEY, reads
    )


@cache
def masked(source: str, parts: tuple[Read, ...]) -> Rule:
    """The scores that may be seen, −∞ elsewhere; reads the mask's own matrices too."""
    symbol = _SCORES[source]
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

_UNIFORM = r", \text{ or } 1/n_k \text{ if } i \text{ may see nothing}"
WEIGHTS_OR_UNIFORM = replace(
    WEIGHTS,
    formula=WEIGHTS.formula + _UNIFORM,
    formula_columns=WEIGHTS.formula_columns + _UNIFORM,
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
def projected(
    name: str, source: str, weight: str, layout: str, token: str, dims: str, bias: str = ""
) -> Rule:
    """The product of token vectors and a weight matrix, plus a bias; `dims` is "d_in d_out"."""
    d_in, d_out = dims.split()
    x = _SYMBOLS[source]
    symbol = _SYMBOLS.get(name, name)
    rows = rf"{x} {weight}^\top" if layout == OUT_IN else f"{x} {weight}"
    columns = f"{weight} {x}" if layout == OUT_IN else rf"{weight}^\top {x}"
    plus = f" + {bias}" if bias else ""
    reads = (Read(source, (token, d_in)), Read(weight, weight_axes(layout, d_out, d_in)))
    return Rule(
        name,
        _TITLES[name],
        symbol,
        f"{symbol} = {rows}{plus}",
        f"{symbol} = {columns}{plus}",
        "linear" if bias else "dot",
        (token, d_out),
        (*reads, Read(bias, (UNIT, d_out))) if bias else reads,
    )


@cache
def weight(name: str, layout: str, d_out: str, d_in: str) -> Rule:
    """The rule of a given weight matrix."""
    return given(name, name, f"Weight matrix {name}", weight_axes(layout, d_out, d_in))


@cache
def bias(name: str, d_out: str) -> Rule:
    """The rule of a given bias: one row, added to that of every token."""
    return given(name, name, f"Bias {name}", (UNIT, d_out))
