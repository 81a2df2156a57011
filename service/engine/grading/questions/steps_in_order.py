"""The question in which order a head works."""

import numpy as np

from service.engine.grading.marking.rules import Ordering
from service.engine.grading.marking.task import Misconception, Option, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.questions.chapters import SCORES
from service.engine.grading.questions.question import Question
from service.engine.grading.questions.solutions import matrix, step, worked
from service.engine.grading.questions.tasks import LETTERS, Offer, shuffled
from service.engine.trace import Trace

_STEPS = (
    Offer("Multiply the embeddings by $W_Q$ and by $W_K$: queries and keys."),
    Offer("Take the dot product of each query with each key."),
    Offer(r"Divide by $\sqrt{d_k}$."),
    Offer(r"Put $-\infty$ where a key comes after the query."),
    Offer("Take softmax of each row."),
    Offer("Sum up the values, each times its weight."),
    Offer("Multiply by $W_O$: the update."),
    Offer("Add the update to the embedding."),
)
_OWN_SHUFFLE = 5  # the lecture's variant is shuffled too, or it would stand in order


def head_in_order(seed: int | None = None) -> Question:
    """Eight of the calculator's steps; values may be made at any time before they are summed."""
    shown = shuffled(_STEPS, seed or _OWN_SHUFFLE, "head-in-order")
    letters = {offer: id for id, offer in zip(LETTERS, shown, strict=False)}
    key = tuple(letters[offer] for offer in _STEPS)

    def misconceptions() -> tuple[Misconception, ...]:
        return (
            known("mask_after_softmax", _moved(key, 3, 4)),
            known("scaled_after_softmax", _moved(key, 2, 4)),
            known("added_before_output_matrix", _moved(key, 7, 6)),
        )

    def solution() -> Trace:
        ids = sorted(key)
        needs = [[float(key.index(one) <= key.index(id)) for id in ids] for one in ids]
        table = matrix(
            "comes_first", "B", "1 where a step comes no later", needs, ("step", "option")
        )
        places = np.array(needs).sum(axis=0, keepdims=True)
        return worked(
            table,
            step(
                "sum",
                "places",
                "p",
                "Places",
                r"\sum_i B_{ij}",
                places,
                table,
                axes=("1", "option"),
            ),
            labels={"option": ids, "step": ids},
        )

    return Question(
        id="head-in-order",
        title="A head at work",
        chapter=SCORES,
        difficulty=2,
        prompt="Put the steps of a head of GPT in order, the first one first. (The values are made "
        "of the embeddings at the start; scaling and masking come in the order of the paper's "
        "figure.)",
        hints=(
            "Which steps can only be done with numbers that another step makes?",
            "Whatever changes scores comes before they turn into weights; whatever uses weights "
            "comes after.",
        ),
        task=Task(
            Ordering(partial=True),
            key,
            tuple(Option(letters[offer], offer.text) for offer in shown),
            misconceptions,
        ),
        explanation="First scores, then what is done to them (scaled, masked), then weights, then "
        "what is done with them: the sum of the values, brought back to the width of the "
        "embeddings and added.",
        solution=solution,
    )


def _moved(order: tuple[str, ...], start: int, end: int) -> tuple[str, ...]:
    rest = [*order[:start], *order[start + 1 :]]
    return (*rest[:end], order[start], *rest[end:])
