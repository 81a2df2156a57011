"""The lecture's calculator: one causal head, from the embeddings to what it adds to them."""

from itertools import count

import numpy as np

from service.engine.grading.exercises.drawn import drawn
from service.engine.grading.exercises.exercise import Exercise, Stage
from service.engine.grading.exercises.head_stages import head_stages, output_stage
from service.engine.grading.questions.chapters import SCORES
from service.engine.grading.questions.variants import pick
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.softmax import softmax
from service.engine.trace import Array, Trace

_TOKENS = ("the", "fluffy", "blue", "creature")
_MATRICES = {
    "X": ((0, 0, 0, 0), (0, 1, 1, 0), (0, 1, 0, 1), (1, 0, 0, 0)),
    "W_Q": ((2, 0, 0, 0), (0, 0, 0, 0)),
    "W_K": ((0, 2, 0, 0), (0, 0, 0, 0)),
    "W_V": ((0, 0, 1, 0), (0, 0, 0, 1)),
    "W_O": ((0, 0), (0, 0), (1, 0), (0, 1)),
}
_TEXTS = (
    ("an", "old", "stone", "bridge"),
    ("one", "small", "red", "boat"),
    ("two", "quiet", "grey", "owls"),
    ("my", "warm", "woollen", "coat"),
    ("that", "long", "winding", "road"),
)


def calculator(seed: int | None = None) -> Exercise:
    """Four tokens of four numbers, d_k = d_v = 2."""
    tokens = pick(_TOKENS, _TEXTS, seed, "tokens")
    trace = _trace(_variant(seed) if seed else _given(), list(tokens))
    steps = {step.rule.name: step for step in trace.steps}
    stages: list[Stage] = [*head_stages(steps), output_stage(steps["output"])]
    return Exercise(
        id="calculator",
        title="One attention head, step by step",
        chapter=SCORES,
        prompt=f"The text is *{' '.join(tokens)}*; each row of $X$ is the embedding of one of its "
        "tokens. A causal attention head has the matrices $W_Q$, $W_K$, $W_V$ and $W_O$, which "
        "act as $W x$ on each token's embedding. Work out what the head does: queries, keys, "
        "scores, scaled scores, masked scores, weights, values, the head itself, its update, and "
        "the output. Write $-\\infty$ for a blocked score.",
        givens=(steps["X"], *trace.inputs),
        stages=tuple(stages),
        solution=trace,
        explanation="Every row of the scores belongs to a query and every column to a key. "
        "Dividing by $\\sqrt{d_k}$, hiding what comes later and softmax along each row make "
        "weights of them; the weights mix the values, $W_O$ brings the mixture back to the width "
        "of an embedding, and there it is added.",
        difficulty=3,
        hints=(
            "Row $i$ of $Q$ is $W_Q$ times row $i$ of $X$; $K$ and $V$ are made in the same way.",
            "Row $i$ and column $j$ of the scores is the dot product of query $i$ and key $j$.",
        ),
    )


def _given() -> dict[str, Array]:
    return {name: np.array(rows, dtype=np.float64) for name, rows in _MATRICES.items()}


def _trace(matrices: dict[str, Array], tokens: list[str]) -> Trace:
    return attention(**matrices, mask=Mask(causal=True), tokens=tokens)  # type: ignore[arg-type]


def _variant(seed: int) -> dict[str, Array]:
    """The first draws of this seed that are worth working out."""
    for turn in count():
        X = drawn(seed, ("X", turn), (4, 4), 0, 2)
        W_Q = drawn(seed, ("W_Q", turn), (2, 4), -1, 1)
        W_K = drawn(seed, ("W_K", turn), (2, 4), -1, 1)
        if _is_telling(X, X @ W_Q.T, X @ W_K.T):
            break
    for turn in count():
        W_V = drawn(seed, ("W_V", turn), (2, 4), -1, 2)
        if _has_no_zero_row(X @ W_V.T):
            break
    W_O = drawn(seed, "W_O", (4, 2), -1, 2)
    W_O[seed % 4] = (1, 2)  # so that no update is 0
    return {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}


def _is_telling(X: Array, Q: Array, K: Array) -> bool:
    """Small scores, no row of zeros, and weights that neither tie nor leave all to one key."""
    scores = Q @ K.T
    if np.abs(scores).max() > 8 or not all(map(_has_no_zero_row, (X, Q, K))):
        return False
    last = np.sort(softmax(scores[-1:] / np.sqrt(2), may_be_blind=False)[0])
    return bool(last[-1] < 0.9 and np.diff(last).min() > 0.01)


def _has_no_zero_row(rows: Array) -> bool:
    return bool(rows.any(axis=1).all())
