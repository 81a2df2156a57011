"""Questions on what several heads do to one embedding, and on heads that share keys."""

import numpy as np

from service.engine.grading.marking.rules import Cells, Integer
from service.engine.grading.questions.chapters import HEADS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import quantity, step, vector, worked
from service.engine.grading.questions.tasks import matrix_task, number_task
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.heads import cut
from service.engine.projection import OUT_IN
from service.engine.sources import Weights
from service.engine.trace import UNIT, Array, Trace


def heads_added(seed: int | None = None) -> Question:
    """x + Δ₁ + Δ₂ + Δ₃."""
    x = pick((2, 1, -1), ((4, -2, 1), (3, 5, -2), (-1, 4, 2), (5, 1, 3), (-3, 2, 6)), seed, "x")
    changes = (
        pick((1, 0, 2), ((2, 1, -1), (3, -1, 2), (1, 2, 5), (-2, 3, 1)), seed, "first"),
        pick((0, 3, 1), ((1, 4, 2), (-1, 1, 3), (2, -3, 4)), seed, "second"),
        pick((3, 2, -1), ((5, 0, 1), (1, 6, -2), (-4, 1, 1)), seed, "third"),
    )
    moved = tuple(map(sum, zip(x, *changes, strict=True)))

    def mistakes() -> dict[str, Array]:
        given, proposed = np.array([x]), np.array(changes)
        total = proposed.sum(axis=0, keepdims=True)
        return {
            "residual_forgotten": total,
            "residual_for_each_head": 3 * given + total,
            "last_head_only": given + proposed[2:],
            "heads_averaged": given + total / 3,
        }

    def solution() -> Trace:
        parts = [vector("x", "x", "Embedding", x, "d_model")]
        for i, change in enumerate(changes, 1):
            title = f"What head {i} proposes"
            parts.append(vector(f"update_{i}", rf"\Delta_{i}", title, change, "d_model"))
        formula, axes = r"x + \Delta_1 + \Delta_2 + \Delta_3", (UNIT, "d_model")
        title = "All changes added"
        value = np.array([moved], np.float64)
        return worked(*parts, step("sum", "output", "y", title, formula, value, *parts, axes=axes))

    first, second, third = map(row, changes)
    return Question(
        id="heads-added",
        title="Three heads, one embedding",
        chapter=HEADS,
        difficulty=1,
        prompt=f"A token's embedding is $x = {row(x)}$. The three heads of a layer propose the "
        rf"changes $\Delta_1 = {first}$, $\Delta_2 = {second}$ and $\Delta_3 = {third}$, each "
        "brought to the width of $x$ by its part of $W_O$. What is the embedding after this "
        "attention? There is no norm.",
        hints=(
            "Does a head replace the embedding, or change it?",
            r"Add $x$, $\Delta_1$, $\Delta_2$ and $\Delta_3$, number by number.",
        ),
        task=matrix_task(Cells(Integer()), (moved,), mistakes),
        explanation=f"All changes are added, and so is the embedding itself, once: ${row(moved)}$.",
        solution=solution,
    )


def shared_keys(seed: int | None = None) -> Question:
    """Query head i uses key/value head i // (n_heads / n_kv_heads)."""
    n_kv = pick(8, (4, 5, 6, 7), seed, "n_kv_heads")
    group = pick(8, (4, 5, 6), seed, "group")
    part = pick(3, (2, 3), seed, "part")
    within = pick(5, (0, 1, 2), seed, "within")
    n_heads, head = n_kv * group, part * group + within

    def solution() -> Trace:
        of = (
            quantity("head", "i", "The query head", head),
            quantity("n_heads", "h", "Query heads", n_heads),
            quantity("n_kv_heads", "g", "Heads of keys and values", n_kv),
        )
        # W_K of key head j holds the number j, and the engine hands it to its query heads.
        numbered = np.arange(n_kv, dtype=np.float64)[:, None]
        packed = Weights(np.zeros((n_heads, 1)), numbered, numbered)
        used = cut(packed, n_heads, n_kv, OUT_IN).heads[head].weights.W_K
        assert used is not None
        formula = r"\left\lfloor \frac{i}{h / g} \right\rfloor"
        return worked(*of, step("copy", "shared", "j", "Whose keys it uses", formula, used, *of))

    return Question(
        id="shared-keys",
        title="Query heads that share keys",
        chapter=HEADS,
        difficulty=2,
        prompt=f"To save memory a layer with {n_heads} query heads has only {n_kv} heads of keys "
        "and values. Neighbouring query heads form groups of equal size, and each group shares "
        f"one head of keys and values. Counting both from 0: which one does query head {head} use?",
        hints=(
            "How many query heads share one head of keys and values?",
            "Write down which query heads share the first head of keys, and which the next.",
        ),
        task=number_task(
            Integer(),
            part,
            lambda: {
                "heads_interleaved": head % n_kv,
                "counted_from_one": part + 1,
                "heads_not_grouped": head,
            },
        ),
        explanation=f"A group has {n_heads} / {n_kv} = {group} query heads. Head {head} stands in "
        f"the group that begins with head {part * group}, which is group {part}.",
        solution=solution,
    )


UPDATES: Bank = {"heads-added": heads_added, "shared-keys": shared_keys}
