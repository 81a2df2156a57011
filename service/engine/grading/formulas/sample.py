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
    """A formula's values, and where rounding has left them sure."""

    values: Values
    usable: Booleans


def sampled(node: Node, where: dict[str, Array], tolerance: float) -> Sampled:
    """A formula at these points."""
    found = values(node, where)
    return Sampled(found, sure(found, tolerance))


def is_enough(key: Sampled) -> bool:
    """True if the key has values at enough points."""
    return int(key.usable.sum()) >= LEAST_POINTS


def agrees(key: Sampled, answer: Sampled, tolerance: float) -> bool:
    """Are these the same values, at the same points?

    |answer − key| <= tolerance · |key| + what rounding may have done, at every point where both are
    sure; that has to be most of the key's.
    """
    both = key.usable & answer.usable
    if both.sum() < max(LEAST_POINTS, _LEAST_SHARE * key.usable.sum()):
        return False
    (value, error), (due, due_error) = answer.values, key.values
    apart = np.abs(value - due)
    allowed = tolerance * np.abs(due) + error + due_error
    return bool((apart[both] <= allowed[both]).all())


def sure(found: Values, tolerance: float) -> Booleans:
    """Where a formula has values of which rounding left enough.

    That is seen from it alone: its error is within the tolerance of its size, which is at least the
    median of its sizes, or 1 if it is 0 there. Beside another's size, it would tell that one.
    """
    sizes = np.abs(found.value)
    defined = sizes[np.isfinite(sizes)]
    typical = float(np.median(defined)) if defined.size else 1.0
    is_sure: Booleans = np.isfinite(found.value) & (
        found.error <= tolerance * np.fmax(sizes, typical or 1.0)
    )
    return is_sure
