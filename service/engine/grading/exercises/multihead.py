"""Two heads side by side: each head's steps, the sum of what they propose, and the output."""

from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np

from service.engine.grading.exercises.drawn import drawn
from service.engine.grading.exercises.exercise import Exercise, Stage, Values
from service.engine.grading.exercises.head_stages import HUNDREDTHS, head_stages, output_stage
from service.engine.grading.questions.chapters import HEADS
from service.engine.grading.questions.variants import pick
from service.engine.heads import Head
from service.engine.mask import Mask
from service.engine.multihead import multihead
from service.engine.softmax import softmax
from service.engine.sources import Weights
from service.engine.trace import Array, Rule, Step, Trace, find

_TOKENS = ("blue", "birds", "sing")
_TEXTS = (("old", "doors", "creak"), ("small", "boats", "drift"), ("wet", "leaves", "fall"))
_NAMES = ("W_Q", "W_K", "W_V", "W_O")
_X = ((1, 0), (1, 1), (0, 2))
_HEADS = (
    (((1, 0), (1, 1)), ((1, 1), (0, 1)), ((1, 0), (2, 1)), ((1, 0), (1, 1))),
    (((0, 1), (-1, 1)), ((1, -1), (1, 0)), ((0, 1), (1, 1)), ((1, -1), (0, 1))),
)
_MOST_TRIES = 60


def two_heads(seed: int | None = None) -> Exercise:
    """Three tokens of two numbers, two causal heads with square matrices."""
    tokens = list(pick(_TOKENS, _TEXTS, seed, "tokens"))
    trace = _trace(_variant(seed) if seed else _own(), tokens)
    steps = {step.rule.name: step for step in trace.steps}
    stages = [stage for i in (0, 1) for stage in head_stages(steps, _prefix(i))]
    return Exercise(
        id="two-heads",
        title="Two heads, step by step",
        chapter=HEADS,
        prompt=f"The text is *{' '.join(tokens)}*, two numbers a token in $X$. Two causal heads "
        "look at it, each with its own $W_Q$, $W_K$, $W_V$ and $W_O$, which act as $W x$. Work out "
        "each head up to its update, then the sum of both updates, and the output. Write "
        "$-\\infty$ for a blocked score.",
        givens=(find(trace.inputs, "X"), *(step for step in trace.inputs if step.rule.name != "X")),
        stages=(*stages, _sum_stage(steps["update"]), _output_stage(steps["output"])),
        solution=trace,
        explanation="The heads do not see each other: each goes from the same $X$ to an update of "
        "its own. The updates are added to each other, and their sum is added to $X$ once.",
        difficulty=3,
        hints=("Take the heads one after the other; only the last two steps bring them together.",),
    )


def _prefix(i: int) -> str:
    return f"heads/{i}/"


def _sum_stage(step: Step) -> Stage:
    def total(v: Values) -> Array:
        return v["heads/0/update"] + v["heads/1/update"]

    slips = (
        ("one_head_only", lambda v: v["heads/0/update"]),
        ("one_head_only", lambda v: v["heads/1/update"]),
        ("heads_averaged", lambda v: total(v) / 2),
    )
    return Stage(step, total, HUNDREDTHS, slips)


def _output_stage(step: Step) -> Stage:
    return output_stage(step, ("residual_for_each_head", lambda v: 2 * v["X"] + v["update"]))


def _own() -> dict[str, Any]:
    heads = [[np.array(rows, dtype=np.float64) for rows in head] for head in _HEADS]
    return {"X": np.array(_X, dtype=np.float64), "heads": heads}


def _trace(matrices: dict[str, Any], tokens: list[str]) -> Trace:
    """The heads' own traces and what they say together, as one; a head's steps have its path."""
    heads = [
        Head(f"head {i}", Weights(**dict(zip(_NAMES, head, strict=True))))
        for i, head in enumerate(matrices["heads"], 1)
    ]
    found = multihead(matrices["X"], heads=heads, mask=Mask(causal=True), tokens=tokens)
    together: Trace = found["combined"]
    traces: list[Trace] = [head["trace"] for head in found["heads"]]
    inputs, steps = [find(traces[0].steps, "X")], []
    for i, trace in enumerate(traces):
        inputs += [_moved(step, _prefix(i)) for step in trace.inputs]
        steps += [_moved(step, _prefix(i)) for step in trace.steps if step.rule.name != "X"]
    steps += [step for step in together.steps if step.rule.name != "concat"]
    axes = traces[0].axes | together.axes
    return Trace(axes, inputs, steps, traces[0].conventions, [])


def _moved(step: Step, prefix: str) -> Step:
    return step._replace(rule=_renamed(step.rule, prefix))


@lru_cache(maxsize=256)
def _renamed(rule: Rule, prefix: str) -> Rule:
    """The rule under its path; X belongs to all heads."""
    reads = tuple(
        read if read.name == "X" else read._replace(name=prefix + read.name) for read in rule.reads
    )
    return replace(rule, name=prefix + rule.name, reads=reads)


def _variant(seed: int) -> dict[str, Any]:
    """The first draws of this seed that are worth working out."""
    for turn in count():
        X = drawn(seed, ("X", turn), (3, 2), -1, 2)
        if len(np.unique(X, axis=0)) == len(X):
            heads = [_head(seed, (turn, i), X) for i in (0, 1)]
            if all(heads):
                break
    return {"X": X, "heads": heads}


def _head(seed: int, place: tuple[int, int], X: Array) -> list[Array]:
    """The first draw that is worth working out; empty if there is none, as X may be at fault."""
    for attempt in range(_MOST_TRIES):
        names = [(name, place, attempt) for name in _NAMES]
        head = [_lopsided(drawn(seed, name, (2, 2), -1, 2)) for name in names]
        if _is_telling(X, head):
            return head
    return []


def _lopsided(W: Array) -> Array:
    """W, changed where it is its own transpose: then W·x and x·W would be the same."""
    if W[0, 1] == W[1, 0]:
        W[0, 1] = (W[0, 1] + 2) % 4 - 1
    return W


def _is_telling(X: Array, head: list[Array]) -> bool:
    """Small scores, no row of zeros, and weights that neither tie nor leave all to one key."""
    Q, K, V = (X @ W.T for W in head[:3])
    scores = Q @ K.T
    last = np.sort(softmax(scores[-1:] / np.sqrt(2), may_be_blind=False)[0])
    return bool(
        np.abs(scores).max() <= 9
        and all(rows.any(axis=1).all() for rows in (Q, K, V))
        and last[-1] <= 0.95
        and np.diff(last).min() >= 0.02
    )
