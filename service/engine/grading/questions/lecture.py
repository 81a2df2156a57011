"""The six questions of the lecture. Keys are computed from the variant's numbers."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from service.engine.grading.marking.rules import Absolute, Cells, Choice, Integer
from service.engine.grading.marking.task import Option, Task
from service.engine.grading.questions.chapters import COST, HEADS, MASKING, SCALING, SCORES
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.variants import pick
from service.engine.grading.reading.values import exact
from service.engine.softmax import softmax


def dot_product(seed: int | None = None) -> Question:
    """q·k for two vectors of two whole numbers."""
    q = pick((1, 2), ((2, 3), (3, 1), (-1, 4), (2, -3), (4, 3)), seed, "q")
    k = pick((3, -1), ((5, -2), (-4, 3), (2, 5), (-3, -2), (6, 1)), seed, "k")
    score = int(np.dot(q, k))
    return Question(
        id="dot-product",
        title="One score by hand",
        chapter=SCORES,
        prompt=f"A query is q = {_row(q)}, and the key that it meets is k = {_row(k)}. "
        "What is the score q·k, before any scaling?",
        task=Task(Integer(), exact(score)),
        explanation="Multiply entry by entry and add: "
        f"{_factor(q[0])}·{_factor(k[0])} + {_factor(q[1])}·{_factor(k[1])} = {_minus(score)}.",
    )


def masked_weights(seed: int | None = None) -> Question:
    """softmax of a row of three scores whose last is blocked."""
    first, second = pick((1, 1), ((0, 1), (2, 0), (1, 3), (-1, 0), (2, 1)), seed, "scores")
    weights = softmax(np.array([[first, second, -np.inf]]), may_be_blind=False)
    written = ", ".join(f"{weight:.4f}".rstrip("0").rstrip(".") for weight in weights[0])
    return Question(
        id="masked-weights",
        title="Weights of a masked row",
        chapter=MASKING,
        prompt=f"After masking, a query has the scores ({_minus(first)}, {_minus(second)}, −∞). "
        "Give the three attention weights that softmax makes of them, as one row, to two "
        "decimals or more.",
        task=Task(
            Cells(Absolute(Fraction(1, 200))),
            tuple(tuple(exact(float(weight)) for weight in row) for row in weights),
        ),
        explanation="The blocked key gets e^−∞ = 0, so softmax shares everything between the other "
        f"two, e^{_factor(first)} to e^{_factor(second)}: ({written}).",
    )


def why_scale(_seed: int | None = None) -> Question:
    """The reason for √d_k."""
    return Question(
        id="why-scale",
        title="What the root of d_k is for",
        chapter=SCALING,
        prompt="Attention divides each score by √d_k before softmax. What does that achieve?",
        task=Task(
            Choice(),
            frozenset("c"),
            choices=(
                Option("a", "It gives every query and key unit length, so scores become cosines."),
                Option("b", "It makes the weights of each row sum to 1."),
                Option(
                    "c",
                    "It holds the variance of the scores near 1 whatever d_k is, so softmax stays "
                    "out of saturation and its gradients stay useful.",
                ),
                Option("d", "It cuts the number of multiplications that the scores take."),
            ),
        ),
        explanation="A dot product of d_k independent entries of variance 1 has variance d_k. "
        "Dividing by √d_k brings that back to 1; without it, wide heads would put nearly all "
        "weight on one key, where softmax hardly reacts to a change.",
    )


def why_mask(_seed: int | None = None) -> Question:
    """The reason for the causal mask."""
    return Question(
        id="why-mask",
        title="What the causal mask is for",
        chapter=MASKING,
        prompt="GPT blocks every key that comes after the query. What does it gain in training?",
        task=Task(
            Choice(),
            frozenset("b"),
            choices=(
                Option("a", "Memory: the blocked half of the scores need not be stored."),
                Option(
                    "b",
                    "Every position of a text can learn to predict its next token in the same "
                    "pass, for none can look at the token that it has to predict.",
                ),
                Option("c", "Padding at the end of short texts is left out of the average."),
                Option("d", "Word order: without the mask there would be no need for positions."),
            ),
        ),
        explanation="With the mask, a text of n tokens is n exercises at once: each position sees "
        "itself and what is before it. Without it, the token to be predicted would be in plain "
        "sight.",
    )


def heads_gpt3(seed: int | None = None) -> Question:
    """Layers times heads."""
    others = ((12, 12), (24, 16), (36, 20), (48, 25), (32, 40), (80, 64))
    n_layers, n_heads = pick((96, 96), others, seed, "sizes")
    model = "a model of this kind" if seed else "GPT-3"
    return Question(
        id="heads-gpt3",
        title="Counting heads",
        chapter=HEADS,
        prompt=f"How many attention heads are there in {model}, with {n_layers} layers of "
        f"{n_heads} heads each?",
        task=Task(Integer(), exact(n_layers * n_heads)),
        explanation="Every layer has heads of its own: "
        f"{n_layers} · {n_heads} = {n_layers * n_heads:,}.",
    )


def context_doubling(seed: int | None = None) -> Question:
    """n² scores: the square of the factor on n."""
    n_tokens = pick(2048, (256, 512, 1024, 4096), seed, "n_tokens")
    factor = pick(2, (3, 4, 5, 8, 10), seed, "factor")
    longer = n_tokens * factor
    growth = Fraction(longer**2, n_tokens**2)
    return Question(
        id="context-doubling",
        title="A longer context",
        chapter=COST,
        prompt=f"The context grows from {n_tokens:,} to {longer:,} tokens. By what factor does the "
        "number of scores in one head grow? (Count the full table, masked cells included.)",
        task=Task(Integer(), growth),
        explanation="The table of scores has n² cells: "
        f"{longer:,}² / {n_tokens:,}² = {factor}² = {growth}.",
    )


def _minus(number: int) -> str:
    return str(number).replace("-", "−")


def _row(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(_minus, numbers))})"


def _factor(number: int) -> str:
    return _minus(number) if number >= 0 else f"({_minus(number)})"


LECTURE: Bank = {
    "dot-product": dot_product,
    "masked-weights": masked_weights,
    "why-scale": why_scale,
    "why-mask": why_mask,
    "heads-gpt3": heads_gpt3,
    "context-doubling": context_doubling,
}
