"""Questions on the causal mask over a small table of scores."""

from fractions import Fraction

import numpy as np

from service.engine.grading.marking.rules import Absolute, Cells, Integer
from service.engine.grading.misconceptions import weights as broken
from service.engine.grading.questions.chapters import MASKING
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.tasks import matrix_task
from service.engine.grading.questions.typeset import matrix
from service.engine.grading.questions.variants import pick
from service.engine.mask import Mask
from service.engine.mask_effect import mask_effect
from service.engine.softmax import softmax
from service.engine.trace import Array, Trace

_CAUSAL = Mask(causal=True)
_SEEN = np.tri(3, dtype=np.bool_)


def masked_scores(seed: int | None = None) -> Question:
    """−∞ above the diagonal, and nothing else changed."""
    scores = _drawn(((3, 1, 2), (-1, 4, 5), (2, 6, -2)), seed, "masked-scores")
    masked = np.where(_SEEN, scores, -np.inf)

    def mistakes() -> dict[str, Array]:
        return {
            "mask_reversed": np.where(_SEEN.T, scores, -np.inf),
            "mask_hides_itself": np.where(np.tri(3, k=-1, dtype=np.bool_), scores, -np.inf),
            "mask_as_zero": np.where(_SEEN, scores, 0.0),
        }

    return Question(
        id="masked-scores",
        title="The mask at work",
        chapter=MASKING,
        difficulty=1,
        prompt=f"Three tokens have the scaled scores ${matrix(scores.tolist())}$, a row for each "
        "query. Give the table after the causal mask, as softmax gets it. (You can type -inf.)",
        hints=(
            "Which keys come after the first query, which after the second?",
            "What softmax shall turn into nothing has to become infinitely small. The diagonal "
            "stays.",
        ),
        task=matrix_task(Cells(Integer()), masked, mistakes),
        explanation=r"Whatever stands right of the diagonal becomes $-\infty$, all else stays: "
        f"${matrix(masked.tolist())}$.",
        solution=lambda: _until("masked", scores),
    )


def masked_table_weights(seed: int | None = None) -> Question:
    """softmax of each row of a masked table."""
    scores = _drawn(((1, 0, 2), (0, 1, 3), (2, 0, 1)), seed, "masked-table-weights")
    masked = np.where(_SEEN, scores, -np.inf)
    weights = softmax(masked, may_be_blind=False)

    def mistakes() -> dict[str, Array]:
        return {
            "mask_forgotten": softmax(scores, may_be_blind=False),
            "mask_after_softmax": broken.mask_after_softmax(masked, scores),
            "mask_as_zero": broken.mask_as_zero(masked),
            "mask_reversed": softmax(np.where(_SEEN.T, scores, -np.inf), may_be_blind=False),
            "softmax_down_columns": broken.softmax_down_columns(masked),
            "base_two": broken.base_two(masked),
        }

    each = Absolute(Fraction(1, 200))
    return Question(
        id="masked-table-weights",
        title="Weights under the mask",
        chapter=MASKING,
        difficulty=3,
        prompt=f"Three tokens have the scaled scores ${matrix(scores.tolist())}$, a row for each "
        "query. Give the table of attention weights of a head with a causal mask, to two decimals "
        "or more.",
        hints=(
            "Strike out what each query may not see before you take any power.",
            "Softmax runs over what is left in each row: $e$ to the power of each score, divided "
            "by their sum. The first row has one score left.",
        ),
        task=matrix_task(
            Cells(each, rows_sum_to_one=True, blocked_are_zero=True), weights, mistakes
        ),
        explanation="Mask first, then softmax over the rest of each row: "
        f"${matrix(weights.tolist())}$.",
        solution=lambda: _until("weights", scores),
    )


def _drawn(own: tuple[tuple[int, ...], ...], seed: int | None, place: str) -> Array:
    rows = [
        [pick(number, range(-2, 5), seed, place, i, j) for j, number in enumerate(numbers)]
        for i, numbers in enumerate(own)
    ]
    return np.array(rows, np.float64)


def _until(last: str, scores: Array) -> Trace:
    """The engine's trace of a causal mask, up to the step `last`."""
    trace = mask_effect(scores, mask=_CAUSAL)
    names = [one.rule.name for one in trace.steps]
    return trace._replace(steps=trace.steps[: names.index(last) + 1])


MASKED_TABLES: Bank = {
    "masked-scores": masked_scores,
    "masked-table-weights": masked_table_weights,
}
