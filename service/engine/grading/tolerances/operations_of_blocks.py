"""The operations of norms and of the MLP on spans, by the name that a step's rule has for it."""

import math
from collections.abc import Callable

from service.engine.grading.tolerances.made_from import Spans
from service.engine.grading.tolerances.spans import (
    Span,
    approximately,
    just,
    minus,
    product,
    quotient,
    rising,
    square,
    total,
)


def _mean(of: Spans) -> Span:
    return quotient(total(of.values[0]), just(float(len(of.values[0]))))


def _mean_square(of: Spans) -> Span:
    return quotient(total(map(square, of.values[0])), just(float(len(of.values[0]))))


def _variance(of: Spans) -> Span:
    mean = of.one(1)
    deviations = [square(minus(x, mean)) for x in of.values[0]]
    return quotient(total(deviations), just(float(len(deviations))))


def _normalise(of: Spans) -> Span:
    deviation = of.one(0)
    if "mean" in of.places:
        deviation = minus(deviation, of.one(of.places["mean"]))
    lowest, highest = total([of.one(len(of.values) - 1), just(of.constants["eps"])])
    # No variance is below 0, however its rounded parts fall.
    spread = Span(max(lowest, of.constants["eps"]), highest)
    return quotient(deviation, rising(math.sqrt, spread))


def _affine(of: Spans) -> Span:
    x = of.one(0)
    if "gamma" in of.places:
        x = product(of.one(of.places["gamma"]), x)
    return total([x, of.one(of.places["beta"])]) if "beta" in of.places else x


def _relu(of: Spans) -> Span:
    x = of.one(0)
    return Span(max(0.0, x.lowest), max(0.0, x.highest))


def _dips(f: Callable[[float], float], at: float) -> Callable[[Spans], Span]:
    """An f that falls up to `at`, its least value, and rises from there."""

    def of_span(of: Spans) -> Span:
        x = of.one(0)
        ends = [f(x.lowest), f(x.highest)]
        if x.lowest <= at <= x.highest:
            ends.append(f(at))
        return approximately(min(ends), max(ends))

    return of_span


def _gelu(x: float) -> float:
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def _gelu_tanh(x: float) -> float:
    return x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2


def _silu(x: float) -> float:
    return x / (1 + math.exp(-x)) if x > -700 else 0.0


OPERATIONS_OF_BLOCKS: dict[str, Callable[[Spans], Span]] = {
    "mean": _mean,
    "mean_square": _mean_square,
    "variance": _variance,
    "normalise": _normalise,
    "affine": _affine,
    "relu": _relu,
    # where their derivatives are 0
    "gelu": _dips(_gelu, -0.7517915246935645),
    "gelu_tanh": _dips(_gelu_tanh, -0.7524614220710162),
    "silu": _dips(_silu, -1.2784645427610738),
}
