"""Where formulas are tried: points that depend on what is asked alone, for all time."""

from collections.abc import Sequence
from hashlib import shake_256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.engine.grading.formulas.tree import Node
from service.engine.grading.formulas.values import Values, values
from service.engine.trace import Array

N_POINTS = 48
LEAST_POINTS = 12
"""A formula is not compared if it has values at fewer points than this."""

_LEAST_SHARE = 0.9


Booleans = NDArray[np.bool_]


class Span(NamedTuple):
    """A variable, and the values that it is tried with."""

    name: str
    lowest: float
    highest: float


def points(spans: Sequence[Span], salt: str) -> dict[str, Array]:
    """N_POINTS values for each variable, evenly spread by a hash of all and of salt.

    The key as salt makes them unknown to who does not know it, so that no formula can be made to
    agree there only.
    """
    digest = shake_256(repr((salt, *spans)).encode()).digest(8 * N_POINTS * len(spans))
    drawn = np.frombuffer(digest, dtype="<u8").reshape(len(spans), N_POINTS) / 2.0**64
    return {
        span.name: span.lowest * (1 - share) + span.highest * share
        for span, share in zip(spans, drawn, strict=True)
    }


class Sampled(NamedTuple):
    """A key's points, its values there, how large they are, and where they can be used."""

    points: dict[str, Array]
    values: Values
    size: Array
    usable: Booleans


def sampled(key: Node, spans: Sequence[Span], salt: str, tolerance: float) -> Sampled:
    """The key at its points. size is |key|, at least its median: 1 for a key that is 0 there."""
    where = points(spans, salt)
    found = values(key, where)
    sizes = np.abs(found.value)
    defined = sizes[np.isfinite(sizes)]
    typical = float(np.median(defined)) if defined.size else 1.0
    size = np.fmax(sizes, typical or 1.0)
    return Sampled(where, found, size, _is_sure(found, size, tolerance))


def is_enough(key: Sampled) -> bool:
    """True if the key has values at enough points."""
    return int(key.usable.sum()) >= LEAST_POINTS


def agrees(key: Sampled, answer: Node, tolerance: float) -> bool | None:
    """Does the answer have the key's values? None if it has no values at all.

    |answer − key| <= tolerance · |key| + what rounding may have done, at every point where both are
    defined and rounding did not do more than the tolerance; that has to be most of the key's.
    """
    found = values(answer, key.points)
    both = key.usable & _is_sure(found, key.size, tolerance)
    if not both.any():
        return None
    if both.sum() < max(LEAST_POINTS, _LEAST_SHARE * key.usable.sum()):
        return False
    apart = np.abs(found.value - key.values.value)
    allowed = tolerance * np.abs(key.values.value) + found.error + key.values.error
    return bool((apart[both] <= allowed[both]).all())


def _is_sure(found: Values, size: Array, tolerance: float) -> Booleans:
    is_sure: Booleans = np.isfinite(found.value) & (found.error <= tolerance * size)
    return is_sure
