"""The question in which order a head works."""

from service.engine.grading.questions.chapters import SCORES
from service.engine.grading.questions.orders import Texts, in_order, order_task
from service.engine.grading.questions.question import Question

_STEPS = (
    "Multiply the embeddings by $W_Q$ and by $W_K$: queries and keys.",
    "Take the dot product of each query with each key.",
    r"Divide by $\sqrt{d_k}$.",
    r"Put $-\infty$ where a key comes after the query.",
    "Take softmax of each row.",
    "Sum up the values, each times its weight.",
    "Multiply by $W_O$: the update.",
    "Add the update to the embedding.",
)


def head_in_order(seed: int | None = None) -> Question:
    """Eight of the calculator's steps; values may be made at any time before they are summed."""
    task = order_task(
        _STEPS,
        seed,
        "head-in-order",
        lambda: {
            "mask_after_softmax": _moved(3, 4),
            "scaled_after_softmax": _moved(2, 4),
            "added_before_output_matrix": _moved(7, 6),
        },
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
        task=task,
        explanation="First scores, then what is done to them (scaled, masked), then weights, then "
        "what is done with them: the sum of the values, brought back to the width of the "
        "embeddings and added.",
        solution=lambda: in_order(task),
    )


def _moved(start: int, end: int) -> Texts:
    """The steps with one of them at another place."""
    rest = [*_STEPS[:start], *_STEPS[start + 1 :]]
    return [*rest[:end], _STEPS[start], *rest[end:]]
