"""Questions on scores: queries meet keys, and the weights that come of it."""

from fractions import Fraction
from math import sqrt

import numpy as np

from service.engine.attention_rules import SCALED, SCORES, K, Q
from service.engine.grading.bank.scores_calculator import CALCULATOR
from service.engine.grading.bank.steps_in_order import head_in_order
from service.engine.grading.marking.rules import Cells, DecimalPlaces, Integer
from service.engine.grading.questions.chapters import SCORES as CHAPTER
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import worked
from service.engine.grading.questions.tasks import matrix_task, number_task
from service.engine.grading.questions.typeset import dot, matrix, row
from service.engine.grading.questions.variants import pick
from service.engine.trace import Step, Trace


def scaled_score(seed: int | None = None) -> Question:
    """q·k / √d_k for three entries, whose root is no whole number."""
    q = tuple(pick(x, range(1, 6), seed, "q", i) for i, x in enumerate((1, 2, 2)))
    k = tuple(pick(x, range(-3, 6), seed, "k", i) for i, x in enumerate((3, -1, 4)))
    if _dot(q, k) == 0:  # 0 stays 0, whatever it is divided by
        k = (*k[:2], k[2] + 1)
    score = _dot(q, k)
    scaled = score / sqrt(3)

    def solution() -> Trace:
        queries, keys = np.array([q], np.float64), np.array([k], np.float64)
        constants = {"scale": 1 / sqrt(3), "d_k": 3.0, "by_width": 1.0}
        return worked(
            Step(Q, queries),
            Step(K, keys),
            Step(SCORES, queries @ keys.T),
            Step(SCALED, np.array([[scaled]]), None, constants),
        )

    return Question(
        id="scaled-score",
        title="From a score to a scaled score",
        chapter=CHAPTER,
        difficulty=2,
        prompt=f"A query $q = {row(q)}$ meets a key $k = {row(k)}$. Give the scaled score, the one "
        "that the mask and softmax go on with, to two decimals.",
        hints=(
            "Begin with the score as it is, then think of how many entries the vectors have.",
            r"Divide $q \cdot k$ by the square root of the number of entries.",
        ),
        task=number_task(
            DecimalPlaces(2),
            scaled,
            lambda: {
                "no_scaling": score,
                "divided_by_d_k": Fraction(score, 3),
                "scaled_up": score * sqrt(3),
                "sign_lost": abs(scaled),
            },
        ),
        explanation=rf"$q \cdot k = {dot(q, k)} = {score}$, and "
        rf"${score} / \sqrt{{3}} \approx {scaled:.2f}$.",
        solution=solution,
    )


def score_table(seed: int | None = None) -> Question:
    """Q Kᵀ for two queries and two keys."""
    queries = _table(((1, 2), (0, 3)), seed, "Q")
    keys = _table(((2, 1), (-1, 4)), seed, "K")
    q, k = np.array(queries), np.array(keys)
    table = q @ k.T

    return Question(
        id="score-table",
        title="The table of scores",
        chapter=CHAPTER,
        difficulty=2,
        prompt=f"Two tokens have the queries $Q = {matrix(queries)}$ and the keys "
        f"$K = {matrix(keys)}$, one row for each token. Give the table of their scores before any "
        "scaling, with a row for each query.",
        hints=(
            "Each cell is the score of one pair; which query and which key belong to it?",
            "The cell in a row and a column is the dot product of that row of $Q$ and the row of "
            "$K$ that has the column's number.",
        ),
        task=matrix_task(
            Cells(Integer()),
            table,
            lambda: {
                "keys_as_queries": table.T,
                "keys_not_transposed": q @ k,
                "cells_multiplied_in_place": q * k,
                "second_product_forgotten": np.outer(q[:, 0], k[:, 0]),
            },
        ),
        explanation=rf"The scores are $Q K^\top = {matrix(table.tolist())}$: a row for each query, "
        "a column for each key.",
        solution=lambda: worked(
            Step(Q, q.astype(np.float64)),
            Step(K, k.astype(np.float64)),
            Step(SCORES, table.astype(np.float64)),
        ),
    )


def _dot(q: tuple[int, ...], k: tuple[int, ...]) -> int:
    return sum(a * b for a, b in zip(q, k, strict=True))


def _table(own: tuple[tuple[int, int], ...], seed: int | None, name: str) -> list[tuple[int, int]]:
    entries = tuple((a, b) for a in range(-3, 6) for b in range(-3, 6) if a != b and a * b)
    return [pick(numbers, entries, seed, name, i) for i, numbers in enumerate(own)]


SCORE_QUESTIONS: Bank = {
    "scaled-score": scaled_score,
    "score-table": score_table,
    **CALCULATOR,
    "head-in-order": head_in_order,
}
