"""Heads of one shape and one mask computed side by side: each operation is one for all of them.

Their matrices have an axis more, the first, so that W_Q is (n_heads, d_k, d_model) and the scores
(n_heads, n_q, n_k). Each head's trace then holds its own part of them.
"""

from typing import Any

import numpy as np

from service.engine.attention import Options
from service.engine.blocks import CELLS_A_BLOCK, whole
from service.engine.errors import EngineError
from service.engine.heads import Head
from service.engine.invariants import laws_of_each
from service.engine.limits import SAFE
from service.engine.one_head import assemble, bound
from service.engine.positions import rules as position_rules
from service.engine.positions.alibi import Alibi
from service.engine.sources import Tokens, Weights, computed_projections
from service.engine.trace import Array, Step, Trace

# Two take as long side by side as one by one.
FEWEST = 3


def side_by_side(
    x: Step,
    source: Tokens,
    heads: list[Head],
    options: Options,
    alibis: list[Alibi] | None,
    tokens: list[str] | None,
    features: list[str] | None,
    beside: Weights | None = None,
) -> tuple[list[Trace], float] | None:
    """Each head's own trace, which ends with its update, and a bound on all their cells.

    None where heads are few, differ in shape or have a mask of their own, where their scores are
    more than a block, or where anything is wrong with one: such heads are computed one by one, and
    what is wrong is said of the head that it is wrong with. `beside`: their matrices side by side,
    if these are there already.
    """
    X: Array = whole(x.value)
    n_k = len(X if source.X is None else source.X)
    if len(heads) < FEWEST or len(heads) * len(X) * n_k > CELLS_A_BLOCK:
        return None
    weights = beside or stacked(heads)
    if weights is None:
        return None
    if alibis is not None:  # the steepest bounds what all of them take off
        options = options._replace(alibi=max(alibis, key=lambda alibi: abs(alibi.slope)))
    # As often as there are heads, since it is for the sum of their updates too.
    limit = len(heads) * bound(X, source.X, weights, (None, None, None), options)
    if not limit < SAFE:
        return None
    if alibis is not None:
        slopes: Any = np.array([alibi.slope for alibi in alibis])[:, None, None]
        options = options._replace(alibi=Alibi(slopes, alibis[0].offset))
    try:
        projections = computed_projections(X, source.X, weights, options.layout)
        together = assemble(
            X, source, projections, weights.W_O, options, tokens, features, False, x.rule
        )
    except EngineError:
        return None
    return taken_apart(together, alibis), limit


def stacked(heads: list[Head]) -> Weights | None:
    """The matrices of all heads side by side, or None if they do not fit beside each other."""
    if any(head.mask is not None for head in heads):
        return None
    columns = zip(*[head.weights for head in heads], strict=True)
    try:
        return Weights(
            *[None if column[0] is None else np.array(column, np.float64) for column in columns]
        )
    except (TypeError, ValueError):  # of another shape, or not there
        return None


def taken_apart(together: Trace, alibis: list[Alibi] | None) -> list[Trace]:
    """Each head's own trace: its part of what each has its own of, and all of what they share."""
    axes, conventions, warnings = together.axes, together.conventions, together.warnings
    laws = laws_of_each(together)
    inputs, steps = _of_each(together.inputs, len(laws)), _of_each(together.steps, len(laws))
    traces = [
        Trace(axes, own_inputs, own_steps, conventions, warnings, laws=own_laws)
        for own_inputs, own_steps, own_laws in zip(inputs, steps, laws, strict=True)
    ]
    return traces if alibis is None else list(map(_with_slope, traces, alibis))


def _of_each(steps: list[Step], n_heads: int) -> list[list[Step]]:
    """The steps of each head."""
    rules, values, hidden, constants = zip(*steps, strict=True)
    of_each = [value if value.ndim == 3 else [value] * n_heads for value in values]
    return [list(map(Step, rules, own, hidden, constants)) for own in zip(*of_each, strict=True)]


def _with_slope(trace: Trace, alibi: Alibi) -> Trace:
    """The trace with the slope of its own head in place of all heads' slopes."""
    own = alibi._asdict()
    steps = [
        step._replace(constants=own) if step.rule is position_rules.ALIBI else step
        for step in trace.steps
    ]
    return trace._replace(steps=steps, conventions={**trace.conventions, "alibi": own})
