"""What the mask makes of scores: those that are hidden are −∞, and nothing is added to them."""

import numpy as np

from service.engine import attention_rules as rules
from service.engine import mask as masks
from service.engine import sight
from service.engine.blocks import Blocked, block, blocked, rows_a_block, whole
from service.engine.fully_masked import ZEROS
from service.engine.mask import Mask
from service.engine.trace import Array, Read, Step, Value, Warning


def finite(bias: Array) -> Array:
    """The bias with 0 for −∞: hidden cells are selected away, and 0 is safe to add."""
    return np.where(np.isneginf(bias), 0.0, bias)


def mask_step(
    source: Value,
    source_name: str,
    mask: Mask | None,
    labels: list[str] | None,
    fully_masked_rows: str = ZEROS,
) -> tuple[Step, list[Step], list[Warning]]:
    """The masked scores with their 0/1 companion, the mask's own matrices, and its warnings."""
    shape = source.shape[-2:]
    rows = rows_a_block(shape[1])
    if mask is None:
        nothing = blocked(shape, rows, lambda _, i, j: np.zeros((j - i, shape[1]), np.uint8))
        return Step(rules.masked(source_name, ()), source, nothing), [], []
    parts = masks.parts(mask)
    seen, hidden, blind = sight.sight(mask, parts, *shape)
    triangular = mask.causal and mask.window is None and not parts
    bias = None if mask.bias is None else finite(mask.bias)

    def compute(i: int, start: int, stop: int) -> Array:
        scores = block(source, i)
        if bias is not None:
            scores = scores + (bias if len(bias) == 1 else bias[start:stop])
        if not triangular:
            return np.where(block(seen, i), scores, -np.inf)
        first, last = (sight.reach(mask, row, *shape) for row in (start + 1, stop))
        return triangle(scores, block(hidden, i), first, last)

    if isinstance(source, Blocked):
        M = blocked(shape, rows, compute, True, source)
    else:
        M = np.where(whole(seen), source if bias is None else source + bias, -np.inf)
    reads = tuple([Read(name, masks.part_axes(part)) for name, part in parts])
    step = Step(rules.masked(source_name, reads), M, hidden)
    return step, masks.inputs(parts), sight.blind_warning(blind, labels, fully_masked_rows)


def triangle(scores: Array, hidden: Array, first: int, last: int) -> Array:
    """−∞ where scores are hidden: none before column `first`, some up to `last`, then all."""
    M = np.empty(scores.shape)
    M[:, :last] = scores[:, :last]
    np.copyto(M[:, first:last], -np.inf, where=hidden[:, first:last].view(np.bool_))
    M[:, last:] = -np.inf
    return M
