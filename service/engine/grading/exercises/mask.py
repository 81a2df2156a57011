"""The causal mask on made-up scores: what it hides, and the weights that are left."""

import numpy as np

from service.engine.grading.exercises.drawn import drawn
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.head_stages import stage_of
from service.engine.grading.questions.chapters import MASKING
from service.engine.grading.questions.variants import pick
from service.engine.mask import Mask
from service.engine.mask_effect import mask_effect
from service.engine.trace import Array

_TOKENS = ("The", "cat", "sat", "on")
_TEXTS = (
    ("A", "dog", "ran", "off"),
    ("Rain", "fell", "all", "night"),
    ("She", "read", "it", "twice"),
    ("Few", "birds", "stayed", "behind"),
)
_SCORES = ((2.0, 1.0, 0.5, 0.0), (1.5, 2.5, 1.0, 0.5), (0.5, 3.0, 1.5, 2.5), (0.0, 1.0, 2.5, 1.5))


def masked_table(seed: int | None = None) -> Exercise:
    """Four tokens; the scores are halves from 0 to 3, no two of a row alike."""
    tokens = list(pick(_TOKENS, _TEXTS, seed, "tokens"))
    scores = _drawn(seed) if seed else np.array(_SCORES)
    trace = mask_effect(scores, mask=Mask(causal=True), tokens=tokens)
    steps = {step.rule.name: step for step in trace.steps}

    def of(name: str) -> str:
        """These scores are taken as scaled already."""
        return "scores" if name == "scaled" else name

    return Exercise(
        id="masked-table",
        title="A table of scores under the causal mask",
        chapter=MASKING,
        prompt=f"These are the scores of *{' '.join(tokens)}*, a row for each query and a column "
        "for each key; take them as scaled already. Apply the causal mask, and then softmax. Write "
        "$-\\infty$ for a blocked score, and give the weights to two decimals or more.",
        givens=(steps["scores"],),
        stages=tuple(
            stage_of(steps[name], name, of, but=("no_scaling",)) for name in ("masked", "weights")
        ),
        solution=trace,
        explanation="A key that comes after its query gets $-\\infty$, and $e^{-\\infty} = 0$: it "
        "takes no part in the sum, so the rest of the row still sums to 1.",
        difficulty=2,
        hints=("The first token sees itself alone. What is its only weight?",),
    )


def _drawn(seed: int) -> Array:
    """The start of a shuffle of 0, 0.5, …, 3 for each row."""
    order = np.argsort(drawn(seed, "order", (4, 7), 0, 999), axis=1, kind="stable")
    return order[:, :4] / 2
