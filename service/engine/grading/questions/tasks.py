"""Tasks of the bank: a rule, a key, and by their codes the answers that known mistakes lead to.

A mistake whose answer the rule cannot tell from the key is left out of that variant.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import Cells, Choice, ScalarRule, Tensor
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.marking.task import Misconception, Option, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.reading.values import Number, exact
from service.engine.trace import Array

Rows = Array | Sequence[Sequence[float | Fraction]]


class Offer(NamedTuple):
    """One of the options of a choice. A wrong one has the code and the message of its error."""

    text: str
    code: str = ""
    message: str = ""


def number_task(
    rule: ScalarRule,
    key: float | Fraction,
    mistakes: Callable[[], Mapping[str, float | Fraction]],
) -> Task:
    """One number. `mistakes` gives the wrong answers by the codes of the catalogue."""
    due = _exact(key)

    @cache
    def misconceptions() -> tuple[Misconception, ...]:
        answers = ((code, _exact(answer)) for code, answer in mistakes().items())
        return tuple(
            known(code, value) for code, value in answers if not is_right(rule, value, due)
        )

    return Task(rule, due, misconceptions=misconceptions)


def matrix_task(rule: Cells, key: Rows, mistakes: Callable[[], Mapping[str, Rows]]) -> Task:
    """A matrix, or a vector as one row. `mistakes` as of number_task."""
    due = _cells(key)

    @cache
    def misconceptions() -> tuple[Misconception, ...]:
        # A mistake may divide by 0; what it makes then is no answer.
        found = ((code, np.asarray(answer)) for code, answer in mistakes().items())
        answers = ((code, _cells(rows)) for code, rows in found if not _has_nan(rows))
        return tuple(known(code, rows) for code, rows in answers if not _all_right(rule, rows, due))

    return Task(rule, due, misconceptions=misconceptions)


def tensor_task(
    rule: Tensor, key: Sequence[Rows], mistakes: Callable[[], Mapping[str, Sequence[Rows]]]
) -> Task:
    """A matrix for each head. `mistakes` as of number_task."""
    due = tuple(map(_cells, key))

    @cache
    def misconceptions() -> tuple[Misconception, ...]:
        answers = ((code, tuple(map(_cells, heads))) for code, heads in mistakes().items())
        return tuple(
            known(code, heads)
            for code, heads in answers
            if not all(_all_right(rule.cells, *pair) for pair in zip(heads, due, strict=True))
        )

    return Task(rule, due, misconceptions=misconceptions)


def choice_task(
    offers: Iterable[Offer], seed: int | None, place: str, partial: bool = False
) -> Task:
    """One right option, or several; a seed shuffles them, the letters stay in order."""
    shown = shuffled(offers, seed, place)
    options = tuple(Option(id, offer.text) for id, offer in zip(LETTERS, shown, strict=False))
    key = frozenset(
        option.id for option, offer in zip(options, shown, strict=True) if not offer.code
    )
    several = len(key) > 1

    @cache
    def misconceptions() -> tuple[Misconception, ...]:
        # Among several, a wrong option is taken beside the right ones.
        return tuple(
            Misconception(offer.code, offer.message, (key if several else frozenset()) | {id})
            for id, offer in zip(LETTERS, shown, strict=False)
            if offer.code
        )

    return Task(Choice(several, partial and several), key, options, misconceptions)


LETTERS = "abcdefghij"


def shuffled(offers: Iterable[Offer], seed: int | None, place: str) -> list[Offer]:
    """The offers in their own order without a seed, else in one that seed and place decide."""
    if not seed:
        return list(offers)
    return sorted(
        offers, key=lambda offer: sha256(repr((seed, place, offer.text)).encode()).digest()
    )


def _exact(number: Any) -> Number:
    return exact(number.item() if isinstance(number, np.generic) else number)


def _cells(rows: Rows) -> MatrixKey:
    return tuple(tuple(_exact(number) for number in row) for row in rows)


def _has_nan(rows: Any) -> bool:
    return rows.dtype == np.float64 and bool(np.isnan(rows).any())


def _all_right(rule: Cells, rows: MatrixKey, key: MatrixKey) -> bool:
    return [len(row) for row in rows] == [len(row) for row in key] and all(
        is_right(rule.each, cell, due)
        for pair in zip(rows, key, strict=True)
        for cell, due in zip(*pair, strict=True)
    )
