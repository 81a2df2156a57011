"""The numbers of a head whose scores are many, computed a block of rows at a time."""

from functools import cache
from typing import Any

import numpy as np

from service.engine import sight
from service.engine.at_once import Scored, cap
from service.engine.blocks import Compute, block, blocked, follow, rows_a_block
from service.engine.fully_masked import spread
from service.engine.mask import Mask
from service.engine.positions.alibi import Alibi, bias
from service.engine.softmax import softmax
from service.engine.trace import Array, Value


def score(q: Array, k: Array, factor: float, softcap: float | None, alibi: Alibi | None) -> Scored:
    """factor · Q Kᵀ, soft-capped, ALiBi added: (n_q, d_k) and (n_k, d_k) -> (n_q, n_k) each."""
    shape, rows = (len(q), len(k)), rows_a_block(len(k))

    def made(source: Any, compute: Compute) -> Any:
        return blocked(shape, rows, compute, True, source)

    k_T = k.T
    scores = made(None, lambda i, start, stop: q[start:stop] @ k_T)
    scaled = made(scores, lambda i, _, __: block(scores, i) * factor)
    capped = B = biased = None
    if softcap is not None:
        capped = made(scaled, lambda i, _, __: cap(block(scaled, i), softcap))
    if alibi is not None:
        B, unbiased = bias(alibi, *shape), scaled if capped is None else capped
        biased = made(unbiased, lambda i, _, __: block(unbiased, i) + block(B, i))
    return Scored(scores, scaled, capped, B, biased)


def weigh(M: Value, v: Array, mask: Mask | None, blind: bool, fill: bool) -> tuple[Value, Value]:
    """A = softmax(M) and H = A V; `fill` spreads rows that may see nothing.

    What comes after the last query of a strip of rows is hidden from all of it, and left out.
    """
    n_q, n_k = M.shape
    strips = cache(lambda start, stop: sight.strips(mask, start, stop, n_q, n_k))

    def weights(i: int, start: int, stop: int) -> Array:
        masked = block(M, i)
        weights = np.zeros(masked.shape)
        with np.errstate():  # ends what is set inside
            # Into a buffer longer than a row numpy copies each row, and its peak as often as the
            # row is long: 8% of a trace.
            np.setbufsize(16)
            for strip, seen in strips(start, stop):
                softmax(masked[strip, :seen], blind, weights[strip, :seen])
        return spread(weights) if fill else weights

    def head(i: int, start: int, stop: int) -> Array:
        weights, H = block(A, i), np.empty((stop - start, v.shape[1]))
        for strip, seen in strips(start, stop):
            np.matmul(weights[strip, :seen], v[:seen], out=H[strip])
            if fill and seen < n_k:  # only what was spread reaches the last key
                far = weights[strip, -1] > 0.0
                H[strip][far] = weights[strip][far] @ v
        return H

    A = blocked((n_q, n_k), rows_a_block(n_k), weights, source=M)
    H = blocked((n_q, v.shape[1]), rows_a_block(n_k), head, keep=True)
    follow(A, H)
    return A, H
