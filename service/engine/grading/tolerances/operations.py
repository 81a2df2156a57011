"""Each operation of the engine on spans, by the name that a step's rule has for it."""

import math
from collections.abc import Callable

from service.engine.grading.tolerances.made_from import Spans
from service.engine.grading.tolerances.operations_of_blocks import OPERATIONS_OF_BLOCKS
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
    total,
)


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
    "wave": _wave,
    "rotate": _rotate,
    **OPERATIONS_OF_BLOCKS,
}

COPIES = frozenset({"concat", "copy", "lookup"})
"""Operations that write a number down as it stands, which rounds nothing."""

KNOWN = frozenset({"input", "hide", "frequency", "slope", "distance"})
"""Operations on what is given exactly: the cell of the trace is the value."""
