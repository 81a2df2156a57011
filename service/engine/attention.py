"""One attention head, step by step.

Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V. Source: Vaswani et al. 2017, section 3.2.1.
"""

import math
from typing import Any, NamedTuple

from service.engine import at_once, in_blocks
from service.engine import attention_rules as rules
from service.engine.blocks import rows_a_block, whole
from service.engine.counted import counted
from service.engine.errors import ShapeError
from service.engine.fully_masked import UNIFORM, ZEROS, weights_step
from service.engine.limits import check_cells
from service.engine.mask import Mask
from service.engine.masked_scores import mask_step
from service.engine.positions.alibi import Alibi, alibi_step
from service.engine.positions.rotary import Rotary
from service.engine.projection import OUT_IN
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
    Heads side by side have an axis more, the first; their scores are one block.
    Raises ShapeError if they do not fit together, TooLarge before an n_q × n_k that is too large.
    """
    scale, fully_masked_rows = options.scale, options.fully_masked_rows
    q, k, v = whole(Q.value), whole(K.value), whole(V.value)
    (n_q, d_k), (n_k, d_v) = q.shape[-2:], v.shape[-2:]
    check_cells("", n_q, n_k)
    check_cells("", n_q, d_v)
    small = n_q <= rows_a_block(n_k)
    factor = 1 / math.sqrt(d_k) if scale is None else scale

    score = at_once.score if small else in_blocks.score
    scored = score(q, k, factor, options.softcap, options.alibi)
    constants = {"scale": factor, "d_k": d_k, "by_width": scale is None}
    steps = [
        Step(rules.scores(Q.rule, K.rule), scored.scores),
        Step(rules.SCALED if scale is None else rules.SCALED_BY, scored.scaled, None, constants),
    ]
    if options.softcap is not None:
        steps.append(Step(rules.CAPPED, scored.capped, None, {"softcap": options.softcap}))
    if options.alibi is not None:
        steps.append(alibi_step(options.alibi, scored.alibi))
        steps.append(Step(rules.biased(steps[-2].rule.name), scored.biased))
    source = steps[-1]
    masked, inputs, warnings = mask_step(
        source.value, source.rule.name, options.mask, labels, fully_masked_rows
    )
    blind = bool(warnings)
    fill = blind and fully_masked_rows == UNIFORM
    A: Value
    H: Value
    if small:
        A, H = at_once.weigh(whole(masked.value), v, blind, fill)
    else:
        A, H = in_blocks.weigh(masked.value, v, options.mask, blind, fill)
    steps += [masked, weights_step(A, fully_masked_rows), V, Step(rules.HEAD, H)]
    return Head(steps, H, inputs, warnings)
