"""What W_O makes of a head, and what that adds to X."""

import numpy as np

from service.engine import attention_rules as rules
from service.engine.blocks import block, blocked
from service.engine.counted import counted
from service.engine.errors import ShapeError
from service.engine.limits import check_cells
from service.engine.projection import as_in_out, check_width, product
from service.engine.trace import Array, Step, Value


def update_step(H: Value, W_O: Array, layout: str, d_model: int | None) -> Step:
    """Δ = H W_O: (n_q, d_v) -> (n_q, d_model). ShapeError unless W_O maps d_v to d_model."""
    n_q, d_v = H.shape[-2:]
    W = as_in_out(W_O, layout)
    if W.shape[-2] != d_v:
        check_width("W_O", W_O, layout, d_v, "the head", "d_model")
    if d_model is not None and W.shape[-1] != d_model:
        n, m = W_O.shape[-2:]
        raise ShapeError(
            "W_O",
            f"W_O is {n} × {m} and makes updates of {counted(W.shape[-1], 'numbers')}, but X has"
            f" {counted(d_model, 'columns')}; the update is added to X, so both need d_model.",
        )
    check_cells("W_O", n_q, W.shape[-1])
    rule = rules.projected("update", "head", "W_O", layout, "query", "d_v d_model")
    if isinstance(H, np.ndarray):
        return Step(rule, product(H, W))
    shape = (n_q, W.shape[1])
    return Step(rule, blocked(shape, H.rows, lambda i, _, __: block(H, i) @ W, keep=True))


def output_step(X: Array, delta: Value) -> Step:
    """Y = X + Δ."""
    if isinstance(delta, np.ndarray):
        return Step(rules.OUTPUT, X + delta)
    add = blocked(X.shape, delta.rows, lambda i, start, stop: X[start:stop] + block(delta, i))
    return Step(rules.OUTPUT, add)
