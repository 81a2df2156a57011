"""Add & norm, step by step.

LayerNorm(x) = γ ⊙ (x − μ) / √(σ² + ε) + β, σ² the population variance of one row.
Source: Ba, Kiros & Hinton 2016, equations 3 and 4.
"""

import numpy as np

from service.engine import layernorm_rules as rules
from service.engine.counted import counted
from service.engine.errors import EngineError, ShapeError
from service.engine.labels import labels_for
from service.engine.limits import SAFE, check_finite
from service.engine.limits import norm as norm_of
from service.engine.rows import means
from service.engine.stages import stages_of, statistics
from service.engine.trace import Array, Axis, Step, Trace

EPS = 1e-5


@np.errstate(over="ignore", invalid="ignore")
def layernorm(
    x: Array,
    delta: Array | None = None,
    delta_factor: float = 1.0,
    gamma: Array | None = None,
    beta: Array | None = None,
    eps: float = EPS,
    norm: str = "layer",
    placement: str = "post",
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Trace:
    """x, delta, sum, mean, variance, normalised, output, with the statistics of each stage.

    post: output = γ ⊙ norm(x + factor · Δ) + β (the paper). pre: Δ is what the sublayer made of
    sublayer_input = γ ⊙ norm(x) + β, and output = x + factor · Δ (GPT-2). Without Δ it is the
    norm alone. rms: mean_square in place of mean and variance, and no β.
    x, delta (n, d); gamma, beta (1, d); eps > 0, inside the root.
    Raises ShapeError if they do not fit together, EngineError for β with rms, OverflowingStep.
    """
    (n, d), rms = x.shape, norm == "rms"
    if delta is not None and delta.shape != x.shape:
        raise ShapeError(
            "delta",
            f"delta is {delta.shape[0]} × {delta.shape[1]}, but x is {n} × {d}; they are added.",
        )
    check_affine(gamma, beta, d, rms)
    if delta is None and delta_factor != 1.0:
        raise EngineError("delta_factor", "delta_factor multiplies delta, and there is none.")
    affine = rules.affine("output", "Output", "y", gamma is not None, beta is not None)
    if delta is None:
        found, n_x = normalise("x", x, eps, rms)
        stretched = stretch(n_x, gamma, beta)
        steps = [Step(rules.X, x), *found, Step(affine, stretched)]
    elif placement == "post":
        adding, total = add(x, delta, delta_factor)
        found, n_x = normalise("sum", total, eps, rms)
        stretched = stretch(n_x, gamma, beta)
        steps = [Step(rules.X, x), *adding, *found, Step(affine, stretched)]
    else:
        adding, total = add(x, delta, delta_factor)
        found, n_x = normalise("x", x, eps, rms)
        stretched = stretch(n_x, gamma, beta)
        fed = rules.affine(
            "sublayer_input", "What the sublayer is given", "z", gamma is not None, beta is not None
        )
        steps = [Step(rules.X, x), *found, Step(fed, stretched), *adding]
        steps.append(Step(rules.COPIED, total))
    stages, rows = stages_of(steps)
    fits = bound(rows, stretched) < SAFE
    if not fits:
        check_finite(steps)

    axes = {
        "token": Axis(n, labels_for("tokens", tokens, n, "rows of x")),
        "d_model": Axis(d, labels_for("features", features, d, "columns of x")),
        "1": Axis(1),
    }
    conventions = {
        "norm": norm, "placement": placement, "eps": eps, "delta_factor": delta_factor,
        "variance": "population",
    }  # fmt: skip
    more = {"statistics": statistics(stages, rows, fits)}
    return Trace(axes, given_affine(gamma, beta), steps, conventions, [], more)


def check_affine(gamma: Array | None, beta: Array | None, d: int, rms: bool) -> None:
    """Raise ShapeError unless γ and β have d numbers, EngineError for β with rms."""
    for name, vector in (("gamma", gamma), ("beta", beta)):
        if vector is not None and vector.shape[1] != d:
            given = counted(vector.shape[1], "numbers")
            said = f"{name} has {given}, but x has {counted(d, 'columns')}; send {d}."
            raise ShapeError(name, said)
    if rms and beta is not None:
        raise EngineError("beta", "RMSNorm has no beta; leave it out, or set norm to layer.")


def add(x: Array, delta: Array, factor: float) -> tuple[list[Step], Array]:
    """Δ and x + factor · Δ as steps, and the sum."""
    rule = rules.added("sum", "x and what is added to it", "s", factor != 1.0)
    total = x + delta if factor == 1.0 else x + factor * delta
    return [Step(rules.DELTA, delta), Step(rule, total, None, {"factor": factor})], total


def normalise(source: str, x: Array, eps: float, rms: bool) -> tuple[list[Step], Array]:
    """mean, variance and normalised (or mean_square and normalised) of each row, in two passes."""
    rule = rules.normalised(source, rms)
    if rms:
        m = means(x * x)
        n = x / np.sqrt(m + eps)
        return [Step(rules.mean_square(source), m), Step(rule, n, None, {"eps": eps})], n
    mu = means(x)
    centred = x - mu
    centred -= means(centred)  # what rounding the mean has left over
    variance = means(centred * centred)
    n = centred / np.sqrt(variance + eps)
    steps = [Step(rules.mean(source), mu), Step(rules.variance(source), variance)]
    return [*steps, Step(rule, n, None, {"eps": eps})], n


def stretch(n: Array, gamma: Array | None, beta: Array | None) -> Array:
    """γ ⊙ n + β."""
    if gamma is not None:
        n = n * gamma
    return n if beta is None else n + beta


def given_affine(gamma: Array | None, beta: Array | None) -> list[Step]:
    """γ and β as inputs, those that there are."""
    inputs = [] if gamma is None else [Step(rules.GAMMA, gamma)]
    if beta is not None:
        inputs.append(Step(rules.BETA, beta))
    return inputs


def bound(x: Array, stretched: Array) -> float:
    """An upper bound on |cell| of x, of its statistics and of γ ⊙ n + β, which is `stretched`.

    That of n needs no look: ‖n‖² ≤ n d.
    """
    size = norm_of(x) + norm_of(stretched)
    return size * size + size
