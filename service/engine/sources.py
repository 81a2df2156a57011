"""Where queries, keys and values come from: X and weight matrices, or the caller's own Q, K, V."""

from typing import NamedTuple

from service.engine import attention_rules as rules
from service.engine.attention import check_fit
from service.engine.counted import counted
from service.engine.errors import EngineError, ShapeError
from service.engine.projection import project
from service.engine.trace import Array, Step


class Tokens(NamedTuple):
    """Where keys and values come from in cross-attention; the matrix is left out if K is given."""

    X: Array | None = None
    tokens: list[str] | None = None


class Weights(NamedTuple):
    """A head's matrices, each d_out × d_in for the layout out_in and its transpose for in_out.

    The biases are 1 × d_out.
    """

    W_Q: Array | None = None
    W_K: Array | None = None
    W_V: Array | None = None
    W_O: Array | None = None
    b_Q: Array | None = None
    b_K: Array | None = None
    b_V: Array | None = None


class Projections(NamedTuple):
    """Q, K and V as steps, and the inputs that they were made from."""

    q: Step
    k: Step
    v: Step
    inputs: list[Step]
    biased: bool = False


def given_projections(
    Q: Array | None, K: Array | None, V: Array | None, weights: Weights, context: Tokens
) -> Projections:
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
    return Projections(Step(rules.Q, Q), Step(rules.K, K), Step(rules.V, V), [])


def computed_projections(
    X: Array | None, context: Array | None, weights: Weights, layout: str
) -> Projections:
    """Q = X W_Q + b_Q, K = C W_K + b_K, V = C W_V + b_V, C the context or X; biases if given."""
    if X is None:
        raise EngineError("X", "X is missing; send X with W_Q, W_K and W_V, or send Q, K and V.")
    W_Q, W_K, W_V, _, b_Q, b_K, b_V = weights
    if W_Q is None or W_K is None or W_V is None:
        name = "W_Q" if W_Q is None else "W_K" if W_K is None else "W_V"
        raise EngineError(name, f"{name} is missing; X needs W_Q, W_K and W_V.")
    source, d_in = ("X", "d_model") if context is None else ("context", "d_context")
    C, of = (X, "X") if context is None else (context, "context.X")
    q = project(X, "W_Q", W_Q, layout, "X", "d_k", b_Q)
    k = project(C, "W_K", W_K, layout, of, "d_k", b_K)
    if k.shape[-1] != q.shape[-1]:
        raise ShapeError(
            "W_K",
            f"W_K makes keys of {counted(k.shape[-1], 'numbers')}, but W_Q queries of"
            f" {q.shape[-1]}; both need d_k.",
        )
    v = project(C, "W_V", W_V, layout, of, "d_v", b_V)
    inputs = [
        Step(rules.weight("W_Q", layout, "d_k", "d_model"), W_Q),
        Step(rules.weight("W_K", layout, "d_k", d_in), W_K),
        Step(rules.weight("W_V", layout, "d_v", d_in), W_V),
    ]
    names = {"b_Q": "", "b_K": "", "b_V": ""}
    for name, b, d_out in (("b_Q", b_Q, "d_k"), ("b_K", b_K, "d_k"), ("b_V", b_V, "d_v")):
        if b is not None:
            names[name] = name
            inputs.append(Step(rules.bias(name, d_out), b))
    if context is not None:
        inputs.insert(0, Step(rules.CONTEXT, context))
    name_Q, name_K, name_V = names.values()
    return Projections(
        Step(rules.projected("Q", "X", "W_Q", layout, "query", "d_model d_k", name_Q), q),
        Step(rules.projected("K", source, "W_K", layout, "key", f"{d_in} d_k", name_K), k),
        Step(rules.projected("V", source, "W_V", layout, "key", f"{d_in} d_v", name_V), v),
        inputs,
        any(names.values()),
    )
