"""Why scores are divided by √d_k: softmax of raw and of scaled scores, side by side."""

import math
from typing import Any, NamedTuple

import numpy as np

from service.engine import scaling_rules as rules
from service.engine.blocks import whole
from service.engine.counted import counted
from service.engine.errors import EngineError, ShapeError, TooLarge
from service.engine.labels import labels_for
from service.engine.limits import SAFE, check_finite, norm
from service.engine.softmax_statistics import weigh
from service.engine.trace import Array, Axis, Step, Trace, Warning

# Raw and scaled scores are held at once, with a handful of matrices of their size.
MAX_CELLS = 1 << 18
_NAMED_ROWS = 10


class Options(NamedTuple):
    """How scores become weights; `scale` None: 1/√d_k, or 1 for scores of no known width."""

    scale: float | None = None
    temperature: float = 1.0


class Labels(NamedTuple):
    """Of the queries, and of the keys."""

    tokens: list[str] | None = None
    keys: list[str] | None = None


def scaling_of_projections(Q: Array, K: Array, options: Options, labels: Labels) -> Trace:
    """Q, K, scores, scaled, weights_raw, weights: what 1/√d_k does to softmax(Q Kᵀ).

    Q (n_q, d_k), K (n_k, d_k) -> scores and weights (n_q, n_k), with statistics of each row.
    Raises ShapeError if Q and K differ in d_k, TooLarge, OverflowingStep.
    """
    if K.shape[1] != Q.shape[1]:
        given = counted(K.shape[1], "columns")
        raise ShapeError("K", f"K has {given}, but Q has {Q.shape[1]}; both need d_k.")
    check_size("K", len(Q), len(K))
    with np.errstate(over="ignore", invalid="ignore"):
        scores = Step(rules.SCORES, Q @ K.T)
        bound = norm(Q) * norm(K)
        return scaling(
            [Step(rules.Q, Q), Step(rules.K, K)], scores, Q.shape[1], bound, options, labels
        )


def scaling_of_scores(scores: Array, d_k: int | None, options: Options, labels: Labels) -> Trace:
    """scores, scaled, weights_raw, weights, from scores (n_q, n_k) in which −∞ is a blocked cell.

    They are divided by √d_k if that is given. A blocked cell has weight exactly 0, whatever the
    scale; a row of nothing else has weights 0, and a warning.
    Raises ShapeError if labels do not fit, EngineError, TooLarge, OverflowingStep.
    """
    if d_k is not None and options.scale is not None:
        raise EngineError("scale", "scale and d_k both say how scores are scaled; leave one out.")
    check_size("scores", *scores.shape)
    step = Step(rules.GIVEN_SCORES, scores, np.isneginf(scores).view(np.uint8))
    with np.errstate(over="ignore", invalid="ignore"):
        return scaling([], step, d_k, norm(scores), options, labels)


def scaling(
    before: list[Step],
    scores: Step,
    d_k: int | None,
    bound: float,
    options: Options,
    labels: Labels,
) -> Trace:
    """The trace from the scores on; no |score| exceeds `bound`. Raises OverflowingStep.

    Raw and scaled scores are weighed in one go, one below the other.
    """
    S: Array = whole(scores.value)
    hidden = None if scores.hidden is None else whole(scores.hidden)
    n_q, n_k = S.shape
    by_width = options.scale is None and d_k is not None
    scale = 1 / math.sqrt(d_k) if by_width and d_k else options.scale
    scale = 1.0 if scale is None else scale
    both = np.empty((2 * n_q, n_k))
    both[:n_q] = S
    np.multiply(S, scale, out=both[n_q:])
    seen = None
    if hidden is not None and hidden.any():
        both[n_q:][hidden.astype(np.bool_)] = -np.inf  # whatever the scale is
        seen = np.tile(hidden == 0, (2, 1))
    constants = {"scale": scale, "d_k": d_k or 0, "by_width": by_width}
    rule = rules.SCALED if by_width else rules.SCALED_BY
    scaled = Step(rule, both[n_q:], hidden, constants)
    if not bound * max(1.0, abs(scale)) < SAFE:
        check_finite((scores, scaled))
    A, found = weigh(both, options.temperature, seen)
    tempered, of = options.temperature != 1.0, {"temperature": options.temperature}
    steps = [
        *before,
        scores,
        scaled,
        Step(rules.weights("scores", tempered), A[:n_q], None, of),
        Step(rules.weights("scaled", tempered), A[n_q:], None, of),
    ]
    axes = {
        "query": Axis(n_q, labels_for("tokens", labels.tokens, n_q, "queries")),
        "key": Axis(n_k, labels_for("keys", labels.keys, n_k, "keys")),
    }
    if before and d_k:
        axes["d_k"] = Axis(d_k)
    conventions = {
        "scale": scale,
        "scale_rule": "1/sqrt(d_k)" if by_width else "none" if options.scale is None else "given",
        "temperature": options.temperature,
    }
    columns = list(zip(found._fields, found, strict=True))
    statistics: dict[str, Any] = {
        "raw": {name: each[:n_q] for name, each in columns},
        "scaled": {name: each[n_q:] for name, each in columns},
    }
    warnings = [] if seen is None else blind_rows(seen[:n_q], labels.tokens)
    return Trace(axes, [], steps, conventions, warnings, {"statistics": statistics})


def blind_rows(seen: Array, tokens: list[str] | None) -> list[Warning]:
    """A warning that names the rows in which every score is −∞."""
    rows = np.flatnonzero(~seen.any(axis=1)).tolist()
    if not rows:
        return []
    named = ", ".join(
        f"{row} ({tokens[row]})" if tokens else str(row) for row in rows[:_NAMED_ROWS]
    )
    more = f" and {len(rows) - _NAMED_ROWS} more" if len(rows) > _NAMED_ROWS else ""
    return [
        Warning(
            "nothing_to_see", f"Every score of row {named}{more} is −∞: the weights are 0 there."
        )
    ]


def check_size(field: str, n_q: int, n_k: int) -> None:
    """Raise TooLarge for more scores than are weighed at once."""
    if n_q * n_k > MAX_CELLS:
        raise TooLarge(
            field, f"There would be {n_q:,} × {n_k:,} scores; at most {MAX_CELLS:,} are weighed."
        )
