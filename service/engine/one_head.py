"""Attention from what a caller sends: X and weight matrices, or Q, K and V themselves."""

from typing import Any, NamedTuple

import numpy as np

from service.engine import attention_rules as rules
from service.engine.attention import attention_head, check_fit
from service.engine.blocks import Blocked
from service.engine.errors import EngineError, ShapeError
from service.engine.limits import check_cells, check_finite, check_size, norm
from service.engine.mask import Mask
from service.engine.projection import OUT_IN, as_in_out, check_width, project
from service.engine.trace import Array, Axis, Step, Trace


class Tokens(NamedTuple):
    """Where keys and values come from in cross-attention; the matrix is left out if K is given."""

    X: Array | None = None
    tokens: list[str] | None = None


class Weights(NamedTuple):
    """A head's matrices, each d_out × d_in for the layout out_in and its transpose for in_out."""

    W_Q: Array | None = None
    W_K: Array | None = None
    W_V: Array | None = None
    W_O: Array | None = None


def labels_for(name: str, labels: list[str] | None, n: int, of: str) -> list[str] | None:
    """The labels, or ShapeError unless there is one for each of n."""
    if labels is not None and len(labels) != n:
        raise ShapeError(name, f"{name} has {len(labels)} labels, but {of} {n}; send one for each.")
    return labels


