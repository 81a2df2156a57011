"""Each operation of the engine on spans, by the name that a step's rule has for it."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from service.engine.grading.tolerances.spans import (
    BLOCKED,
    Span,
    approximately,
    cosine,
    dot,
    just,
    minus,
    product,
    quotient,
    rising,
    sine,
    square,
    total,
)


class Spans(NamedTuple):
    """What a cell is made from: for each read its cells, and which read a name is.

    place: the row and column of the cell itself.
    """

    values: list[list[Span]]
    places: dict[str, int]
    constants: Mapping[str, float]
    place: tuple[int, int]

    def one(self, read: int) -> Span:
        """The only cell of a read."""
        return self.values[read][0]


def _dot(of: Spans) -> Span:
    return dot(of.values[0], of.values[1])


def _linear(of: Spans) -> Span:
    return total([_dot(of), of.one(2)])


def _scale(of: Spans) -> Span:
    score = of.one(0)
    if score == BLOCKED:
        return BLOCKED
    if of.constants.get("by_width", 0):
        return quotient(score, rising(math.sqrt, just(of.constants["d_k"])))
    return product(just(of.constants["scale"]), score)


def _softcap(of: Spans) -> Span:
    cap = just(of.constants["softcap"])
    return product(cap, rising(math.tanh, quotient(of.one(0), cap)))


def _mask(of: Spans) -> Span:
    score = of.one(0)
    return total([score, of.one(of.places["bias"])]) if "bias" in of.places else score


def _softmax(of: Spans) -> Span:
    """Its own score up and the others down is the most that a weight can be."""
    row, j = of.values[0], of.place[1]
    if row[j] == BLOCKED:
        nothing_seen = "fully_masked" in of.constants and all(score == BLOCKED for score in row)
        return just(1 / len(row) if nothing_seen else 0.0)
    over = of.constants.get("temperature", 1.0)
    others = [score for k, score in enumerate(row) if k != j]
    most = math.fsum(math.exp((score.lowest - row[j].highest) / over) for score in others)
    least = math.fsum(math.exp((score.highest - row[j].lowest) / over) for score in others)
    return approximately(1 / (1 + least), 1 / (1 + most))


def _sum(of: Spans) -> Span:
    return total(x for read in of.values for x in read)


def _add_scaled(of: Spans) -> Span:
    return total([of.one(0), product(just(of.constants["factor"]), of.one(1))])


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


def _wave(of: Spans) -> Span:
    pair, is_cosine = divmod(of.place[1], 2)
    angle = of.values[0][pair]
    return cosine(angle) if is_cosine else sine(angle)


def _rotate(of: Spans) -> Span:
    x, angles = of.values
    place, dims = of.place[1], int(of.constants["dims"])
    if place >= dims:
        return x[place]
    half = dims // 2
    if of.constants["half_split"]:
        pair, is_second = place % half, place >= half
        first, second = pair, pair + half
    else:
        pair, is_second = place // 2, bool(place % 2)
        first, second = 2 * pair, 2 * pair + 1
    a, b, angle = x[first], x[second], angles[pair]
    if is_second:
        return total([product(a, sine(angle)), product(b, cosine(angle))])
    return minus(product(a, cosine(angle)), product(b, sine(angle)))


OPERATIONS: dict[str, Callable[[Spans], Span]] = {
    "dot": _dot,
    "linear": _linear,
    "multiply": _dot,
    "scale": _scale,
    "softcap": _softcap,
    "mask": _mask,
    "softmax": _softmax,
    "add": _sum,
    "sum": _sum,
    "add_scaled": _add_scaled,
    "mean": _mean,
    "mean_square": _mean_square,
    "variance": _variance,
    "normalise": _normalise,
    "affine": _affine,
    "relu": _relu,
    "wave": _wave,
    "rotate": _rotate,
    # where their derivatives are 0
    "gelu": _dips(_gelu, -0.7517915246935645),
    "gelu_tanh": _dips(_gelu_tanh, -0.7524614220710162),
    "silu": _dips(_silu, -1.2784645427610738),
}

COPIES = frozenset({"concat", "copy", "lookup"})
"""Operations that write a number down as it stands, which rounds nothing."""

KNOWN = frozenset({"input", "hide", "frequency", "slope", "distance"})
"""Operations on what is given exactly: the cell of the trace is the value."""
