"""The numbers of a head whose scores are many, computed a block of rows at a time."""

from typing import Any

import numpy as np

from service.engine import sight
from service.engine.at_once import Scored, cap
from service.engine.blocks import block, blocked, follow, rows_a_block
from service.engine.fully_masked import spread
from service.engine.mask import Mask
from service.engine.positions.alibi import Alibi, bias
from service.engine.softmax import softmax
from service.engine.trace import Array, Value


def score(q: Array, k: Array, factor: float, softcap: float | None, alibi: Alibi | None) -> Scored:
    """factor · Q Kᵀ, soft-capped, ALiBi added: (n_q, d_k) and (n_k, d_k) -> (n_q, n_k) each."""
    shape, rows = (len(q), len(k)), rows_a_block(len(k))
    k_T = k.T
    scores = blocked(shape, rows, lambda i, start, stop: q[start:stop].dot(k_T))
    scaled = blocked(shape, rows, lambda i, _, __: block(scores, i) * factor)
    capped = B = biased = None
    if softcap is not None:
        capped = blocked(shape, rows, lambda i, _, __: cap(block(scaled, i), softcap))
    if alibi is not None:
        B, unbiased = bias(alibi, *shape), scaled if capped is None else capped
        biased = blocked(shape, rows, lambda i, _, __: block(unbiased, i) + block(B, i))
    return Scored(scores, scaled, capped, B, biased)


def weigh(M: Value, v: Array, mask: Mask | None, blind: bool, fill: bool) -> tuple[Value, Value]:
    """A = softmax(M) and H = A V; `fill` spreads rows that may see nothing.

    What comes after the last query of a causal block is hidden from all of it, and left out.
    """
    n_q, n_k = M.shape
    rows = rows_a_block(n_k)

    def weights(i: int, _: int, stop: int) -> Array:
        seen = sight.reach(mask, stop, n_q, n_k)
        masked = block(M, i)
        weights = softmax(masked, blind) if seen == n_k else _padded(masked, seen, blind)
        return spread(weights) if fill else weights

    def head(i: int, _: int, stop: int) -> Any:
        seen = sight.reach(mask, stop, n_q, n_k)
        weights = block(A, i)
        H = weights[:, :seen] @ v[:seen]
        if fill and seen < n_k:  # only what was spread reaches the last key
            far = weights[:, -1] > 0.0
            H[far] = weights[far] @ v
        return H

    A = blocked((n_q, n_k), rows, weights)
    H = blocked((n_q, v.shape[1]), rows, head, keep=True)
    follow(A, H)
    return A, H


def _padded(masked: Array, seen: int, may_be_blind: bool) -> Array:
    """softmax over the first `seen` columns; the rest is hidden, and 0."""
    A = np.zeros(masked.shape)
    A[:, :seen] = softmax(masked[:, :seen], may_be_blind)
    return A
