"""Positions by themselves: sinusoidal, rotary, ALiBi, each with its formula and steps."""

import numpy as np

from service.engine.blocks import whole
from service.engine.counted import counted
from service.engine.errors import EngineError, ShapeError
from service.engine.labels import labels_for
from service.engine.limits import SAFE, check_cells, check_finite, norm
from service.engine.positions import rules
from service.engine.positions.alibi import Alibi, alibi_step, bias, slopes
from service.engine.positions.rotary import (
    BASE,
    Rotary,
    angles,
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

    With an odd d the last pair has a sine only, and the exponent stays 2i/d.
    Raises EngineError without sizes, ShapeError if they are not those of x, TooLarge before too
    large a table, OverflowingStep if an angle overflows.
    Source: Vaswani et al. 2017, section 3.5.
    """
    if x is not None:
        _check_sizes(x, n, d_model)
        n, d_model = x.shape
    if n is None or d_model is None:
        raise EngineError("n", "Send n and d_model, or x.")
    check_cells("n", n, d_model)
    p = positions(n, offset)
    theta = frequencies(d_model, base, p[-1, 0], "base")
    turned = angles(rules.angles("angles", "token", "positions"), p, theta)
    alpha = whole(turned.value)
    encoding = np.empty((n, d_model))
    encoding[:, 0::2] = np.sin(alpha)
    encoding[:, 1::2] = np.cos(alpha[:, : d_model // 2])
    steps = [theta, turned, Step(rules.ENCODING, encoding)]
    if x is not None:
        with np.errstate(over="ignore"):
            steps = [Step(rules.X, x), *steps, Step(rules.ADDED, x + encoding)]
        if not norm(x) < SAFE:
            check_finite(steps)
    axes = _axes(n, d_model, alpha.shape[1], tokens, features)
    said = {"kind": "sinusoidal", "base": base, "offset": offset}
    return Trace(axes, [Step(rules.POSITIONS, p)], steps, said, [])


def rotary(
    x: Array,
    how: Rotary,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Trace:
    """x, frequencies, angles, and x with each pair of dimensions turned by its angle.

    Raises ShapeError unless the width can be rotated, OverflowingStep if a cell overflows.
    """
    n, d = x.shape
    dims = width(d, how.dims, "dims")
    p = positions(n, how.offset)
    theta = frequencies(dims, how.base, p[-1, 0], "base")
    of_x = Step(rules.X, x)
    turned = angles(rules.angles("angles", "token", "positions"), p, theta)
    with np.errstate(over="ignore", invalid="ignore"):
        steps = [of_x, theta, turned, rotated_step(of_x, turned, how, "token", "d_model")]
        if not norm(x) < SAFE:
            check_finite(steps)
    said = {
        "kind": "rotary",
        "base": how.base,
        "offset": how.offset,
        "dims": dims,
        "pairing": how.pairing,
    }
    axes = _axes(n, d, theta.value.shape[1], tokens, features)
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
        how = Alibi(slope, offset)
        step = alibi_step(how, bias(how, n, n_k))
        steps.append(step._replace(rule=rules.alibi_of(i + 1)))
    axes = {"query": Axis(n), "key": Axis(n_k), "head": Axis(n_heads), "1": Axis(1)}
    return Trace(axes, [], steps, {"kind": "alibi", "offset": offset}, [])


def _check_sizes(x: Array, n: int | None, d_model: int | None) -> None:
    if n is not None and n != len(x):
        raise ShapeError("n", f"n is {n}, but x has {counted(len(x), 'rows')}; leave n out.")
    if d_model is not None and d_model != x.shape[1]:
        columns = counted(x.shape[1], "columns")
        said = f"d_model is {d_model}, but x has {columns}; leave d_model out."
        raise ShapeError("d_model", said)


def _axes(
    n: int, d: int, pairs: int, tokens: list[str] | None, features: list[str] | None
) -> dict[str, Axis]:
    return {
        "token": Axis(n, labels_for("tokens", tokens, n, "tokens")),
        "d_model": Axis(d, labels_for("features", features, d, "numbers in a vector")),
        "pair": Axis(pairs),
        "1": Axis(1),
    }
