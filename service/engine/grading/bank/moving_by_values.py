"""Questions on an embedding that values move: where it lands, and which weights land it where."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.questions.chapters import MOVING
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import Rows, matrix_task
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.grading.questions.vectors import collected
from service.engine.move import move
from service.engine.trace import Array, Trace

_TO_TWO_DECIMALS = Fraction(1, 200)
Pair = tuple[int, int]
_XS: tuple[Pair, ...] = ((3, 1), (1, 4), (4, -2), (-1, 3), (5, 2), (2, -3))
_FIRST: tuple[Pair, ...] = ((-2, 4), (4, 2), (-4, 1), (1, -3), (3, 5))
_SECOND: tuple[Pair, ...] = ((3, 3), (2, -5), (-3, -1), (5, 1))


def moved_embedding(seed: int | None = None) -> Question:
    """x + w₁v₁ + w₂v₂."""
    x = pick((2, 1), _XS, seed, "x")
    V = (pick((-1, 2), _FIRST, seed, "v1"), pick((2, 2), _SECOND, seed, "v2"))
    own = (Fraction(47, 100), Fraction(47, 100))
    w = pick(own, _hundredths(((35, 45), (62, 21), (23, 74), (41, 38), (17, 66))), seed, "w")
    update = _mixed(w, V)
    moved = _plus(x, update)

    def mistakes() -> dict[str, Rows]:
        rest = 1 - sum(w)
        return {
            "residual_forgotten": [update],
            "values_not_weighted": [_plus(x, _mixed((1, 1), V))],
            "embedding_shrunk": [_plus([rest * number for number in x], update)],
            "values_exchanged": [_plus(x, _mixed(w[::-1], V))],
        }

    def solution() -> Trace:
        return move(_floats([x]), _floats(V), _floats([w]))

    return Question(
        id="moved-embedding",
        title="A creature turns fluffy",
        chapter=MOVING,
        difficulty=2,
        prompt=f"The embedding of *creature* is $x = {row(x)}$. It looks at *fluffy*, whose value "
        f"is $v_1 = {row(V[0])}$, with weight {float(w[0])}, and at *blue*, whose value is "
        f"$v_2 = {row(V[1])}$, with weight {float(w[1])}; what is left of the weight goes to "
        "tokens whose values are 0. Where does attention move the embedding? Give both numbers "
        "to two decimals.",
        hints=(
            "Attention adds something to the embedding. What?",
            "Take each value times its weight, add them up, and add that to $x$.",
        ),
        task=matrix_task(Cells(Absolute(_TO_TWO_DECIMALS)), [moved], mistakes),
        explanation=rf"The update is ${float(w[0])} \cdot v_1 + {float(w[1])} \cdot v_2 = "
        f"{row(_float(update))}$; added to $x$ it gives ${row(_float(moved))}$.",
        solution=solution,
    )


def weights_that_reach(seed: int | None = None) -> Question:
    """The w with x + w₁v₁ + w₂v₂ = t, two equations with two unknowns."""
    x = pick((2, 1), _XS, seed, "x")
    V = (pick((4, 0), ((8, 0), (-4, 0), (12, 0)), seed, "v1"), (4, 8))
    own = (Fraction(1, 4), Fraction(1, 2))
    quarters = ((1, 2), (2, 1), (1, 1), (3, 1), (1, 3))
    others = tuple((Fraction(a, 4), Fraction(b, 8)) for a, b in quarters)
    w = pick(own, others, seed, "w")
    target = _plus(x, _mixed(w, V))

    def mistakes() -> dict[str, Rows]:
        origin = np.zeros((1, 2))
        at_target = move(origin, _floats(V), origin, _floats([target])).more["reaching"]
        return {
            "embedding_not_subtracted": [at_target["weights"]],
            "values_exchanged": [w[::-1]],
            "weights_normalised": [[one / sum(w) for one in w]],
        }

    def solution() -> Trace:
        """v₁ has no second number, so the second equation has w₂ alone."""
        symbols = (("a", x), ("t", _float(target)), ("v_1", V[0]), ("v_2", V[1]))
        titles = ("Embedding", "Target", "First value", "Second value")
        (a1, a2), (t1, t2), (v11, _), (v21, v22) = parts = [
            [
                quantity(f"{symbol}_{j}", f"{symbol}_{{{j}}}", f"{title}, number {j}", number)
                for j, number in enumerate(numbers, 1)
            ]
            for (symbol, numbers), title in zip(symbols, titles, strict=True)
        ]
        g1 = computed("difference", "gap_1", "g_1", "The gap in the first number", t1, a1)
        g2 = computed("difference", "gap_2", "g_2", "The gap in the second number", t2, a2)
        w2 = computed("quotient", "w_2", "w_2", "The second weight", g2, v22)
        closed = computed("product", "closed", "c", "What it does to the first number", w2, v21)
        rest = computed("difference", "left", "r", "What is left of the gap", g1, closed)
        w1 = computed("quotient", "w_1", "w_1", "The first weight", rest, v11)
        both = collected("weights", "w", "The weights", "key", w1, w2)
        return worked(*(one for pair in parts for one in pair), g1, g2, w2, closed, rest, w1, both)

    return Question(
        id="weights-that-reach",
        title="Weights that land on the target",
        chapter=MOVING,
        difficulty=3,
        prompt=f"An embedding $x = {row(x)}$ can be moved along two values, $v_1 = {row(V[0])}$ "
        f"and $v_2 = {row(V[1])}$. Which weights $w_1$ and $w_2$ move it to "
        f"$t = {row(_float(target))}$ exactly? Give $(w_1, w_2)$.",
        hints=(
            "How far is it from $x$ to the target, in each of the two directions?",
            "Solve $w_1 v_1 + w_2 v_2 = t - x$: one equation for each of the two numbers, and one "
            "of them has a single unknown.",
        ),
        task=matrix_task(Cells(Absolute(_TO_TWO_DECIMALS)), [w], mistakes),
        explanation=f"The gap is $t - x = {row(_float(_mixed(w, V)))}$, and "
        rf"${float(w[0])} \cdot v_1 + {float(w[1])} \cdot v_2$ closes it. Neither weight is "
        "below 0 and together they are at most 1, so attention could give them.",
        solution=solution,
    )


def _mixed(w: Sequence[Fraction | int], V: Sequence[Pair]) -> list[Fraction]:
    """Σ wᵢ vᵢ."""
    return [
        sum((Fraction(one) * v[j] for one, v in zip(w, V, strict=True)), Fraction(0))
        for j in (0, 1)
    ]


def _plus(x: Sequence[Fraction | int], change: Sequence[Fraction]) -> list[Fraction]:
    return [Fraction(a) + b for a, b in zip(x, change, strict=True)]


def _hundredths(pairs: Sequence[Pair]) -> tuple[tuple[Fraction, Fraction], ...]:
    return tuple((Fraction(a, 100), Fraction(b, 100)) for a, b in pairs)


def _float(numbers: Sequence[Fraction]) -> list[float]:
    return [float(number) for number in numbers]


def _floats(rows: Sequence[Sequence[Fraction | int]]) -> Array:
    return np.array([[float(number) for number in numbers] for numbers in rows])


BY_VALUES: Bank = {"moved-embedding": moved_embedding, "weights-that-reach": weights_that_reach}