@np.errstate(over="ignore", invalid="ignore")
def attention(
    X: Array | None = None,
    context: Tokens | None = None,
    W_Q: Array | None = None,
    W_K: Array | None = None,
    W_V: Array | None = None,
    W_O: Array | None = None,
    Q: Array | None = None,
    K: Array | None = None,
    V: Array | None = None,
    mask: Mask | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    weights_layout: str = OUT_IN,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Trace:
    """X, Q, K, scores, scaled, masked, weights, V, head, update, output: one head's trace.

    From X (n_q, d_model) and W_Q, W_K, W_V, or from Q, K, V. With `context` it is
    cross-attention: keys and values come from there. Without W_O the last step is the head,
    without X the update.
    Raises EngineError if something is missing, ShapeError if inputs do not fit together,
    TooLarge before a trace that is too large, OverflowingStep if a finite input overflows.
    Source: Vaswani et al. 2017, sections 3.2.1 and 3.2.3.
    """
    context = context or Tokens()
    weights = Weights(W_Q, W_K, W_V, W_O)
    if Q is not None or K is not None or V is not None:
        q, k, v, inputs = given_projections(Q, K, V, weights, context)
    else:
        q, k, v, inputs = computed_projections(X, context.X, weights, weights_layout)
    n_q, n_k = q.value.shape[0], k.value.shape[0]
    cross = context.X is not None or context.tokens is not None
    labels_for("tokens", tokens, n_q, "there are queries for")
    key_labels = context.tokens if cross else (tokens if n_k == n_q else None)
    labels_for("context/tokens", context.tokens, n_k, "there are keys for")

    head = attention_head(q, k, v, mask, scale, softcap, tokens)
    steps = [q, k, *head.steps]
    bound = head.bound
    if X is not None:
        if len(X) != n_q:
            raise ShapeError("X", f"X has {len(X)} rows, but Q has {n_q}; each row is one token.")
        steps.insert(0, Step(rules.X, X))
    d_model = None if X is None else X.shape[1]
    if W_O is not None:
        inputs.append(Step(rules.weight("W_O", weights_layout, "d_model", "d_v"), W_O))
        update = update_step(head.H, W_O, weights_layout, d_model)
        bound += norm(v.value) * norm(W_O)  # type: ignore[arg-type]
        steps.append(update)
        d_model = update.value.shape[1]
        if X is not None:
            bound += norm(X)
            steps.append(output_step(X, update))
    inputs += head.inputs

    axes = {"query": Axis(n_q, tokens), "key": Axis(n_k, key_labels)}
    if d_model is not None:
        axes["d_model"] = Axis(d_model, labels_for("features", features, d_model, "d_model is"))
    if context.X is not None:
        axes["d_context"] = Axis(context.X.shape[1])
    axes["d_k"], axes["d_v"] = Axis(q.value.shape[1]), Axis(v.value.shape[1])
    check_size("X" if X is not None else "Q", steps)
    check_finite(steps, bound)
    return Trace(axes, inputs, steps, said(mask, scale, softcap, weights_layout, head.steps), head.warnings)


def given_projections(
    Q: Array | None, K: Array | None, V: Array | None, weights: Weights, context: Tokens
) -> tuple[Step, Step, Step, list[Step]]:
    """Q, K and V as the caller sent them."""
    if Q is None or K is None or V is None:
        missing = next(name for name, m in (("Q", Q), ("K", K), ("V", V)) if m is None)
        raise EngineError(missing, f"{missing} is missing; Q, K and V are sent together.")
    for name in ("W_Q", "W_K", "W_V"):
        if getattr(weights, name) is not None:
            letter = name[-1]
            raise EngineError(name, f"{name} and {letter} are both given; send one of the two.")
    if context.X is not None:
        raise EngineError("context/X", "context.X is not used with K and V; leave one out.")
    check_fit(Q, K, V)
    return Step(rules.Q, Q), Step(rules.K, K), Step(rules.V, V), []


def computed_projections(
    X: Array | None, context: Array | None, weights: Weights, layout: str
) -> tuple[Step, Step, Step, list[Step]]:
    """Q = X W_Q, K = C W_K, V = C W_V, where C is the context, or X itself."""
    if X is None:
        raise EngineError("X", "X is missing; send X with W_Q, W_K and W_V, or send Q, K and V.")
    for name in ("W_Q", "W_K", "W_V"):
        if getattr(weights, name) is None:
            raise EngineError(name, f"{name} is missing; X needs W_Q, W_K and W_V.")
    assert weights.W_Q is not None and weights.W_K is not None and weights.W_V is not None
    source, d_in = ("X", "d_model") if context is None else ("context", "d_context")
    C, of = (X, "X") if context is None else (context, "context.X")
    q = project(X, "W_Q", weights.W_Q, layout, "X", "d_k")
    k = project(C, "W_K", weights.W_K, layout, of, "d_k")
    if k.shape[1] != q.shape[1]:
        raise ShapeError(
            "W_K",
            f"W_K makes keys of {k.shape[1]} numbers, but W_Q queries of {q.shape[1]};"
            " both need d_k.",
        )
    v = project(C, "W_V", weights.W_V, layout, of, "d_v")
    inputs = [
        Step(rules.weight("W_Q", layout, "d_k", "d_model"), weights.W_Q),
        Step(rules.weight("W_K", layout, "d_k", d_in), weights.W_K),
        Step(rules.weight("W_V", layout, "d_v", d_in), weights.W_V),
    ]
    if context is not None:
        inputs.insert(0, Step(rules.CONTEXT, context))
    return (
        Step(rules.projected("Q", "X", "W_Q", layout, "query", "d_model d_k"), q),
        Step(rules.projected("K", source, "W_K", layout, "key", f"{d_in} d_k"), k),
        Step(rules.projected("V", source, "W_V", layout, "key", f"{d_in} d_v"), v),
        inputs,
    )


def update_step(H: Blocked, W_O: Array, layout: str, d_model: int | None) -> Step:
    """Δ = H W_O: (n_q, d_v) -> (n_q, d_model). ShapeError unless W_O maps d_v to d_model."""
    n_q, d_v = H.shape
    check_width("W_O", W_O, layout, d_v, "the head", "d_model")
    W = as_in_out(W_O, layout)
    if d_model is not None and W.shape[1] != d_model:
        n, m = W_O.shape
        raise ShapeError(
            "W_O",
            f"W_O is {n} × {m} and makes updates of {W.shape[1]} numbers, but X has {d_model}"
            " columns; the update is added to X, so both need d_model.",
        )
    check_cells("W_O", (n_q, W.shape[1]))
    value = Blocked((n_q, W.shape[1]), n_q, lambda _, __, ___: H.whole() @ W, keep=True)
    return Step(rules.projected("update", "head", "W_O", layout, "query", "d_v d_model"), value)


def output_step(X: Array, update: Step) -> Step:
    """Y = X + Δ."""
    delta = update.value
    assert isinstance(delta, Blocked)
    return Step(rules.OUTPUT, Blocked(X.shape, len(X), lambda _, __, ___: X + delta.block(0), keep=True))


def said(
    mask: Mask | None, scale: float | None, softcap: float | None, layout: str, steps: list[Step]
) -> dict[str, Any]:
    """The conventions used, defaults included."""
    scaled = steps[1].constants
    assert scaled is not None
    conventions: dict[str, Any] = {
        "weights_layout": layout,
        "scale": scaled["scale"],
        "scale_rule": "1/sqrt(d_k)" if scale is None else "given",
        "mask": (mask or Mask()).conventions(),
        "fully_masked_rows": "zeros",
    }
    if softcap is not None:
        conventions["softcap"] = softcap
    return conventions
