"""A question on where one word of a translation looks in its source."""

from fractions import Fraction

import numpy as np

from service.engine.blocks import whole
from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.questions.chapters import CROSS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.tasks import matrix_task
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.trace import Array, Trace, find

_WORDS = ("I", "have", "seen")
_QUERIES = ((2, 0, 1, 1), (0, 2, 1, -1), (1, 2, 0, -1), (0, 1, 2, 1), (1, -1, 1, 2), (2, 1, -1, 0))
_KEYS = (
    ((1, 0, 1, 0), (0, 1, 0, 2), (2, 1, 1, 0)),
    ((0, 2, 0, 1), (2, 0, 1, 0), (1, 1, 0, -2)),
    ((1, 1, -1, 0), (0, 0, 2, 1), (2, -1, 0, 1)),
    ((2, 0, 0, 1), (-1, 1, 1, 0), (0, 1, 2, 1)),
)


def alignment_row(seed: int | None = None) -> Question:
    """softmax(q Kᵀ / √d_k) over the words of the source, d_k = 4."""
    q = pick((2, 1, 0, 1), _QUERIES, seed, "q")
    K = pick(((0, 1, 1, 0), (1, -1, 0, 1), (2, 1, 0, 1)), _KEYS, seed, "K")
    weights = _weights(q, K)
    second_word = Mask(keep_keys=np.array([[True, True, False]]))

    def mistakes() -> dict[str, Array]:
        scores = np.array([q], np.float64) @ np.array(K, np.float64).T
        powers = np.exp2(scores / 2)
        return {
            "no_scaling": _weights(q, K, scale=1.0),
            "divided_by_d_k": _weights(q, K, scale=0.25),
            "cross_attention_masked": _weights(q, K, mask=second_word),
            "no_normalisation": np.exp(scores / 2),
            "base_two": powers / powers.sum(),
        }

    def solution() -> Trace:
        trace = _head(q, K)
        of = [find(trace.steps, name) for name in ("Q", "K", "scores", "scaled", "masked")]
        return trace._replace(steps=[*of, find(trace.steps, "weights")])

    keys = ", ".join(
        f"*{word}* $k_{i} = {row(k)}$" for i, (word, k) in enumerate(zip(_WORDS, K, strict=True), 1)
    )
    return Question(
        id="alignment-row",
        title="Where *gesehen* looks",
        chapter=CROSS,
        difficulty=3,
        prompt="A decoder is about to write the German for *seen*, as the second word of its "
        f"clause. Its query there is $q = {row(q)}$; the keys of the source are {keys}. Which "
        "weights does the cross-attention of this head give the three words? Give them as a row, "
        "to two decimals.",
        hints=(
            "Three scores, each divided by the same number, then softmax. Is anything masked?",
            r"$d_k = 4$, so divide the dot products by $\sqrt{4}$. The source is all there to be "
            "seen.",
        ),
        task=matrix_task(
            Cells(Absolute(Fraction(1, 200)), rows_sum_to_one=True), weights, mistakes
        ),
        explanation="The scores are "
        f"${row([sum(a * b for a, b in zip(q, k, strict=True)) for k in K])}$; halved, and through "
        f"softmax, they give ${row(weights[0])}$. Nothing of the source is hidden, however "
        "far the translation has come.",
        solution=solution,
    )


Row = tuple[int, ...]


def _head(
    q: Row, K: tuple[Row, ...], scale: float | None = None, mask: Mask | None = None
) -> Trace:
    """The engine's attention of one query to the source; its values do not matter here."""
    return attention(
        Q=np.array([q], np.float64), K=np.array(K, np.float64), V=np.eye(3), scale=scale, mask=mask
    )


def _weights(
    q: Row, K: tuple[Row, ...], scale: float | None = None, mask: Mask | None = None
) -> Array:
    weights: Array = whole(find(_head(q, K, scale, mask).steps, "weights").value)
    return weights


ALIGNMENT: Bank = {"alignment-row": alignment_row}
