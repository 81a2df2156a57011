"""Questions on a row that is normed by hand. Keys come from the row, wrong answers from a norm with
one rule broken."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.questions.chapters import NORMS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.tasks import matrix_task, number_task
from service.engine.grading.questions.typeset import cell, row
from service.engine.grading.questions.variants import pick
from service.engine.grading.questions.vectors import picked
from service.engine.layernorm import layernorm, normalise
from service.engine.trace import Array, Trace, find

_TO_TWO_DECIMALS = Fraction(1, 200)
_ROUNDED_ON_THE_WAY = Fraction(1, 100)
NO_EPS = 1e-300  # too small to change a variance, as exercises by hand want it
_XS = ((3, 1, 5, 2), (6, 2, 1, 4), (2, 7, 3, 1), (5, 0, 2, 8), (1, 4, 9, 3))
_UPDATES = ((2, -1, 0, 1), (-2, 4, 1, 0), (1, 1, 5, -2), (0, 3, -1, 6))
# Entries whose deviations from their mean have a whole root mean square: 1, 3, 5, 2, 3.
_EVEN = ((1, -1, 1, -1), (5, -3, -1, -1), (7, -1, 1, -7), (2, 2, -2, -2), (-5, 3, 1, 1))

# Rows whose mean square is 9, 25, 25, 25, 49.
_SQUARE = ((1, -1, 3, 5), (7, 1, -7, 1), (3, 9, -1, 3), (5, 1, 7, -5), (-9, 3, 9, 5))


def add_norm_cell(seed: int | None = None) -> Question:
    """One number of LayerNorm(x + Δ), γ = 1 and β = 0."""
    x = pick((1, 2, 3, 4), _XS, seed, "x")
    update = pick((3, 0, -1, 2), _UPDATES, seed, "update")
    place = pick(3, tuple(j for j, change in enumerate(update) if change), seed, "place")
    total = tuple(a + b for a, b in zip(x, update, strict=True))
    normed = float(_normed(total)[0, place])
    mean, variance = float(np.mean(total)), float(np.var(total))

    def mistakes() -> dict[str, float]:
        return {
            "unbiased_variance": (total[place] - mean) / np.std(total, ddof=1),
            "divided_by_variance": (total[place] - mean) / variance,
            "mean_not_removed": total[place] / math.sqrt(variance),
            "residual_forgotten": _normed(update)[0, place],
            "update_only": _normed(x)[0, place],
            "norm_before_add": _normed(x)[0, place] + update[place],
        }

    def solution() -> Trace:
        trace = layernorm(_array(x), _array(update), eps=NO_EPS)
        output = find(trace.steps, "output")
        last = picked("cell", "a", "The number that is asked for", output, 0, place)
        return trace._replace(steps=[*trace.steps, last])

    return Question(
        id="add-norm-cell",
        title="One number through add and norm",
        chapter=NORMS,
        difficulty=2,
        prompt=rf"A sublayer has made of $x = {row(x)}$ the update $\Delta = {row(update)}$. "
        rf"Post-norm: what is number {place + 1} of $\mathrm{{LayerNorm}}(x + \Delta)$? Take "
        r"$\gamma = 1$ and $\beta = 0$, and give two decimals.",
        hints=(
            r"Add first. Then find the mean and the variance of the four numbers of $x + \Delta$.",
            "Take the mean off, then divide by the root of the variance, which is the mean of the "
            "squared deviations.",
        ),
        task=number_task(Absolute(_ROUNDED_ON_THE_WAY), normed, mistakes),
        explanation=rf"The sum is ${row(total)}$ with mean ${cell(mean)}$ and variance "
        rf"${cell(variance)}$, so the number is $\frac{{{total[place]} - {cell(mean)}}}"
        rf"{{\sqrt{{{cell(variance)}}}}} \approx {normed:.2f}$.",
        solution=solution,
    )


def normed_row(seed: int | None = None) -> Question:
    """γ ⊙ (x − μ)/σ + β of a row whose σ is whole."""
    even = pick((7, -1, 1, -7), _EVEN, seed, "row")
    mean = pick(8, (2, 4, 5, 9, -3), seed, "mean")
    gain = pick(2, (3, 4, 5), seed, "gain")
    bias = pick(1, (-1, 2, 3, -2), seed, "bias")
    x = tuple(mean + one for one in even)
    spread = math.isqrt(sum(one**2 for one in even) // 4)
    output = [gain * Fraction(one, spread) + bias for one in even]

    def mistakes() -> dict[str, Array]:
        normed = _normed(x)
        return {
            "gain_forgotten": normed,
            "bias_before_gain": gain * (normed + bias),
            "unbiased_variance": gain * normed * math.sqrt(3 / 4) + bias,
            "divided_by_variance": gain * normed / spread + bias,
            "mean_not_removed": gain * _array(x) / spread + bias,
        }

    def solution() -> Trace:
        gamma, beta = np.full((1, 4), float(gain)), np.full((1, 4), float(bias))
        return layernorm(_array(x), gamma=gamma, beta=beta, eps=NO_EPS)

    return Question(
        id="normed-row",
        title="A whole row, with gain and bias",
        chapter=NORMS,
        difficulty=2,
        prompt=f"What does LayerNorm make of the row ${row(x)}$, with gain $\\gamma = {gain}$ and "
        rf"bias $\beta = {bias}$ for each number? Leave $\varepsilon$ out of account and give two "
        "decimals.",
        hints=(
            "Mean first, then the deviations, then their root mean square; it is a whole number.",
            r"Divide each deviation by that root, multiply by $\gamma$, add $\beta$.",
        ),
        task=matrix_task(Cells(Absolute(_TO_TWO_DECIMALS)), [output], mistakes),
        explanation=f"The mean is {mean}, the deviations are ${row(even)}$, and the root of their "
        f"mean square is {spread}. Normed, stretched by {gain} and shifted by "
        f"${bias}$ the row is ${row(list(map(float, output)))}$.",
        solution=solution,
    )


def rms_row(seed: int | None = None) -> Question:
    """x / √(mean of x²) of a row whose mean square is a square."""
    own, factor = pick((1, 1, 3, 5), _SQUARE, seed, "row"), pick(1, (2, 3, 4, 5), seed, "factor")
    turn = pick(0, (1, 2, 3), seed, "turn")
    x = tuple(factor * one for one in (*own[turn:], *own[:turn]))
    square = sum(one**2 for one in x) // 4
    output = [Fraction(one, math.isqrt(square)) for one in x]

    def mistakes() -> dict[str, Array]:
        values = _array(x)
        return {
            "mean_removed": _normed(x),
            "sum_not_mean": values / math.sqrt(4 * square),
            "divided_by_mean_square": values / square,
        }

    def solution() -> Trace:
        return layernorm(_array(x), norm="rms", eps=NO_EPS)

    return Question(
        id="rms-row",
        title="RMSNorm by hand",
        chapter=NORMS,
        difficulty=2,
        prompt=f"What does RMSNorm make of the row ${row(x)}$, with all gains 1? Leave "
        r"$\varepsilon$ out of account and give two decimals.",
        hints=(
            "RMS stands for root mean square. Is there a mean to take off?",
            "Square the numbers, take the mean of the squares and its root, and divide by it.",
        ),
        task=matrix_task(Cells(Absolute(_TO_TWO_DECIMALS)), [output], mistakes),
        explanation=f"The mean of the squares is {square} and its root "
        f"{math.isqrt(square)}; divided by it the row is ${row(list(map(float, output)))}$.",
        solution=solution,
    )


def _array(numbers: Sequence[int]) -> Array:
    return np.array([numbers], np.float64)


def _normed(numbers: Sequence[int]) -> Array:
    """The row with mean 0 and variance 1."""
    return normalise("x", _array(numbers), NO_EPS, rms=False)[1]


ROWS: Bank = {"add-norm-cell": add_norm_cell, "normed-row": normed_row, "rms-row": rms_row}
