"""The numbers of a head whose scores are one block, or of several such heads side by side.

Heads side by side have an axis more, the first: Q is (n_heads, n_q, d_k), and so on.
"""

from typing import Any, NamedTuple

import numpy as np

from service.engine.fully_masked import spread
from service.engine.positions.alibi import Alibi, bias
from service.engine.projection import product
from service.engine.softmax import softmax
from service.engine.trace import Array


class Scored(NamedTuple):
    """What is computed of Q and K before the mask, each a Value; None if it is not asked for."""

    scores: Any
    scaled: Any
    capped: Any = None
    alibi: Any = None
    biased: Any = None


def score(q: Array, k: Array, factor: float, softcap: float | None, alibi: Alibi | None) -> Scored:
    """factor · Q Kᵀ, soft-capped, ALiBi added: (n_q, d_k) and (n_k, d_k) -> (n_q, n_k) each."""
    scores = product(q, k.mT)
    scaled = scores * factor
    capped = None if softcap is None else cap(scaled, softcap)
    if alibi is None:
        return Scored(scores, scaled, capped)
    B: Any = bias(alibi, *scores.shape[-2:])
    return Scored(scores, scaled, capped, B, (scaled if capped is None else capped) + B)


def cap(scaled: Array, softcap: float) -> Array:
    """c tanh(s / c). Source: Gemma Team 2024 (Gemma 2), section 2."""
    with np.errstate(over="ignore"):  # a tiny cap makes ±inf, whose tanh is ±1 as it should be
        return softcap * np.tanh(scaled / softcap)


def weigh(M: Array, v: Array, blind: bool, fill: bool) -> tuple[Array, Array]:
    """A = softmax(M) and H = A V: (n_q, n_k) and (n_k, d_v) -> (n_q, n_k), (n_q, d_v).

    `fill` spreads rows that may see nothing, of which there are none unless `blind`.
    """
    A = softmax(M, blind)
    return A, product(spread(A) if fill else A, v)
