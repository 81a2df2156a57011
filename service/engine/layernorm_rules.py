"""Add & norm as rules. Sources: Ba, Kiros & Hinton 2016, equations 3 and 4 (LayerNorm);
Zhang & Sennrich 2019, equation 4 (RMSNorm); Vaswani et al. 2017, section 3.1 (post-norm);
Radford et al. 2019, section 2.3 (pre-norm)."""

from functools import cache

from service.engine.trace import ANY, UNIT, Read, Rule, given

TOKEN_MODEL = ("token", "d_model")
TOKEN_UNIT = ("token", UNIT)
UNIT_MODEL = (UNIT, "d_model")

X = given("x", "x", "Vectors", TOKEN_MODEL)
DELTA = given("delta", r"\Delta", "What the sublayer adds", TOKEN_MODEL)
GAMMA = given("gamma", r"\gamma", "Gain", UNIT_MODEL)
BETA = given("beta", r"\beta", "Bias", UNIT_MODEL)


@cache
def added(name: str, title: str, symbol: str, factor: bool) -> Rule:
    """x + Δ, or x + factor · Δ."""
    times = r"\mathrm{factor} \cdot " if factor else ""
    formula = rf"{symbol} = x + {times}\Delta"
    reads = (Read("x", TOKEN_MODEL), Read("delta", TOKEN_MODEL))
    return Rule(name, title, symbol, formula, formula, "add_scaled", TOKEN_MODEL, reads)


_STATISTIC = {"x": "x", "sum": "s"}


@cache
def mean(source: str) -> Rule:
    """The mean of each row."""
    formula = rf"\mu_i = \frac{{1}}{{d}} \sum_j {_STATISTIC[source]}_{{ij}}"
    reads = (Read(source, ("token", ANY)),)
    return Rule("mean", "Mean of each row", r"\mu", formula, formula, "mean", TOKEN_UNIT, reads)


@cache
def variance(source: str) -> Rule:
    """The population variance of each row."""
    formula = rf"\sigma^2_i = \frac{{1}}{{d}} \sum_j ({_STATISTIC[source]}_{{ij}} - \mu_i)^2"
    reads = (Read(source, ("token", ANY)), Read("mean", TOKEN_UNIT))
    return Rule(
        "variance",
        "Population variance of each row",
        r"\sigma^2",
        formula,
        formula,
        "variance",
        TOKEN_UNIT,
        reads,
    )


@cache
def mean_square(source: str) -> Rule:
    """The mean of the squares of each row."""
    formula = rf"m_i = \frac{{1}}{{d}} \sum_j {_STATISTIC[source]}_{{ij}}^2"
    reads = (Read(source, ("token", ANY)),)
    return Rule(
        "mean_square", "Mean square of each row", "m", formula, formula, "mean_square",
        TOKEN_UNIT, reads,
    )  # fmt: skip


@cache
def normalised(source: str, rms: bool) -> Rule:
    """(x − μ) / √(σ² + ε), or x / √(m + ε)."""
    x = _STATISTIC[source]
    formula = (
        rf"n_{{ij}} = {x}_{{ij}} / \sqrt{{m_i + \varepsilon}}"
        if rms
        else rf"n_{{ij}} = ({x}_{{ij}} - \mu_i) / \sqrt{{\sigma^2_i + \varepsilon}}"
    )
    statistics = ("mean_square",) if rms else ("mean", "variance")
    reads = (Read(source, TOKEN_MODEL), *(Read(name, TOKEN_UNIT) for name in statistics))
    return Rule("normalised", "Normalised", "n", formula, formula, "normalise", TOKEN_MODEL, reads)


@cache
def affine(name: str, title: str, symbol: str, gamma: bool, beta: bool) -> Rule:
    """γ ⊙ n + β, with what there is of the two."""
    gain, bias = r"\gamma \odot " if gamma else "", r" + \beta" if beta else ""
    formula = f"{symbol} = {gain}n{bias}"
    reads = [Read("normalised", TOKEN_MODEL)]
    reads += [Read("gamma", UNIT_MODEL)] if gamma else []
    reads += [Read("beta", UNIT_MODEL)] if beta else []
    return Rule(name, title, symbol, formula, formula, "affine", TOKEN_MODEL, tuple(reads))


COPIED = Rule(
    "output",
    "Output: the sublayer's change is added last",
    "y",
    "y = s",
    "y = s",
    "copy",
    TOKEN_MODEL,
    (Read("sum", TOKEN_MODEL),),
)
