"""One attention head, step by step.

Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V. Source: Vaswani et al. 2017, section 3.2.1.
"""

import math
from typing import NamedTuple

import numpy as np

from service.engine import attention_rules as rules
from service.engine import mask as masks
from service.engine.blocks import Blocked, rows_a_block
from service.engine.errors import ShapeError
from service.engine.limits import check_cells, norm
from service.engine.mask import Mask
from service.engine.softmax import softmax
from service.engine.trace import Array, Read, Step, Warning


class Head(NamedTuple):
    """The steps from Q, K and V to the head, with a bound on |cell| over all of them."""

    steps: list[Step]
    H: Blocked
    inputs: list[Step]
    warnings: list[Warning]
    bound: float


def check_fit(Q: Array, K: Array, V: Array, field: str = "K") -> None:
    """Raise ShapeError unless Q (n_q, d_k), K (n_k, d_k) and V (n_k, d_v) fit together."""
    if K.shape[1] != Q.shape[1]:
        raise ShapeError(
            field, f"K has {K.shape[1]} columns, but Q has {Q.shape[1]}; both need d_k."
        )
    if len(V) != len(K):
        raise ShapeError(
            "V", f"V has {len(V)} rows, but K has {len(K)}; each key needs one value."
        )


def attention_head(
    Q: Step,
    K: Step,
    V: Step,
    mask: Mask | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    labels: list[str] | None = None,
) -> Head:
    """softmax(mask(scale · Q Kᵀ)) V with every step between, softcap before the mask.

    Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v) -> scores, scaled, [capped,] masked, weights
    (n_q, n_k), head (n_q, d_v). scale defaults to 1/√d_k. `labels` name queries in warnings.
    Raises ShapeError if they do not fit together, TooLarge before an n_q × n_k that is too large.
    """
    q, k, v = Q.value, K.value, V.value
    assert isinstance(q, np.ndarray) and isinstance(k, np.ndarray) and isinstance(v, np.ndarray)
    (n_q, d_k), n_k, d_v = q.shape, len(k), v.shape[1]
    check_cells("", (n_q, n_k), (n_q, d_v))
    shape, rows = (n_q, n_k), rows_a_block(n_k)
    by_width = scale is None
    factor = 1 / math.sqrt(d_k) if scale is None else scale

    k_T = k.T
    scores = Blocked(shape, rows, lambda i, start, stop: q[start:stop] @ k_T)
    scaled = Blocked(shape, rows, lambda i, start, stop: scores.block(i) * factor)
    source = scaled
    steps = [
        Step(rules.SCORES, scores),
        Step(rules.scaled(by_width), scaled, None, {"scale": factor, "d_k": d_k, "by_width": by_width}),
    ]
    if softcap is not None:
        cap = softcap
        source = Blocked(shape, rows, lambda i, _, __: cap * np.tanh(scaled.block(i) / cap))
        steps.append(Step(rules.CAPPED, source, None, {"softcap": softcap}))
    masked, inputs, warnings = mask_step(source, "capped" if softcap else "scaled", mask, labels)
    M = masked.value
    assert isinstance(M, Blocked)
    A = Blocked(shape, rows, lambda i, _, __: softmax(M.block(i), mask is not None))
    H = Blocked((n_q, d_v), rows, lambda i, _, __: A.block(i) @ v, keep=True)
    steps += [masked, Step(rules.WEIGHTS, A), V, Step(rules.HEAD, H)]

    scores_bound = norm(q) * norm(k)
    bias = norm(finite(mask.bias)) if mask and mask.bias is not None else 0.0
    # Rows of weights sum to at most 1, so no cell of A V exceeds the largest of V.
    bound = scores_bound * max(1.0, abs(factor)) + bias + norm(v)
    return Head(steps, H, inputs, warnings, bound)


def finite(bias: Array) -> Array:
    """The bias with 0 for −∞: hidden cells are selected away, and 0 is safe to add."""
    return np.where(np.isneginf(bias), 0.0, bias)


def mask_step(
    source: Blocked, source_name: str, mask: Mask | None, labels: list[str] | None
) -> tuple[Step, list[Step], list[Warning]]:
    """The masked scores with their 0/1 companion, the mask's own matrices, and its warnings."""
    shape, rows = source.shape, source.rows
    if mask is None:
        nothing = Blocked(shape, rows, lambda _, i, j: np.zeros((j - i, shape[1]), np.uint8))
        return Step(rules.masked(source_name, ()), source, nothing), [], []
    seen = masks.visible(mask, *shape)
    bias = None if mask.bias is None else finite(mask.bias)

    def compute(i: int, start: int, stop: int) -> Array:
        scores = source.block(i)
        if bias is not None:
            scores = scores + (bias if len(bias) == 1 else bias[start:stop])
        return np.where(seen.block(i), scores, -np.inf)

    hidden = Blocked(shape, rows, lambda i, _, __: (~seen.block(i)).view(np.uint8))
    reads = tuple(Read(name, masks.part_axes(part)) for name, part in masks.parts(mask))
    step = Step(rules.masked(source_name, reads), Blocked(shape, rows, compute), hidden)
    return step, masks.inputs(mask), masks.blind_rows(seen, labels)
