"""Questions on how near a moved embedding comes to a target, and on what a head can give."""

import math
from fractions import Fraction

import numpy as np

from service.engine.grading.marking.rules import Absolute
from service.engine.grading.questions.chapters import MOVING
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, decided, matrix, step, vector
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


_VALUES = ((1, 4, 8), (3, 5, 10), (2, 6, 7), (-1, 3, 6), (4, 7, 11), (-1, 4, 9))


def possible_mixtures(seed: int | None = None) -> Question:
    """Which numbers a head can make of three values: those between the least and the greatest."""
    values = pick((2, 5, 9), _VALUES, seed, "values")
    offers = {Offer(f"${number}$", *wrong): number for number, wrong in _mixtures(values).items()}
    task = choice_task(offers, seed, "possible-mixtures", partial=True)

    def solution() -> Trace:
        by_text = {offer.text: number for offer, number in offers.items()}
        numbers = [[by_text[option.text]] for option in task.choices]
        given = vector("values", "v", "The values", values, "key")
        offered = matrix("offered", "x", "The numbers", numbers, ("option", UNIT))
        gaps, axes = np.array(numbers) - np.array([values]), ("option", "key")
        title = "How far each is from each value, of both signs for what lies between"
        apart = step("difference", "apart", "g", title, "x - v", gaps, offered, given, axes=axes)
        return decided(task, given, offered, apart)

    return Question(
        id="possible-mixtures",
        title="What attention can give",
        chapter=MOVING,
        difficulty=1,
        prompt=f"A token sees three tokens, whose values have the numbers ${values[0]}$, "
        f"${values[1]}$ and ${values[2]}$ in their first place. Which of these numbers can the "
        "head's result have in that place, before its way back up? Choose all.",
        hints=(
            "Each value is taken with its weight; what do you know of weights?",
            "Think of a weight of nearly one on one token, and next to nothing on the others.",
        ),
        task=task,
        explanation="The weights are positive and sum to 1, so the head gives a mean of the "
        f"values: anything from above ${values[0]}$ to below ${values[2]}$, and nothing beyond.",
        solution=solution,
    )


def _mixtures(values: tuple[int, int, int]) -> dict[float, tuple[str, ...]]:
    """Two numbers that can be, and three that cannot, with code and message of the mistake."""
    low, _, high = values
    above = "A mean is never greater than all that it is made of."
    return {
        low + 1: (),
        high - 0.5: (),
        low - 2: ("mixture_below", "A mean is never less than all that it is made of."),
        high + 1: ("mixture_above", above),
        sum(values): ("values_summed", "The values are not added whole; the weights share one 1."),
    }


TO_TARGETS: Bank = {
    "distance-to-target": distance_to_target,
    "possible-mixtures": possible_mixtures,
}
