"""Add & norm, and norm before the sublayer: sum, mean, variance, normalised, and what follows."""

from collections.abc import Callable

import numpy as np

from service.engine.grading.exercises.drawn import drawn
from service.engine.grading.exercises.exercise import Compute, Exercise, Stage, Values
from service.engine.grading.exercises.head_stages import HUNDREDTHS
from service.engine.grading.misconceptions import norms
from service.engine.grading.questions.chapters import NORMS
from service.engine.layernorm import EPS, layernorm, stretch
from service.engine.trace import Array, Step, Trace

_OWN = {
    "x": ((1, 2, 3, 4, 5),),
    "delta": ((1, -1, 0, 1, -1),),
    "gamma": ((2, 1, 1, 1, 3),),
    "beta": ((0, 1, 0, -1, 0),),
}


def add_and_norm(seed: int | None = None) -> Exercise:
    """LayerNorm(x + Δ), five numbers."""
    trace = _trace(seed, "post")
    steps = {step.rule.name: step for step in trace.steps}
    return _exercise(
        trace,
        "add-and-norm",
        "Add and norm, step by step",
        "A sublayer answers the vector $x$ with $\\Delta$. Add and norm as the original "
        "transformer does, with the norm after the sum: $\\mathrm{LayerNorm}(x + \\Delta)$, with "
        "the gain $\\gamma$ and the bias $\\beta$.",
        "The sum comes first. Its mean is taken off, the rest is divided by the root of the "
        "variance, and only then $\\gamma$ and $\\beta$ give each place a scale and a start.",
        (
            _sum_stage(steps["sum"]),
            *_norm_stages(steps, "sum", ("norm_before_add", lambda v: v["x"])),
            _affine_stage(steps["output"]),
        ),
    )


def norm_and_add(seed: int | None = None) -> Exercise:
    """x + Δ, where the sublayer was given LayerNorm(x)."""
    trace = _trace(seed, "pre")
    steps = {step.rule.name: step for step in trace.steps}
    return _exercise(
        trace,
        "norm-and-add",
        "Norm before the sublayer, step by step",
        "In GPT-2 and GPT-3 the norm comes before the sublayer: it is given "
        "$\\mathrm{LayerNorm}(x)$, with the gain $\\gamma$ and the bias $\\beta$. Here it answers "
        "with $\\Delta$. Work out what the sublayer is given, and what $x$ becomes.",
        "The norm is taken of $x$ alone, for the sublayer to read. Its answer is added to $x$ "
        "itself, which no norm has touched.",
        (
            *_norm_stages(steps, "x", ("norm_after_add", lambda v: v["x"] + v["delta"])),
            _affine_stage(steps["sublayer_input"]),
            _sum_stage(steps["sum"], ("added_to_norm", lambda v: v["sublayer_input"] + v["delta"])),
        ),
    )


def _exercise(
    trace: Trace, id: str, title: str, prompt: str, explanation: str, stages: tuple[Stage, ...]
) -> Exercise:
    names = ("x", "delta")
    return Exercise(
        id=id,
        title=title,
        chapter=NORMS,
        prompt=f"{prompt} Give the mean and the variance as one number each, and all numbers to "
        "two decimals or more.",
        givens=(*(step for step in trace.steps if step.rule.name in names), *trace.inputs),
        stages=stages,
        solution=trace,
        explanation=explanation,
        difficulty=2,
        hints=("The variance is the mean of the squared distances from the mean.",),
    )


def _trace(seed: int | None, placement: str) -> Trace:
    given = {name: np.array(rows, dtype=np.float64) for name, rows in _OWN.items()}
    if seed:
        given = _drawn(seed, placement)
    return layernorm(**given, placement=placement)  # type: ignore[arg-type]


