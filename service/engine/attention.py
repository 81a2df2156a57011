"""One attention head, step by step.

Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V. Source: Vaswani et al. 2017, section 3.2.1.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from service.engine import attention_rules as rules
from service.engine import sight
from service.engine.blocks import block, blocked, follow, rows_a_block, whole
from service.engine.counted import counted
from service.engine.errors import ShapeError
from service.engine.fully_masked import UNIFORM, ZEROS, spread, weights_step
from service.engine.limits import check_cells
from service.engine.mask import Mask
from service.engine.masked_scores import mask_step
from service.engine.positions.alibi import Alibi, alibi_step
from service.engine.positions.rotary import Rotary
from service.engine.projection import OUT_IN
from service.engine.softmax import softmax
from service.engine.trace import Array, Step, Value, Warning

UNMASKED = Mask().conventions()


class Options(NamedTuple):
    """How scores become weights, and how weight matrices are laid out."""

    mask: Mask | None = None
    scale: float | None = None
    softcap: float | None = None
    layout: str = OUT_IN
    rotary: Rotary | None = None
    alibi: Alibi | None = None
    fully_masked_rows: str = ZEROS

    def conventions(self, factor: float) -> dict[str, Any]:
        """What was used, defaults included; `factor` is what the scores were multiplied by."""
        said: dict[str, Any] = {
            "weights_layout": self.layout,
            "scale": factor,
            "scale_rule": "1/sqrt(d_k)" if self.scale is None else "given",
            "mask": self.mask.conventions() if self.mask else UNMASKED,
            "fully_masked_rows": self.fully_masked_rows,
        }
        if self.softcap is not None:
            said["softcap"] = self.softcap
        if self.rotary is not None:
            how = self.rotary._asdict()
            said["rotary"] = {name: value for name, value in how.items() if value is not None}
        if self.alibi is not None:
            said["alibi"] = self.alibi._asdict()
        return said


class Head(NamedTuple):
    """The steps from Q, K and V to the head, the mask's matrices, and what to say of rows."""

    steps: list[Step]
    H: Value
    inputs: list[Step]
    warnings: list[Warning]


def check_fit(Q: Array, K: Array, V: Array, field: str = "K") -> None:
    """Raise ShapeError unless Q (n_q, d_k), K (n_k, d_k) and V (n_k, d_v) fit together."""
    if K.shape[1] != Q.shape[1]:
        given = counted(K.shape[1], "columns")
        raise ShapeError(field, f"K has {given}, but Q has {Q.shape[1]}; both need d_k.")
    if len(V) != len(K):
        given = counted(len(V), "rows")
        raise ShapeError("V", f"V has {given}, but K has {len(K)}; each key needs one value.")


def _capped(scaled: Array, softcap: float) -> Array:
    with np.errstate(over="ignore"):  # a tiny cap makes ±inf, whose tanh is ±1 as it should be
        return softcap * np.tanh(scaled / softcap)


def attention_head(
    Q: Step,
    K: Step,
    V: Step,
    options: Options,
    labels: list[str] | None = None,
) -> Head:
    """softmax(mask(scale · Q Kᵀ)) V with every step between; softcap, then ALiBi, then the mask.

    Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v) -> scores, scaled, [capped,] masked, weights
    (n_q, n_k), head (n_q, d_v). scale defaults to 1/√d_k. `labels` name queries in warnings.
    Raises ShapeError if they do not fit together, TooLarge before an n_q × n_k that is too large.
    """
    mask, scale, softcap = options.mask, options.scale, options.softcap
    q, k, v = whole(Q.value), whole(K.value), whole(V.value)
    (n_q, d_k), n_k, d_v = q.shape, len(k), v.shape[1]
    check_cells("", n_q, n_k)
    check_cells("", n_q, d_v)
    shape, rows = (n_q, n_k), rows_a_block(n_k)
    factor = 1 / math.sqrt(d_k) if scale is None else scale

    k_T = k.T
    scores = blocked(shape, rows, lambda i, start, stop: q[start:stop].dot(k_T))
    scaled = blocked(shape, rows, lambda i, start, stop: block(scores, i) * factor)
    constants = {"scale": factor, "d_k": d_k, "by_width": scale is None}
    steps = [
        Step(rules.scores(Q.rule, K.rule), scores),
        Step(rules.SCALED if scale is None else rules.SCALED_BY, scaled, None, constants),
    ]
    source, name = scaled, "scaled"
    if softcap is not None:
        source = blocked(shape, rows, lambda i, _, __: _capped(block(scaled, i), softcap))
        steps.append(Step(rules.CAPPED, source, None, {"softcap": softcap}))
        name = "capped"
    if options.alibi is not None:
        bias, unbiased = alibi_step(options.alibi, n_q, n_k), source
        source = blocked(shape, rows, lambda i, _, __: block(unbiased, i) + block(bias.value, i))
        steps += [bias, Step(rules.biased(name), source)]
        name = "biased"
    rule = options.fully_masked_rows
    masked, inputs, warnings = mask_step(source, name, mask, labels, rule)
    M = masked.value
    blind = bool(warnings)
    fill = blind and rule == UNIFORM

    if n_q <= rows:
        A: Value = softmax(whole(M), blind)
        H: Value = whole(spread(A) if fill else A).dot(v)
    else:
        A, H = weights_and_head(M, v, mask, blind, fill)
    steps += [masked, weights_step(A, rule), V, Step(rules.HEAD, H)]
    return Head(steps, H, inputs, warnings)


def weights_and_head(
    M: Value, v: Array, mask: Mask | None, blind: bool, fill: bool
) -> tuple[Value, Value]:
    """softmax(M) and softmax(M) V, in blocks; `fill` spreads rows that may see nothing.

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
