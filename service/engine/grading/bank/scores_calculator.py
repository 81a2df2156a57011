"""Questions on the lecture's calculator: what the noun sees of its adjectives."""

from fractions import Fraction
from math import sqrt

import numpy as np

from service.engine.attention_rules import SCALED, WEIGHTS
from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.misconceptions import weights as broken
from service.engine.grading.questions.chapters import SCORES
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, matrix, quantity, worked
from service.engine.grading.questions.tasks import matrix_task, number_task
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.softmax import softmax
from service.engine.trace import Array, Read, Rule, Step, Trace, given

_NEAR = Absolute(Fraction(1, 200))
_QUERY_KEY = ("query", "key")
_GIVEN_SCORES = given("scores", "S", "Scores", _QUERY_KEY)
_WEIGHTS_OF_SCALED = Rule(
    "weights",
    "Weights: softmax over the keys of the query",
    "A",
    r"A_{ij} = e^{\tilde S_{ij}} / \sum_{j'} e^{\tilde S_{ij'}}",
    r"A_{ji} = e^{\tilde S_{ji}} / \sum_{j'} e^{\tilde S_{j'i}}",
    "softmax",
    _QUERY_KEY,
    (Read("scaled", ("query", "*")),),
)


def creature_weights(seed: int | None = None) -> Question:
    """softmax of a row of scores over √d_k."""
    places = pick((1, 2), ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2)), seed, "places")
    score = pick(4, range(1, 6), seed, "score")
    d_k = pick(2, (2, 3, 5, 6, 8), seed, "d_k")
    scores = np.array([[float(score if i in places else 0) for i in range(4)]])
    scaled = scores * (1 / sqrt(d_k))
    weights = softmax(scaled, may_be_blind=False)

    def mistakes() -> dict[str, Array]:
        return {
            "no_scaling": softmax(scores, may_be_blind=False),
            "divided_by_d_k": softmax(scores / d_k, may_be_blind=False),
            "base_two": broken.base_two(scaled),
            "no_exponential": broken.no_exponential(scaled),
            "no_normalisation": broken.no_normalisation(scaled),
        }

    def solution() -> Trace:
        constants = {"scale": 1 / sqrt(d_k), "d_k": float(d_k), "by_width": 1.0}
        return worked(
            Step(_GIVEN_SCORES, scores),
            Step(SCALED, scaled, None, constants),
            Step(_WEIGHTS_OF_SCALED, weights),
        )

    return Question(
        id="creature-weights",
        title="The creature looks at its adjectives",
        chapter=SCORES,
        difficulty=2,
        prompt="In *the fluffy blue creature* a noun asks for adjectives, in a head with "
        f"$d_k = {d_k}$. The scores of *creature* with the four words, itself the last, are "
        f"${row(scores[0])}$. Give its four attention weights as one row, to two decimals or more.",
        hints=(
            "Two things happen to the scores before they are weights; nothing here is masked.",
            r"Divide by $\sqrt{d_k}$, take $e$ to the power of each, and divide by the sum. A "
            "score of 0 still gets a weight.",
        ),
        task=matrix_task(Cells(_NEAR, rows_sum_to_one=True), weights, mistakes),
        explanation=rf"Scaled, ${score}$ becomes ${score} / \sqrt{{{d_k}}} \approx "
        rf"{score / sqrt(d_k):.2f}$, and softmax of the row gives ${row(weights[0])}$.",
        solution=solution,
    )


def creature_gain(seed: int | None = None) -> Question:
    """weight · fluffiness."""
    weight = Fraction(pick(4721, range(3105, 4895, 10), seed, "weight"), 10_000)
    fluffiness = pick(2, range(2, 10), seed, "fluffiness")
    gain = weight * fluffiness

    def solution() -> Trace:
        w = quantity("weight", "w", "Weight of fluffy", float(weight))
        v = quantity("value", "v", "Fluffiness of its value", fluffiness)
        return worked(w, v, computed("product", "gain", "g", "Fluffiness gained", w, v))

    return Question(
        id="creature-gain",
        title="How fluffy the creature becomes",
        chapter=SCORES,
        difficulty=1,
        prompt=f"*creature* gives the weight {float(weight):.4f} to *fluffy* and as much to "
        f"*blue*. The value of *fluffy* has a fluffiness of {fluffiness}, that of *blue* none. How "
        "much fluffiness does *creature* gain? Give it to two decimals or more.",
        hints=(
            "A head returns a sum of values; how much of each goes into it?",
            "Multiply the value's fluffiness by the weight of the word that it comes from.",
        ),
        task=number_task(
            _NEAR,
            gain,
            lambda: {
                "value_taken_whole": Fraction(fluffiness),
                "weight_for_the_gain": weight,
                "both_weights_taken": 2 * gain,
            },
        ),
        explanation=rf"${float(weight):.4f} \cdot {fluffiness} = {float(gain):.4f}$; *blue* brings "
        "no fluffiness, whatever its weight.",
        solution=solution,
    )


def order_swapped(seed: int | None = None) -> Question:
    """Equal weights on what is visible, for the adjectives come too late."""
    before = pick(1, (1, 2, 3, 4), seed, "before")
    after = pick(2, (1, 2, 3), seed, "after")
    score = pick(4, (2, 3, 4, 5, 6), seed, "score")
    scaled = np.array([[0.0] * (before + 1) + [float(score)] * after])
    masked = np.array([[0.0] * (before + 1) + [-np.inf] * after])
    weights = softmax(masked, may_be_blind=False)

    def mistakes() -> dict[str, Array]:
        return {
            "mask_forgotten": softmax(scaled, may_be_blind=False),
            "mask_as_zero": broken.mask_as_zero(masked),
            "mask_hides_itself": np.array([[1 / before] * before + [0.0] * (after + 1)]),
        }

    return Question(
        id="order-swapped",
        title="When the adjectives come too late",
        chapter=SCORES,
        difficulty=2,
        prompt=f"In a head with a causal mask a noun stands after {before} other "
        f"{'word' if before == 1 else 'words'}, and {after} "
        f"{'adjective follows' if after == 1 else 'adjectives follow'} it. Its scaled scores, in "
        f"the order of the text, are ${row(scaled[0])}$. Give the noun's weights for all "
        f"{before + after + 1} words as one row, to two decimals or more.",
        hints=(
            "Which of these scores does the noun get to see?",
            "Blocked words get nothing; words with equal scores share the rest equally.",
        ),
        task=matrix_task(
            Cells(_NEAR, rows_sum_to_one=True, blocked_are_zero=True), weights, mistakes
        ),
        explanation="The mask hides what comes later, however well it would fit. The noun itself "
        f"and what is before it have equal scores, so each of the {before + 1} gets "
        rf"$\frac{{1}}{{{before + 1}}}$.",
        solution=lambda: worked(
            matrix("masked", "M", "Masked scores", masked, _QUERY_KEY), Step(WEIGHTS, weights)
        ),
    )


CALCULATOR: Bank = {
    "creature-weights": creature_weights,
    "creature-gain": creature_gain,
    "order-swapped": order_swapped,
}