def _drawn(seed: int, placement: str) -> dict[str, Array]:
    """Numbers that vary, with a mean that is not 0; γ and β that change something."""
    turn, x, delta = 0, np.zeros((1, 5)), np.zeros((1, 5))
    while not (_is_telling(x) and _is_telling(x + delta) and np.abs(delta).sum() > 2):
        turn += 1
        x = drawn(seed, (placement, "x", turn), (1, 5), -3, 6)
        delta = drawn(seed, (placement, "delta", turn), (1, 5), -2, 2)
    gamma = drawn(seed, (placement, "gamma"), (1, 5), 1, 3)
    beta = drawn(seed, (placement, "beta"), (1, 5), -1, 1)
    gamma[0, seed % 5], beta[0, (seed + 2) % 5] = 2.0, 1.0
    return {"x": x, "delta": delta, "gamma": gamma, "beta": beta}


def _is_telling(x: Array) -> bool:
    return bool(x.var() >= 2 and abs(x.mean()) >= 0.5)


def _sum_stage(step: Step, *more: tuple[str, Compute]) -> Stage:
    slips: tuple[tuple[str, Compute], ...] = (
        ("residual_forgotten", lambda v: v["delta"]),
        ("update_only", lambda v: v["x"]),
        ("update_subtracted", lambda v: v["x"] - v["delta"]),
    )
    return Stage(step, lambda v: v["x"] + v["delta"], HUNDREDTHS, (*slips, *more))


def _norm_stages(
    steps: dict[str, Step], source: str, elsewhere: tuple[str, Compute]
) -> tuple[Stage, ...]:
    """mean, variance and normalised of the source; `elsewhere` is what is normalised by mistake."""
    code, other = elsewhere

    def of(compute: Callable[..., Array], *names: str) -> Compute:
        return lambda v: compute(v[source], *[v[name] for name in names])

    mean = of(lambda x: x.mean(axis=1, keepdims=True))
    variance = of(_variance, "mean")
    normalised = of(_normalised, "mean", "variance")
    return (
        Stage(
            steps["mean"],
            mean,
            HUNDREDTHS,
            (
                ("sum_for_mean", of(lambda x: x.sum(axis=1, keepdims=True))),
                (code, lambda v: other(v).mean(axis=1, keepdims=True)),
            ),
        ),
        Stage(
            steps["variance"],
            variance,
            HUNDREDTHS,
            (
                ("unbiased_variance", of(norms.unbiased_variance, "mean")),
                ("mean_not_removed", of(norms.mean_of_squares)),
                ("deviation_for_variance", of(norms.deviation, "mean")),
                (code, lambda v: other(v).var(axis=1, keepdims=True)),
            ),
        ),
        Stage(
            steps["normalised"],
            normalised,
            HUNDREDTHS,
            (
                ("divided_by_variance", of(norms.divided_by_variance, "mean", "variance")),
                ("mean_not_removed", of(norms.mean_not_removed, "variance")),
                ("unbiased_variance", of(norms.unbiased_division, "mean", "variance")),
                ("deviation_forgotten", of(lambda x, mean: x - mean, "mean")),
                (code, lambda v: _normalised_alone(other(v))),
            ),
        ),
    )


def _variance(x: Array, mean: Array) -> Array:
    return np.asarray(np.mean((x - mean) ** 2, axis=1, keepdims=True))


def _normalised(x: Array, mean: Array, variance: Array) -> Array:
    return (x - mean) / np.sqrt(variance + EPS)


def _normalised_alone(x: Array) -> Array:
    mean = x.mean(axis=1, keepdims=True)
    return _normalised(x, mean, _variance(x, mean))


def _affine_stage(step: Step) -> Stage:
    def affine(v: Values) -> Array:
        return stretch(v["normalised"], v["gamma"], v["beta"])

    return Stage(
        step,
        affine,
        HUNDREDTHS,
        (
            ("gain_forgotten", lambda v: v["normalised"]),
            ("gain_forgotten", lambda v: v["normalised"] + v["beta"]),
            ("shift_forgotten", lambda v: v["normalised"] * v["gamma"]),
        ),
    )
