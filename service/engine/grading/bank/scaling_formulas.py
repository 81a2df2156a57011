"""Questions on scaling whose answer is a formula, or a look at one."""

import numpy as np

from service.engine.grading.marking.rules import Expression, Variable
from service.engine.grading.marking.task import Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.questions.chapters import SCALING
from service.engine.grading.questions.question import Question
from service.engine.grading.questions.solutions import (
    computed,
    decided,
    quantity,
    step,
    vector,
    worked,
)
from service.engine.grading.questions.tasks import Offer, choice_task
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

_PER_OPTION = ("1", "option")


def smallest_slope(seed: int | None = None) -> Question:
    """p (1 − p) is smallest where p is nearest to 1."""
    near = pick(999, range(990, 1000), seed, "near") / 1000
    middle = pick(80, range(65, 86), seed, "middle") / 100
    high = pick(95, range(88, 96), seed, "high") / 100
    weights = {f"${weight:g}$": weight for weight in (0.5, middle, high, near)}
    faults = (
        ("flat_where_equal", "Where two keys are level, a small push tips the most weight."),
        ("flat_halfway", "There is still much weight on the other key, which could move."),
        ("flat_too_early", "The slope shrinks further the less weight the other key has left."),
        ("", ""),
    )
    offers = [Offer(text, *fault) for text, fault in zip(weights, faults, strict=True)]
    task = choice_task(offers, seed, "smallest-slope")

    def solution() -> Trace:
        p = [weights[option.text] for option in task.choices]
        whole = quantity("whole", "s", "What a row sums to", 1)
        own = vector("weights", "p", "Weight of the key", p, "option")
        q = 1.0 - np.array([p])
        rest = step(
            "difference", "rest", "q", "Weight of the other", "1 - p", q, whole, own,
            axes=_PER_OPTION,
        )  # fmt: skip
        title = "Change of the weight for a small change of the score"
        slope = step(
            "product", "slope", "p'", title, r"p \cdot q", np.array([p]) * q, own, rest,
            axes=_PER_OPTION,
        )  # fmt: skip
        return decided(task, whole, own, rest, slope)

    return Question(
        id="smallest-slope",
        title="Where softmax stops learning",
        chapter=SCALING,
        difficulty=2,
        prompt="Two keys share the weight of a query. In training, the score of one of them is "
        "nudged a little. At which weight of that key does the weight react the least?",
        hints=(
            "Think of softmax over two keys as a curve from 0 to 1. Where is it flat?",
            "The slope is the key's weight times the weight of the other one.",
        ),
        task=task,
        explanation="The slope is $p (1 - p)$, largest for two equal keys and next to nothing "
        "where one has nearly all. Scores that are not scaled lead there.",
        solution=solution,
    )


def scaled_formula(_seed: int | None = None) -> Question:
    """s / √d."""

    def solution() -> Trace:
        score = quantity("score", "s", "A score, as an example", 20)
        width = quantity("d_k", "d", "Entries of a query and of a key, as an example", 64)
        root = computed("root", "divisor", "c", "The divisor", width)
        return worked(
            score, width, root, computed("quotient", "scaled", "t", "Scaled score", score, root)
        )

    return Question(
        id="scaled-formula",
        title="The scaled score as a formula",
        chapter=SCALING,
        difficulty=1,
        prompt="A query and a key have $d$ entries each, and their dot product is $s$. Write the "
        "scaled score as a formula in $s$ and $d$.",
        hints=(
            "Which of the two numbers makes scores scatter more widely?",
            "A standard deviation grows with the root of the number of entries; divide by it.",
        ),
        task=Task(
            Expression((Variable("s", -20.0, 20.0), Variable("d", 2.0, 512.0))),
            "s/sqrt(d)",
            misconceptions=lambda: (
                known("divided_by_d_k", "s/d"),
                known("scaled_up", "s*sqrt(d)"),
                known("no_scaling", "s"),
            ),
        ),
        explanation=r"$\frac{s}{\sqrt{d}}$: the spread of $s$ grows with $\sqrt{d}$, and the "
        "quotient's does not.",
        solution=solution,
    )
