"""A mask by itself: what it does to given scores, and what each token may see and has to guess."""

from functools import cache
from itertools import compress
from typing import Any

import numpy as np

from service.engine import attention_rules as rules
from service.engine.blocks import block, blocked, rows_a_block, whole
from service.engine.errors import EngineError
from service.engine.fully_masked import UNIFORM, ZEROS, spread, weights_step
from service.engine.labels import labels_for
from service.engine.limits import (
    MAX_CHARACTERS,
    MOST_BYTES,
    SAFE,
    check_finite,
    check_labels,
    norm,
    written,
)
from service.engine.mask import Bools, Mask
from service.engine.masked_scores import finite, mask_step
from service.engine.softmax import softmax
from service.engine.sources import Tokens
from service.engine.trace import ANY, Array, Axis, Read, Rule, Step, Trace, Warning, given

# Each visible pair is listed by name, so fewer cells than a trace may have.
MAX_CELLS = 1 << 20
MAX_ROWS = 1 << 13

SCORES = given("scores", "S", "Scores", rules.QUERY_KEY)
UNMASKED = Rule(
    "weights_unmasked",
    "Weights without the mask",
    r"A^\mathrm{unmasked}",
    r"A^\mathrm{unmasked}_{ij} = e^{S_{ij}} / \sum_{j'} e^{S_{ij'}}",
    r"A^\mathrm{unmasked}_{ji} = e^{S_{ji}} / \sum_{j'} e^{S_{j'i}}",
    "softmax",
    rules.QUERY_KEY,
    (Read("scores", ("query", ANY)),),
)


def mask_effect(
    scores: Array | None = None,
    n_q: int | None = None,
    n_k: int | None = None,
    mask: Mask | None = None,
    tokens: list[str] | None = None,
    context: Tokens | None = None,
    fully_masked_rows: str = ZEROS,
) -> Trace:
    """scores, hidden, masked, weights, weights_unmasked, and a reading of each row.

    Without scores they are all 0, for n_q queries and n_k keys, or for as many as there are
    tokens. `rows` says what each query sees, which token it has to guess (the next one), and
    whether it cheats, that is, sees a key that comes after it.
    Raises ShapeError if the mask does not fit, EngineError if there are no sizes or too many.
    """
    mask = mask or Mask()
    if scores is None:
        scores = np.zeros(sizes(n_q, n_k, tokens))
    elif n_q is not None or n_k is not None:
        name = "n_k" if n_q is None else "n_q"
        raise EngineError(name, f"The scores say how many there are; leave out {name}.")
    n_q, n_k = scores.shape
    if n_q > MAX_ROWS:
        raise EngineError(
            "scores", f"There are {n_q:,} queries; at most {MAX_ROWS:,} are read out."
        )
    if n_q * n_k > MAX_CELLS:
        raise EngineError(
            "scores", f"The scores are {n_q:,} × {n_k:,}; at most {MAX_CELLS:,} cells are masked."
        )
    labels_for("tokens", tokens, n_q, "queries")
    keys = context.tokens if context else (tokens if n_k == n_q else None)
    labels_for("context/tokens", keys, n_k, "keys")
    bias = 0.0 if mask.bias is None else norm(finite(mask.bias))
    if norm(scores) + bias < SAFE:
        steps, inputs, warnings = mask_steps(scores, mask, tokens, fully_masked_rows)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            steps, inputs, warnings = mask_steps(scores, mask, tokens, fully_masked_rows)
            check_finite(steps)
    axes = {"query": Axis(n_q, tokens), "key": Axis(n_k, keys)}
    conventions = {"mask": mask.conventions(), "fully_masked_rows": fully_masked_rows}
    return Trace(
        axes, inputs, steps, conventions, warnings, {"rows": read_out(steps[1], axes, mask)}
    )


def sizes(n_q: int | None, n_k: int | None, tokens: list[str] | None) -> tuple[int, int]:
    """How many queries and keys there are, where no scores say so."""
    n_q = n_q or (len(tokens) if tokens else None)
    if n_q is None:
        raise EngineError("scores", "Send scores, or n_q (and n_k), or tokens.")
    n_k = n_k or n_q
    if n_q > MAX_ROWS:
        raise EngineError("n_q", f"n_q is {n_q:,}; at most {MAX_ROWS:,} queries are read out.")
    if n_q * n_k > MAX_CELLS:
        raise EngineError("n_q", f"n_q × n_k is {n_q * n_k:,}; at most {MAX_CELLS:,} are masked.")
    return n_q, n_k


def mask_steps(
    scores: Array, mask: Mask, tokens: list[str] | None, fully_masked_rows: str
) -> tuple[list[Step], list[Step], list[Warning]]:
    """The five steps, the mask's own matrices, and its warnings."""
    shape, rows = scores.shape, rows_a_block(scores.shape[1])
    given_scores = blocked(shape, rows, lambda _, start, stop: scores[start:stop])
    masked, inputs, warnings = mask_step(given_scores, "scores", mask, tokens, fully_masked_rows)
    blind = bool(warnings)
    fill = blind and fully_masked_rows == UNIFORM

    def weigh(i: int, _: int, __: int) -> Array:
        weights = softmax(block(masked.value, i), blind)
        return spread(weights) if fill else weights

    weights = blocked(shape, rows, weigh, source=masked.value)
    unmasked = blocked(shape, rows, lambda i, _, __: softmax(block(given_scores, i), False))
    hidden = blocked(shape, rows, lambda i, _, __: block(masked.hidden, i).astype(np.float64))
    _, *reads = masked.rule.reads
    steps = [
        Step(SCORES, scores),
        Step(hidden_rule(tuple(reads)), hidden),
        masked,
        weights_step(weights, fully_masked_rows),
        Step(UNMASKED, unmasked),
    ]
    return steps, inputs, warnings


@cache
def hidden_rule(reads: tuple[Read, ...]) -> Rule:
    """1 where a query may not see a key; it reads the mask's own matrices."""
    text = r"1 \text{ if } i \text{ may not see } j, \text{ else } 0"
    symbol = r"\mathrm{hidden}"
    return Rule(
        "hidden",
        "Hidden pairs: 1 where a query may not see a key",
        symbol,
        f"{symbol}_{{ij}} = {text}",
        f"{symbol}_{{ji}} = {text}",
        "hide",
        rules.QUERY_KEY,
        reads,
    )


def read_out(hidden: Step, axes: dict[str, Axis], mask: Mask) -> list[dict[str, Any]]:
    """For each query: its token, the keys that it sees, the next token, and whether it cheats."""
    (n_q, queries), (n_k, keys) = axes["query"], axes["key"]
    queries = queries or [str(i) for i in range(n_q)]
    keys = keys or [str(j) for j in range(n_k)]
    offset = n_k - n_q if mask.alignment == "lower_right" else 0
    seen = whole(hidden.value) == 0
    check_seen(seen, keys)
    rows = zip(queries, seen.tolist(), strict=True)
    return [
        {
            "token": query,
            "sees": list(compress(keys, row)),
            "guesses": keys[following] if 0 <= following < n_k else None,
            "cheats": True in row[max(following, 0) :],
        }
        for following, (query, row) in enumerate(rows, offset + 1)
    ]


def check_seen(seen: Bools, keys: list[str]) -> None:
    """Raise TooLarge if the keys, each as often as it is seen, are more text than is written."""
    most = MOST_BYTES * sum(map(len, keys)) + 2 * len(keys)
    if len(seen) * most > MAX_CHARACTERS:
        check_labels(int(np.dot(seen.sum(axis=0), [written(key) for key in keys])))
