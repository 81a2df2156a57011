"""The norms of a block: by themselves, with the addition, or the addition alone.

Formulas and sources are those of add & norm, layernorm.py.
"""

from typing import NamedTuple

from service.engine import layernorm_rules as rules
from service.engine.block.given import Norm
from service.engine.block.places import Placed, check_fits, copy
from service.engine.layernorm import bound, check_affine, given_affine, normalise, stretch
from service.engine.limits import norm as norm_of
from service.engine.trace import Array, Axis, Step, Trace

Axes = dict[str, Axis]

_SUM = rules.added("sum", "x and what is added to it", "s", False)
_OUTPUT = rules.added("output", "Output: x and what the sublayer adds", "y", False)
_ONCE = {"factor": 1.0}


class NormKind(NamedTuple):
    """layer or rms, and what is added inside the root."""

    norm: str
    eps: float


def normed(x: Placed, norm: Norm, kind: NormKind, axes: Axes) -> Trace:
    """x, mean, variance (or mean_square), normalised, output: the norm before a sublayer."""
    return _trace([copy(x, rules.X)], "x", x.value, norm, kind, axes, x.elsewhere())


def add_normed(x: Placed, delta: Placed, norm: Norm, kind: NormKind, axes: Axes) -> Trace:
    """x, delta, sum, …, normalised, output: post-norm's add & norm."""
    total = x.value + delta.value
    steps = [copy(x, rules.X), copy(delta, rules.DELTA), Step(_SUM, total, None, _ONCE)]
    elsewhere = {x.name: x.step, delta.name: delta.step}
    return _trace(steps, "sum", total, norm, kind, axes, elsewhere)


def added(x: Placed, delta: Placed, axes: Axes) -> Trace:
    """x, delta, output = x + delta: what pre-norm does after a sublayer."""
    total = x.value + delta.value
    steps = [copy(x, rules.X), copy(delta, rules.DELTA), Step(_OUTPUT, total, None, _ONCE)]
    elsewhere = {x.name: x.step, delta.name: delta.step}
    return check_fits(Trace(axes, [], steps, {}, [], {}, elsewhere), norm_of(total))


def _trace(
    steps: list[Step],
    source: str,
    x: Array,
    norm: Norm,
    kind: NormKind,
    axes: Axes,
    elsewhere: dict[str, Step],
) -> Trace:
    gamma, beta = norm
    rms = kind.norm == "rms"
    check_affine(gamma, beta, x.shape[1], rms)
    affine = rules.affine("output", "Output", "y", gamma is not None, beta is not None)
    found, n = normalise(source, x, kind.eps, rms)
    output = stretch(n, gamma, beta)
    steps += [*found, Step(affine, output)]
    conventions = {"norm": kind.norm, "eps": kind.eps, "variance": "population"}
    trace = Trace(axes, given_affine(gamma, beta), steps, conventions, [], {}, elsewhere)
    return check_fits(trace, bound(x, output))
