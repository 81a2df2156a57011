"""A question on two heads side by side: what each of them proposes to two tokens."""

from fractions import Fraction

import numpy as np

from service.engine.blocks import whole
from service.engine.grading.marking.rules import Absolute, Cells, Tensor
from service.engine.grading.questions.chapters import HEADS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import matrix, step, worked
from service.engine.grading.questions.tasks import tensor_task
from service.engine.grading.questions.typeset import matrix as typeset
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.heads import Head
from service.engine.mask import Mask
from service.engine.multihead import multihead
from service.engine.sources import Weights
from service.engine.trace import Array, Step, Trace, find

Pair = tuple[int, int]
Pairs = tuple[Pair, Pair]
Heads = tuple[tuple[Pair, Pair], tuple[Pair, Pair]]
_DOWN: tuple[Pair, ...] = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2))
_UP: tuple[Pair, ...] = ((3, 1), (1, 3), (-1, 2), (2, -1), (3, -2))
_CAUSAL = Mask(causal=True)
_TO_TWO_DECIMALS = Fraction(1, 200)


def heads_apart(seed: int | None = None) -> Question:
    """Δ₁ and Δ₂ of two tokens whose scores are all 0, so that the weights are 1 and ½, ½."""
    x = (
        pick((2, 0), ((4, 2), (2, 6), (-2, 4), (6, -4)), seed, "x1"),
        pick((4, 6), ((2, 8), (8, 4), (-4, 6), (0, 2)), seed, "x2"),
    )
    heads = (
        (pick((1, 0), _DOWN[:3], seed, "W_V1"), pick((0, 1), _UP[:2], seed, "W_O1")),
        (pick((0, 1), _DOWN[3:], seed, "W_V2"), pick((2, 0), _UP[2:], seed, "W_O2")),
    )
    key = _mixed(x, heads)

    def mistakes() -> dict[str, list[Array]]:
        updates = _updates(x, heads, _CAUSAL)
        undivided = np.array([[1.0], [2.0]])  # e^0 for each key, without the sum below it
        return {
            "mask_forgotten": _updates(x, heads, None),
            "no_normalisation": [undivided * update for update in updates],
            "embedding_included": [np.array(x) + update for update in updates],
        }

    return Question(
        id="heads-apart",
        title="Two heads, two proposals",
        chapter=HEADS,
        difficulty=3,
        prompt=f"A text of two tokens has the embeddings $x_1 = {row(x[0])}$ and "
        f"$x_2 = {row(x[1])}$. In two heads with a causal mask all scores are 0. "
        f"{_described(1, heads)} {_described(2, heads)} All act as $W x$. Which update does "
        "each head propose to each token? Give a matrix for each head, with a row for each token.",
        hints=(
            "Which weights come of equal scores, for the first token and for the second?",
            "In each head work out one number for each token, its value; mix the values by the "
            "weights; then multiply by $W_O$.",
        ),
        task=tensor_task(Tensor(Cells(Absolute(_TO_TWO_DECIMALS))), key, mistakes),
        explanation="The first token sees itself alone, the second sees both with one half each. "
        + " ".join(
            f"Head {i} has the values ${row(values)}$, so it proposes ${typeset(_floats(update))}$."
            for i, (values, update) in enumerate(zip(_values(x, heads), key, strict=True), 1)
        ),
        solution=lambda: _solution(x, heads),
    )


def _floats(rows: list[list[Fraction]]) -> list[list[float]]:
    return [[float(number) for number in numbers] for numbers in rows]


def _described(i: int, heads: Heads) -> str:
    down, up = heads[i - 1]
    columns = typeset([[number] for number in up])
    return f"Head {i} has $W_V = {typeset([down])}$ and $W_O = {columns}$."


def _values(x: Pairs, heads: Heads) -> list[list[int]]:
    """W_V x of both tokens, for each head."""
    return [[down[0] * a + down[1] * b for a, b in x] for down, _ in heads]


def _mixed(x: Pairs, heads: Heads) -> list[list[list[Fraction]]]:
    """The updates: the first token takes its own value, the second the mean of both."""
    return [
        [[one * number for number in up] for one in (Fraction(first), Fraction(first + second, 2))]
        for (first, second), (_, up) in zip(_values(x, heads), heads, strict=True)
    ]


def _traces(x: Pairs, heads: Heads, mask: Mask | None) -> list[Trace]:
    """The engine's trace of each head; queries and keys are 0."""
    none = np.zeros((1, 2))
    given = [
        Head(f"head {i}", Weights(none, none, np.array([down], float), np.array([up], float).T))
        for i, (down, up) in enumerate(heads, 1)
    ]
    found = multihead(np.array(x, np.float64), heads=given, mask=mask)
    return [head["trace"] for head in found["heads"]]


def _updates(x: Pairs, heads: Heads, mask: Mask | None) -> list[Array]:
    return [whole(find(trace.steps, "update").value) for trace in _traces(x, heads, mask)]


def _solution(x: Pairs, heads: Heads) -> Trace:
    X = matrix("X", "X", "Embeddings", x, ("key", "d_model"))
    steps: list[Step] = []
    traces = _traces(x, heads, _CAUSAL)
    found = whole(find(traces[0].steps, "weights").value)
    A = matrix("weights", "A", "Weights, by softmax of equal scores", found, ("query", "key"))
    for i, (trace, (down, up)) in enumerate(zip(traces, heads, strict=True), 1):
        V, H, D = (whole(find(trace.steps, name).value) for name in ("V", "head", "update"))
        W_V = matrix(f"W_V_{i}", f"W_V^{i}", f"W_V of head {i}", [down], ("d_v", "d_model"))
        columns = np.array([up]).T
        W_O = matrix(f"W_O_{i}", f"W_O^{i}", f"W_O of head {i}", columns, ("d_model", "d_v"))
        title, formula = f"Values of head {i}", rf"X (W_V^{i})^\top"
        axes = ("key", "d_v")
        values = step("dot", f"V_{i}", f"V_{i}", title, formula, V, X, W_V, axes=axes)
        title, axes = f"Values mixed by head {i}", ("query", "d_v")
        head = step("dot", f"head_{i}", f"H_{i}", title, f"A V_{i}", H, A, values, axes=axes)
        title, formula = f"Update that head {i} proposes", rf"H_{i} (W_O^{i})^\top"
        name, symbol, axes = f"update_{i}", rf"\Delta_{i}", ("query", "d_model")
        steps += [W_V, W_O, values, head]
        steps.append(step("dot", name, symbol, title, formula, D, head, W_O, axes=axes))
    updates = [one for one in steps if one.rule.name.startswith("update")]
    title, formula = "Both proposals, one below the other", r"\Delta_1, \Delta_2"
    value = np.concatenate([whole(update.value) for update in updates])
    axes = ("head_query", "d_model")
    both = step("copy", "updates", r"\Delta", title, formula, value, *updates, axes=axes)
    return worked(X, A, *steps, both)


APART: Bank = {"heads-apart": heads_apart}
