"""The stages of one attention head, from Q to the update; several heads have them by prefix."""

import math
from collections.abc import Callable, Collection
from fractions import Fraction

import numpy as np

from service.engine import sight
from service.engine.grading.exercises.exercise import Compute, Stage, Values
from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.misconceptions import masks, weights
from service.engine.projection import OUT_IN, project
from service.engine.softmax import softmax
from service.engine.trace import Array, Step

HUNDREDTHS = Cells(Absolute(Fraction(1, 200)))
WEIGHTS = Cells(Absolute(Fraction(1, 200)), rows_sum_to_one=True, blocked_are_zero=True)

NAMES = ("Q", "K", "scores", "scaled", "masked", "weights", "V", "head", "update")

Named = Callable[[str], str]


def head_stages(steps: dict[str, Step], prefix: str = "") -> list[Stage]:
    """The stages for the steps of this prefix, in the lecture's order."""

    def of(name: str) -> str:
        """X belongs to all heads, all else to this one."""
        return name if name == "X" else prefix + name

    return [stage_of(steps[of(name)], name, of) for name in NAMES]


def stage_of(step: Step, name: str, of: Named, but: Collection[str] = ()) -> Stage:
    """The stage of this name; `of` says under which names its own exercise has the others.

    but: codes of slips that cannot happen there.
    """
    rule = WEIGHTS if name == "weights" else HUNDREDTHS
    slips = tuple((code, make(of)) for code, make in _SLIPS[name] if code not in but)
    return Stage(step, _COMPUTE[name](of), rule, slips)


def causal(scores: Array) -> Array:
    """−∞ where the key comes after the query."""
    seen, _ = sight.band(True, None, 0, scores.shape[1], 0, len(scores))
    return np.where(seen, scores, -np.inf)


def product(x: str, weight: str) -> Callable[[Named], Compute]:
    """x Wᵀ, which is W·x for each token."""

    def make(of: Named) -> Compute:
        x_name, W_name = of(x), of(weight)
        return lambda v: project(v[x_name], weight, v[W_name], OUT_IN, x, "")

    return make


def made(compute: Callable[..., Array], *names: str) -> Callable[[Named], Compute]:
    """compute of the named values."""

    def make(of: Named) -> Compute:
        if len(names) == 1:
            only = of(names[0])
            return lambda v: compute(v[only])
        places = [of(name) for name in names]
        return lambda v: compute(*[v[place] for place in places])

    return make


def scores(Q: Array, K: Array) -> Array:
    """Q Kᵀ."""
    product: Array = Q.dot(K.T)
    return product


def weigh(weights: Array, V: Array) -> Array:
    """A V."""
    product: Array = weights.dot(V)
    return product


def soft(masked: Array) -> Array:
    """softmax along each row."""
    return softmax(masked, may_be_blind=True)


def _scaled(of: Named) -> Compute:
    S, K = of("scores"), of("W_K")
    return lambda v: v[S] * (1 / math.sqrt(len(v[K])))


def _on_wrong_side(x: str, weight: str) -> tuple[str, Callable[[Named], Compute]]:
    """x W in place of x Wᵀ, where the shapes allow it."""
    return "weights_transposed", made(lambda x, W: x @ W, x, weight)


def _over_width(power: float) -> Callable[[Named], Compute]:
    return made(lambda S, W: S * len(W) ** power, "scores", "W_K")


_COMPUTE: dict[str, Callable[[Named], Compute]] = {
    "Q": product("X", "W_Q"),
    "K": product("X", "W_K"),
    "scores": made(scores, "Q", "K"),
    "scaled": _scaled,
    "masked": made(causal, "scaled"),
    "weights": made(soft, "masked"),
    "V": product("X", "W_V"),
    "head": made(weigh, "weights", "V"),
    "update": product("head", "W_O"),
}

_SLIPS: dict[str, tuple[tuple[str, Callable[[Named], Compute]], ...]] = {
    "Q": (_on_wrong_side("X", "W_Q"), ("keys_as_queries", product("X", "W_K"))),
    "K": (_on_wrong_side("X", "W_K"), ("keys_as_queries", product("X", "W_Q"))),
    "scores": (
        ("keys_as_queries", made(lambda Q, K: K @ Q.T, "Q", "K")),
        ("projections_forgotten", made(lambda X: X @ X.T, "X")),
    ),
    "scaled": (
        ("no_scaling", made(lambda S: S, "scores")),
        ("divided_by_d_k", _over_width(-1)),
        ("multiplied_by_root", _over_width(0.5)),
    ),
    "masked": (
        ("mask_forgotten", made(lambda S: S, "scaled")),
        ("mask_reversed", made(masks.reversed_mask, "scaled")),
        ("mask_hides_itself", made(masks.hides_itself, "scaled")),
        ("mask_as_zero", made(masks.as_zero, "scaled")),
        ("no_scaling", made(causal, "scores")),
    ),
    "weights": (
        ("softmax_down_columns", made(weights.softmax_down_columns, "masked")),
        ("no_exponential", made(weights.no_exponential, "masked")),
        ("no_normalisation", made(weights.no_normalisation, "masked")),
        ("base_two", made(weights.base_two, "masked")),
        ("mask_after_softmax", made(weights.mask_after_softmax, "masked", "scaled")),
        ("mask_as_zero", made(weights.mask_as_zero, "masked")),
        ("mask_forgotten", made(soft, "scaled")),
        ("no_scaling", made(lambda S: soft(causal(S)), "scores")),
    ),
    "V": (_on_wrong_side("X", "W_V"), ("keys_as_values", product("X", "W_K"))),
    "head": (
        ("values_forgotten", made(weigh, "weights", "X")),
        ("columns_of_weights", made(lambda A, V: A.T @ V, "weights", "V")),
    ),
    "update": (
        _on_wrong_side("head", "W_O"),
        ("no_output_matrix", made(lambda H: H, "head")),
        ("values_forgotten", made(weigh, "weights", "X")),
    ),
}


def output_stage(step: Step, *more: tuple[str, Compute]) -> Stage:
    """X + Δ."""

    def added(v: Values) -> Array:
        return v["X"] + v["update"]

    slips: tuple[tuple[str, Compute], ...] = (
        ("residual_forgotten", lambda v: v["update"]),
        ("update_only", lambda v: v["X"]),
        ("update_subtracted", lambda v: v["X"] - v["update"]),
    )
    return Stage(step, added, HUNDREDTHS, (*slips, *more))
