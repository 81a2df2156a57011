"""The questions of the lecture with numbers. Keys are computed from the variant's numbers."""

from fractions import Fraction

import numpy as np

from service.engine.attention_rules import WEIGHTS
from service.engine.grading.bank.lecture_reasons import why_mask, why_scale
from service.engine.grading.marking.rules import Absolute, Cells, Integer
from service.engine.grading.questions.chapters import COST, HEADS, MASKING, SCORES
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import (
    computed,
    matrix,
    quantity,
    step,
    vector,
    worked,
)
from service.engine.grading.questions.tasks import matrix_task, number_task
from service.engine.grading.questions.typeset import dot, grouped, row
from service.engine.grading.questions.variants import pick
from service.engine.softmax import softmax
from service.engine.trace import Step, Trace

_ENTRIES = tuple((a, b) for a in range(-5, 7) for b in range(-5, 7) if a * b and a != b)


def dot_product(seed: int | None = None) -> Question:
    """q·k for two vectors of two whole numbers."""
    q = pick((1, 2), _ENTRIES, seed, "q")
    k = pick((3, -1), _ENTRIES, seed, "k")
    score = q[0] * k[0] + q[1] * k[1]

    def solution() -> Trace:
        rows = [vector(name, name, title, numbers, "d_k") for name, title, numbers in vectors]
        return worked(
            *rows, step("dot", "score", "s", "Score", r"q \cdot k", np.array([[score]]), *rows)
        )

    vectors = (("q", "Query", q), ("k", "Key", k))
    return Question(
        id="dot-product",
        title="One score by hand",
        chapter=SCORES,
        difficulty=1,
        prompt=f"A query is $q = {row(q)}$, and the key that it meets is $k = {row(k)}$. "
        r"What is the score $q \cdot k$, before any scaling?",
        hints=(
            "A score is one number, however long the vectors are.",
            "Multiply the entries that stand in the same place, then add the products up. Mind "
            "the signs.",
        ),
        task=number_task(
            Integer(),
            score,
            lambda: {
                "sign_lost": abs(q[0] * k[0]) + abs(q[1] * k[1]),
                "second_product_forgotten": q[0] * k[0],
                "entries_crossed": q[0] * k[1] + q[1] * k[0],
                "entries_added": sum(q) + sum(k),
            },
        ),
        explanation=f"Multiply entry by entry and add: ${dot(q, k)} = {score}$.",
        solution=solution,
    )


def masked_weights(seed: int | None = None) -> Question:
    """softmax of a row of three scores whose last is blocked."""
    pairs = tuple((a, b) for a in range(-2, 4) for b in range(-2, 4) if 0 < abs(a - b) < 4)
    first, second = pick((1, 1), pairs, seed, "scores")
    unmasked = pick(1, range(-1, 4), seed, "blocked")
    scores = np.array([[first, second, -np.inf]], np.float64)
    weights = softmax(scores, may_be_blind=False)

    def mistakes() -> dict[str, np.ndarray]:
        blocked_as_zero = np.array([[first, second, 0.0]])
        return {
            "mask_as_zero": softmax(blocked_as_zero, may_be_blind=False),
            "no_normalisation": np.exp(scores),
            "base_two": np.exp2(scores) / np.exp2(scores).sum(),
            "mask_forgotten": softmax(
                np.array([[first, second, float(unmasked)]]), may_be_blind=False
            ),
        }

    def solution() -> Trace:
        masked = matrix("masked", "M", "Masked scores", scores, ("query", "key"))
        return worked(masked, Step(WEIGHTS, weights))

    return Question(
        id="masked-weights",
        title="Weights of a masked row",
        chapter=MASKING,
        difficulty=2,
        prompt=f"A query has the scores ${row((first, second, unmasked))}$, and after masking "
        rf"${row((first, second, -np.inf))}$. Give the three attention weights that softmax makes "
        "of them, as one row, to two decimals or more.",
        hints=(
            r"What is $e^{-\infty}$?",
            "The blocked key gets nothing. Take $e$ to the power of each of the other scores, and "
            "divide by the sum.",
        ),
        task=matrix_task(Cells(Absolute(Fraction(1, 200))), weights, mistakes),
        explanation=r"The blocked key gets $e^{-\infty} = 0$, so softmax shares everything between "
        f"the other two, $e^{{{first}}}$ to $e^{{{second}}}$: ${row(weights[0])}$.",
        solution=solution,
    )


