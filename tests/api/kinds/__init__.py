"""Kinds of requests, each at the largest size that is answered and at the next, which is not."""

from kinds.attention import ATTENTION_KINDS
from kinds.attention_shapes import SHAPED
from kinds.blocks import BLOCKS
from kinds.comparisons import COMPARISONS
from kinds.counts import COUNTS
from kinds.encodings import ENCODINGS
from kinds.kind import MOST_BYTES, Full, Kind, Kinds
from kinds.laboratory import LABORATORY
from kinds.masks import MASKS
from kinds.multihead import HEADS
from kinds.norms import NORMS
from kinds.quiz import QUIZ
from kinds.refused import REFUSED

__all__ = ["FOUND_WHILE_COMPUTING", "KINDS", "MANY_SMALL_OBJECTS", "MOST_BYTES", "Full", "Kind"]

KINDS: Kinds = {
    **ATTENTION_KINDS, **SHAPED, **MASKS, **HEADS, **BLOCKS, **LABORATORY, **NORMS, **ENCODINGS,
    **COUNTS, **COMPARISONS, **QUIZ, **REFUSED,
}  # fmt: skip

# How often a label is repeated, how many cells differ and what the second of several traces is made
# from is only known once there is a mask, a difference or a trace.
FOUND_WHILE_COMPUTING = {
    "mask, long labels",
    "compare, a mask taken off",
    "compare, 16 heads and scores of another scale",
    "compare, bases",
    "multihead, all explained",
    "block, all explained",
    "softmax, many explained",
}
# Of these millions of small objects are made, and to trace each of them takes seconds; their memory
# is measured by bench/limits.py.
MANY_SMALL_OBJECTS = {
    "layernorm, many rows",
    "layernorm, a cell made from many numbers",
    "multihead, a sum of 512 updates",
    "attention, a cell made from many numbers",
    "attention, a row of a large head explained",
    "mask, many keys",
    "compare, 16 heads and scores of another scale",
    "compare, moves",
    "move, wide values",
    "move, negative weights",
    "move, many values",
    "softmax, one long column",
    "softmax, many draws",
    "softmax, many scores",
    "softmax, many widths",
    "quiz/grade, cells of answers",
    "quiz/grade, cells compared",
    "quiz/grade, tasks of their own",
    "quiz/check, cells",
    "quiz/regrade, cells",
    "quiz/regrade, formulas",
    "refused, no JSON",
    "refused, ragged rows",
    "refused, unknown members",
}
