"""Rotary embeddings: each pair of dimensions is turned by an angle that grows with the position.

Source: Su et al. 2021 (RoFormer), sections 3.2 and 3.4.2.
"""

from typing import NamedTuple

import numpy as np

from service.engine.blocks import whole
from service.engine.errors import OverflowingStep, ShapeError
from service.engine.positions import rules
from service.engine.trace import Array, Rule, Step

BASE = 10_000.0
HALF_SPLIT = "half_split"
INTERLEAVED = "interleaved"


class Rotary(NamedTuple):
    """How to rotate. `dims`: only the first so many dimensions (an even number), all if None.

    half_split pairs dimension i with i + dims/2 (GPT-NeoX, Llama), interleaved 2i with 2i + 1
    (the paper). offset: the position of the first query; key_offset: of the first key.
    """

    base: float = BASE
    dims: int | None = None
    pairing: str = HALF_SPLIT
    offset: int = 0
    key_offset: int = 0


def frequencies(dims: int, base: float, last: float, field: str) -> Step:
    """θᵢ = base^(−2i/dims), one for each pair: (1, dims/2), rounded up.

    Raises OverflowingStep if the base is so small that the angle of the last position overflows.
    """
    with np.errstate(over="ignore"):
        theta = np.asarray(base ** (-np.arange(0, dims, 2) / dims))[None, :]
        fits = np.isfinite(theta.max() * max(1.0, last))
    if not fits:
        raise OverflowingStep(
            field,
            f"angles overflows: with a base of {base:g} the angle of position {last:,.0f} does not"
            " fit a float64. Use a larger base; 10,000 is usual.",
        )
    return Step(rules.FREQUENCIES, theta, None, {"base": base, "dims": dims})


def angles(rule: Rule, p: Array, theta: Step) -> Step:
    """α = p θ: (n, 1) and (1, pairs) -> (n, pairs)."""
    return Step(rule, p @ whole(theta.value))


def positions(n: int, offset: int) -> Array:
    """offset, offset + 1, …: (n, 1)."""
    return np.arange(offset, offset + n, dtype=np.float64)[:, None]


def width(d: int, dims: int | None, field: str) -> int:
    """How many of d dimensions are rotated; ShapeError unless that many can be."""
    if dims is None:
        if d % 2:
            raise ShapeError(field, f"The width is {d}; rotary needs an even one, or dims.")
        return d
    if dims % 2 or dims > d:
        raise ShapeError(field, f"dims is {dims}; it must be even and at most {d}, the width.")
    return dims


def rotate(x: Array, cos: Array, sin: Array, pairing: str) -> Array:
    """(a cos − b sin, a sin + b cos) for each pair: x (…, n, d) -> (…, n, d), angles (n, dims/2).

    Dimensions from dims on stay as they are.
    """
    pairs = cos.shape[1]
    first, second = (
        (slice(0, pairs), slice(pairs, 2 * pairs))
        if pairing == HALF_SPLIT
        else (slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2))
    )
    a, b = x[..., first], x[..., second]
    rotated = x.copy()
    rotated[..., first] = a * cos - b * sin
    rotated[..., second] = a * sin + b * cos
    return rotated


def rotated_step(x: Step, angles: Step, how: Rotary, token: str, d_name: str) -> Step:
    """A projection turned by its angles, as the step Q_rotated or K_rotated."""
    source = x.rule.name
    name = "rotated" if source == "x" else f"{source}_rotated"
    rule = rules.rotated(name, source, token, d_name, angles.rule.name)
    alpha = whole(angles.value)
    cos, sin = np.cos(alpha), np.sin(alpha)
    dims = 2 * alpha.shape[1]
    constants = {"dims": dims, "half_split": how.pairing == HALF_SPLIT}
    return Step(rule, rotate(whole(x.value), cos, sin, how.pairing), None, constants)


def rotary_steps(q: Step, k: Step, how: Rotary) -> tuple[list[Step], Step, Step]:
    """frequencies, the angles of queries and keys, and Q and K turned by them.

    Raises ShapeError unless the width d_k can be rotated, OverflowingStep if an angle overflows.
    """
    dims = width(q.value.shape[-1], how.dims, "rotary/dims")
    of_queries = positions(q.value.shape[-2], how.offset)
    of_keys = positions(k.value.shape[-2], how.key_offset)
    last = max(of_queries[-1, 0], of_keys[-1, 0])
    theta = frequencies(dims, how.base, last, "rotary/base")
    query_angles = angles(
        rules.angles("query_angles", "query", "query_positions"), of_queries, theta
    )
    key_angles = angles(rules.angles("key_angles", "key", "key_positions"), of_keys, theta)
    q_rotated = rotated_step(q, query_angles, how, "query", "d_k")
    k_rotated = rotated_step(k, key_angles, how, "key", "d_k")
    return [theta, query_angles, key_angles, q_rotated, k_rotated], q_rotated, k_rotated


def position_inputs(n_q: int, n_k: int, how: Rotary) -> list[Step]:
    """The positions of queries and keys, as inputs."""
    return [
        Step(rules.positions_of("query"), positions(n_q, how.offset)),
        Step(rules.positions_of("key"), positions(n_k, how.key_offset)),
    ]
