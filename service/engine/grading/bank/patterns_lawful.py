"""The question which rows of numbers can be rows of weights."""

import numpy as np

from service.engine.grading.questions.chapters import PATTERNS
from service.engine.grading.questions.question import Question
from service.engine.grading.questions.solutions import decided, matrix, step
from service.engine.grading.questions.tasks import Offer, choice_task
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

_ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def lawful_rows(seed: int | None = None) -> Question:
    """A row is ≥ 0, sums to 1, and is 0 after the query itself."""
    query = pick(3, (2, 3, 4), seed, "query")
    tenth = pick(2, (1, 2, 3, 4), seed, "tenth")
    rows = _rows(query, tenth)
    offers = [
        Offer(f"${row(numbers)}$", code, message)
        for numbers, (code, message) in zip(rows, _FAULTS, strict=True)
    ]
    task = choice_task(offers, seed, "lawful-rows", partial=True)

    def solution() -> Trace:
        by_text = {offer.text: numbers for offer, numbers in zip(offers, rows, strict=True)}
        table = [by_text[option.text] for option in task.choices]
        given = matrix("rows", "R", "The rows that are offered", table, ("option", "key"))
        sums = np.array(table).sum(axis=1, keepdims=True)
        total = step(
            "sum",
            "sums",
            "s",
            "What each row sums to",
            r"\sum_j R_{ij}",
            sums,
            given,
            axes=("option", "1"),
        )
        return decided(task, given, total)

    return Question(
        id="lawful-rows",
        title="Can these be weights?",
        chapter=PATTERNS,
        difficulty=2,
        prompt=f"A text has five tokens. Which of these can be the attention weights of its "
        f"{_ORDINALS[query]} token in a head of GPT, rounded to one decimal? Choose all that can.",
        hints=(
            "Three laws hold for every row: one on signs, one on the sum, one on what comes later.",
            "Strike out each row with a negative number, then each with another sum than one "
            "whole, then each that looks ahead.",
        ),
        task=task,
        explanation=r"Softmax makes numbers from 0 to 1 that sum to 1, and the mask makes all "
        "weights after the token itself exactly 0. Nearly all weight on one token is lawful too.",
        solution=solution,
    )


_FAULTS = (
    ("", ""),
    ("", ""),
    ("row_looks_ahead", "One of the rows you chose gives weight to a token that comes later."),
    ("row_sums_above_one", "One of the rows you chose gives away more than one whole."),
    (
        "row_with_negative_weight",
        "One of the rows you chose has a negative weight, which softmax never gives.",
    ),
)


def _rows(query: int, tenth: int) -> list[list[float]]:
    """Two lawful rows of five weights, then one for each of _FAULTS."""
    a, b = tenth / 10, (10 - tenth) / 10
    before = [0.0] * (query - 2)
    after = [0.0] * (5 - query)
    return [
        [*before, a, b, *after],
        [1.0, *[0.0] * 4],
        [*before, a, 0.5, (5 - tenth) / 10, *after[1:]],
        [*before, b, 0.5, *after],
        [*before, -a, (10 + tenth) / 10, *after],
    ]