def heads_gpt3(seed: int | None = None) -> Question:
    """Layers times heads."""
    n_layers, n_heads = 96, 96
    if seed:
        n_layers = pick(96, range(6, 90, 2), seed, "n_layers")
        n_heads = pick(96, (8, 12, 16, 20, 25, 32, 40, 56, 64), seed, "n_heads")
    model = "a model of this kind" if seed else "GPT-3"

    def solution() -> Trace:
        layers = quantity("n_layers", r"n_\text{layers}", "Layers", n_layers)
        heads = quantity("n_heads", "h", "Heads in one layer", n_heads)
        return worked(
            layers, heads, computed("product", "heads", "H", "Heads in all", layers, heads)
        )

    return Question(
        id="heads-gpt3",
        title="Counting heads",
        chapter=HEADS,
        difficulty=1,
        prompt=f"How many attention heads are there in {model}, with {n_layers} layers of "
        f"{n_heads} heads each?",
        hints=(
            "No two layers share a head.",
            "Count the heads of one layer, then as many again for each further layer.",
        ),
        task=number_task(
            Integer(),
            n_layers * n_heads,
            lambda: {
                "added_not_multiplied": n_layers + n_heads,
                "one_layer_only": n_heads,
                "matrices_counted": 4 * n_layers * n_heads,
            },
        ),
        explanation="Every layer has heads of its own: "
        rf"${n_layers} \cdot {n_heads} = {grouped(n_layers * n_heads)}$.",
        solution=solution,
    )


def context_doubling(seed: int | None = None) -> Question:
    """n² scores: the square of the factor on n."""
    n_tokens = pick(2048, (256, 512, 1024, 4096), seed, "n_tokens")
    factor = pick(2, (3, 4, 5, 6, 7, 8, 10), seed, "factor")
    longer = n_tokens * factor

    def solution() -> Trace:
        n = quantity("n", "n", "Tokens before", n_tokens)
        m = quantity("n_longer", "n'", "Tokens after", longer)
        before = computed("product", "scores", "S", "Scores before", n, n)
        after = computed("product", "scores_longer", "S'", "Scores after", m, m)
        return worked(
            n, m, before, after, computed("quotient", "growth", "g", "Growth", after, before)
        )

    return Question(
        id="context-doubling",
        title="A longer context",
        chapter=COST,
        difficulty=2,
        prompt=f"The context grows from {n_tokens:,} to {longer:,} tokens. By what factor does the "
        "number of scores in one head grow? (Count the full table, masked cells included.)",
        hints=(
            "What are the rows of the table of scores, and what are its columns?",
            "Both the number of rows and the number of columns grow by the same factor.",
        ),
        task=number_task(
            Integer(),
            factor**2,
            lambda: {"linear_in_n": factor, "side_doubled": 2 * factor, "cubed": factor**3},
        ),
        explanation="The table of scores has $n^2$ cells: "
        rf"$\frac{{{grouped(longer)}^2}}{{{grouped(n_tokens)}^2}} = {factor}^2 = {factor**2}$.",
        solution=solution,
    )


LECTURE: Bank = {
    "dot-product": dot_product,
    "masked-weights": masked_weights,
    "why-scale": why_scale,
    "why-mask": why_mask,
    "heads-gpt3": heads_gpt3,
    "context-doubling": context_doubling,
}
