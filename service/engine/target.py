"""How near a vector comes to a target, and the weights that would bring it there."""

import math
from operator import add
from typing import Any

import numpy as np

from service.engine.errors import OverflowingStep
from service.engine.trace import Array

Vector = list[float]


UNREACHABLE = "The weights that reach the target overflow a float64. Use numbers of similar size."


def attention_weights(
    weights: Vector, tokens: list[str] | None, tolerance: float
) -> dict[str, Any]:
    """Whether these can be attention weights: none below 0, and no more than 1 together.

    What is left of 1 stays with the token itself. Raises OverflowError if their sum overflows.
    """
    total = math.fsum(weights)
    failing = []
    for i, w in enumerate(weights):
        if w < -tolerance:
            name = f"{i} ({tokens[i]})" if tokens else str(i)
            message = f"Weight {name} is {w:.6g}; an attention weight is at least 0."
            failing.append({"code": "negative_weight", "message": message})
    if total > 1.0 + tolerance:
        message = f"The weights sum to {total:.6g}; attention weights sum to at most 1."
        failing.append({"code": "sum_above_1", "message": message})
    return {"holds": not failing, "sum": total, "rest": 1.0 - total, "failing": failing}


def towards(x: Vector, y: Vector, target: Vector) -> dict[str, float]:
    """Distance and angle to the target before (x) and after (y); no angle for a zero vector.

    Raises OverflowingStep for a distance that a float64 cannot hold.
    """
    found = {
        "distance_before": distance("x", x, target),
        "distance_after": distance("moved", y, target),
    }
    goal = unit(target)
    for name, a in (("angle_before", x), ("angle_after", y)):
        between = angle(unit(a), goal)
        if between is not None:
            found[name] = between
    return found


def distance(name: str, a: Vector, b: Vector) -> float:
    """‖a − b‖, scaled so that no square overflows."""
    found = math.dist(a, b)
    if not math.isfinite(found):
        raise OverflowingStep(
            "", f"The distance of {name} to the target overflows a float64. Use smaller numbers."
        )
    return found


def angle(a: Vector, b: Vector) -> float | None:
    """2 atan2(‖â − b̂‖, ‖â + b̂‖) in degrees, which is exact for small angles too; None at 0.

    a and b as `unit` gives them.
    Source: Kahan 2006, "How futile are mindless assessments of roundoff", section 12.
    """
    if not a or not b:
        return None
    apart = math.dist(a, b)
    along = math.hypot(*map(add, a, b))
    return math.degrees(2.0 * math.atan2(apart, along))


def unit(a: Vector) -> Vector:
    """a / ‖a‖, or nothing for a zero vector."""
    largest = max(map(abs, a))
    if largest == 0.0:
        return []
    a = [x / largest for x in a]
    length = math.hypot(*a)
    return [x / length for x in a]


def reaching(
    x: Array, V: Array, target: Array, tokens: list[str] | None, tolerance: float
) -> dict[str, Any]:
    """The weights w whose x + Σ wᵢ vᵢ is nearest to the target, and how near that is.

    Least squares; where many weights come equally near, the ones with the least Σ wᵢ².
    x, target (1, d), V (n, d). Raises OverflowingStep for weights that a float64 cannot hold.
    Called where overflow is ignored.
    """
    w, rank = least_squares(V, (target - x)[0])
    lands = x + w @ V
    terms = np.abs(x) + np.abs(w) @ np.abs(V)
    weights: Vector = w.tolist()
    largest = max(terms[0].tolist())
    if not (math.isfinite(largest) and all(map(math.isfinite, weights))):
        raise OverflowingStep("", UNREACHABLE)
    try:
        judged = attention_weights(weights, tokens, tolerance)
    except OverflowError:
        raise OverflowingStep("", UNREACHABLE) from None
    nearest: Vector = lands[0].tolist()
    goal: Vector = target[0].tolist()
    residual = distance("the nearest point", nearest, goal)
    size = max(largest, *map(abs, goal))
    return {
        "weights": weights,
        "lands_on": nearest,
        "distance": residual,
        "exact": residual <= tolerance * size,
        "unique": rank == len(V),
        "rank": rank,
        "attention_weights": judged,
    }


def least_squares(V: Array, gap: Array) -> tuple[Array, int]:
    """The w of least ‖w‖ with Σ wᵢ vᵢ nearest to the gap, and the rank of V.

    Each vᵢ is first brought to size 1, so that whether two point the same way does not depend on
    how long they are. That changes which of several solutions is shortest, so where V is not of
    full rank it is solved once more as it is, unless its small vectors would then be lost.
    """
    sizes = np.maximum.reduce(np.abs(V), axis=1)
    sizes[sizes == 0.0] = 1.0
    reach = max(map(abs, gap.tolist())) or 1.0
    goal = gap / reach
    w: Array
    w, _, rank, _ = np.linalg.lstsq((V / sizes[:, None]).T, goal, rcond=None)
    if rank < len(V):
        largest = sizes.max()
        shortest, _, again, _ = np.linalg.lstsq((V / largest).T, goal, rcond=None)
        if again == rank:
            w, sizes = shortest, largest
    # A vector that is not needed may be so short that its factor overflows.
    np.multiply(w, reach / sizes, out=w, where=w != 0.0)
    return w, int(rank)
