"""Positions by themselves: sinusoidal, rotary, ALiBi, each with its formula and steps."""

import numpy as np

from service.engine.errors import EngineError
from service.engine.limits import SAFE, check_cells, check_finite, norm
from service.engine.one_head import labels_for
from service.engine.positions import rules
from service.engine.positions.alibi import Alibi, alibi_step, slopes
from service.engine.positions.rotary import (
    BASE,
    Rotary,
    frequencies,
    positions,
    rotated_step,
    width,
)
from service.engine.trace import Array, Axis, Step, Trace


def sinusoidal(
    n: int | None = None,
    d_model: int | None = None,
    x: Array | None = None,
    base: float = BASE,
    offset: int = 0,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Trace:
    """PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i + 1) = cos of the same; with x, also x + PE.

    Raises EngineError without sizes, TooLarge before too large a table.
    Source: Vaswani et al. 2017, section 3.5.
    """
    if x is not None:
        n, d_model = x.shape
    if n is None or d_model is None:
        raise EngineError("n", "Send n and d_model, or x.")
    check_cells("n", n, d_model)
    p, theta = positions(n, offset), frequencies(d_model + d_model % 2, base)
    # With an odd d the last pair has a sine only, and the exponent stays 2i/d.
    if d_model % 2:
        theta = np.asarray(base ** (-np.arange(0, d_model, 2) / d_model))[None, :]
    angles = p @ theta
    encoding = np.empty((n, d_model))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles[:, : d_model // 2])
    steps = [
        Step(rules.FREQUENCIES, theta, None, {"base": base, "dims": d_model}),
        Step(rules.angles("angles", "token", "positions"), angles),
        Step(rules.ENCODING, encoding),
    ]
    if x is not None:
        with np.errstate(over="ignore"):
            steps = [Step(rules.X, x), *steps, Step(rules.ADDED, x + encoding)]
        if not norm(x) < SAFE:
            check_finite(steps)
    axes = _axes(n, d_model, theta.shape[1], tokens, features)
    said = {"kind": "sinusoidal", "base": base, "offset": offset}
    return Trace(axes, [Step(rules.POSITIONS, p)], steps, said, [])


def rotary(
    x: Array,
    how: Rotary,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Trace:
    """x, frequencies, angles, and x with each pair of dimensions turned by its angle.

    Raises ShapeError unless the width can be rotated.
    """
    n, d = x.shape
    dims = width(d, how.dims, "dims")
    p, theta = positions(n, how.offset), frequencies(dims, how.base)
    of_x = Step(rules.X, x)
    angles = Step(rules.angles("angles", "token", "positions"), p @ theta)
    with np.errstate(over="ignore", invalid="ignore"):
        steps = [
            of_x,
            Step(rules.FREQUENCIES, theta, None, {"base": how.base, "dims": dims}),
            angles,
            rotated_step(of_x, angles, how, "token", "d_model"),
        ]
        if not norm(x) < SAFE:
            check_finite(steps)
    said = {
        "kind": "rotary",
        "base": how.base,
        "offset": how.offset,
        "dims": dims,
        "pairing": how.pairing,
    }
    axes = _axes(n, d, theta.shape[1], tokens, features)
    return Trace(axes, [Step(rules.POSITIONS, p)], steps, said, [])


def alibi(n_heads: int, n: int, n_k: int | None = None, offset: int = 0) -> Trace:
    """The slopes of all heads, and each head's bias: slopes, alibi_1, alibi_2, …

    Raises TooLarge before biases that are too large.
    """
    n_k = n if n_k is None else n_k
    check_cells("n", n, n_k, n_heads)
    m = slopes(n_heads)
    steps = [Step(rules.SLOPES, m, None, {"n_heads": n_heads})]
    for i, slope in enumerate(m[:, 0].tolist()):
        step = alibi_step(Alibi(slope, offset), n, n_k)
        steps.append(step._replace(rule=rules.alibi_of(i + 1)))
    axes = {"query": Axis(n), "key": Axis(n_k), "head": Axis(n_heads), "1": Axis(1)}
    return Trace(axes, [], steps, {"kind": "alibi", "offset": offset}, [])


def _axes(
    n: int, d: int, pairs: int, tokens: list[str] | None, features: list[str] | None
) -> dict[str, Axis]:
    return {
        "token": Axis(n, labels_for("tokens", tokens, n, "there are tokens:")),
        "d_model": Axis(d, labels_for("features", features, d, "the width is")),
        "pair": Axis(pairs),
        "1": Axis(1),
    }
