"""Questions on how near a moved embedding comes to a target, and on what weights can be."""

import math
from fractions import Fraction

import numpy as np

from service.engine.grading.marking.rules import Absolute
from service.engine.grading.questions.chapters import MOVING
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, decided, matrix, step
from service.engine.grading.questions.tasks import Offer, choice_task, number_task
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.grading.questions.vectors import dotted
from service.engine.move import move
from service.engine.trace import UNIT, Trace, find

_XS = ((3, 1), (1, 4), (4, -2), (5, 2), (2, 5))
_UPDATES = ((-2, 3), (3, 2), (-1, 4), (2, -3))
_TARGETS = ((12, 11), (-8, 12), (11, -10), (-10, -9))


def distance_to_target(seed: int | None = None) -> Question:
    """‖t − (x + Δ)‖."""
    x = pick((2, 1), _XS, seed, "x")
    update = pick((1, 2), _UPDATES, seed, "update")
    target = pick((5, 8), _TARGETS, seed, "target")
    gap = tuple(t - a - d for t, a, d in zip(target, x, update, strict=True))
    square = sum(number**2 for number in gap)

    def mistakes() -> dict[str, float]:
        return {
            "update_only": math.dist(x, target),
            "residual_forgotten": math.dist(update, target),
            "root_forgotten": square,
            "sides_not_squared": sum(map(abs, gap)),
        }

    def solution() -> Trace:
        """Moved by the one value Δ with the weight 1."""
        rows = [np.array([numbers], np.float64) for numbers in (x, update, target)]
        trace = move(rows[0], rows[1], np.ones((1, 1)), rows[2])
        moved, (goal,) = find(trace.steps, "moved"), trace.inputs
        axes, value = (UNIT, "d_model"), np.array([gap], np.float64)
        left = step("difference", "gap", "g", "The gap", "t - y", value, goal, moved, axes=axes)
        squared = dotted("square", r"\ell^2", "Its length squared", left, left)
        length = computed("root", "distance", r"\ell", "Its length", squared)
        return trace._replace(steps=[*trace.steps, left, squared, length])

    return Question(
        id="distance-to-target",
        title="How far from the target?",
        chapter=MOVING,
        difficulty=2,
        prompt=rf"Attention moves the embedding $x = {row(x)}$ by $\Delta = {row(update)}$. How "
        f"far is it then from the target $t = {row(target)}$? Give the length of the straight "
        "line, to two decimals.",
        hints=(
            "Where is the embedding after the move?",
            r"Subtract $x + \Delta$ from $t$, square both numbers, add them, take the root.",
        ),
        task=number_task(Absolute(Fraction(1, 200)), math.sqrt(square), mistakes),
        explanation=f"From where it lands the target is ${row(gap)}$ away, and "
        rf"$\sqrt{{{square}}} \approx {math.sqrt(square):.2f}$.",
        solution=solution,
    )


_PAIRS: dict[tuple[float, float], tuple[str, ...]] = {
    (0.47, 0.47): (),
    (1, 0): (),
    (0.1, 0.2): (),
    (0.8, 0.5): (
        "sum_above_one",
        "The weights of a row are shares of one whole: together they cannot be more than 1.",
    ),
    (-0.2, 0.9): (
        "negative_weight",
        "Softmax makes a weight from a power of e, which is never negative.",
    ),
}
_OFFERS = {Offer(f"${a}$ and ${b}$", *wrong): (a, b) for (a, b), wrong in _PAIRS.items()}


def possible_weights(seed: int | None = None) -> Question:
    """Which pairs can be attention weights: none below 0, at most 1 together."""
    task = choice_task(_OFFERS, seed, "possible-weights", partial=True)

    def solution() -> Trace:
        by_text = {offer.text: pair for offer, pair in _OFFERS.items()}
        pairs = [by_text[option.text] for option in task.choices]
        given = matrix("pairs", "P", "The pairs", pairs, ("option", "key"))
        sums, axes = np.array(pairs).sum(axis=1, keepdims=True), ("option", UNIT)
        total = step("sum", "sums", "s", "Their sums", r"\sum_j P_j", sums, given, axes=axes)
        return decided(task, given, total)

    return Question(
        id="possible-weights",
        title="What attention can give",
        chapter=MOVING,
        difficulty=1,
        prompt="A token looks at *fluffy*, at *blue*, and at further tokens of its text. Which of "
        "these can be its weights for *fluffy* and *blue*? Choose all that can.",
        hints=(
            "What does softmax do to a row of scores?",
            "Look for weights below 0, and for pairs that leave less than nothing to the others.",
        ),
        task=task,
        explanation="Softmax makes weights that are never negative and sum to 1 over the whole "
        "row. So two of them sum to at most 1, and the rest goes to the other tokens.",
        solution=solution,
    )


TO_TARGETS: Bank = {"distance-to-target": distance_to_target, "possible-weights": possible_weights}
