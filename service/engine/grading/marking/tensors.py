"""Marking a tensor: a matrix for each head, in the key's order."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from service.engine.grading.marking.mark import NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.matrices import MarkedMatrix, mark_matrix, mark_readings
from service.engine.grading.marking.rules import Tensor
from service.engine.grading.marking.shapes import MatrixKey

TensorKey = tuple[MatrixKey, ...]

_EXCHANGED = Note("heads_exchanged", "These are the right heads in another order.")
_MOST_COMPARED = 16  # heads; each is compared with each


class MarkedTensor(NamedTuple):
    """The mark of the whole, and each head's; no heads if their number does not fit."""

    mark: Mark
    heads: tuple[MarkedMatrix, ...] = ()


def mark_tensor(
    rule: Tensor,
    heads: Sequence[Sequence[Sequence[object]]],
    key: TensorKey,
    locale: str | None = None,
) -> MarkedTensor:
    """Each head by the rule; a head of another shape, or unread, leaves the others their credit.

    The whole is unreadable only if no head can be read.
    """
    if len(heads) != len(key):
        message = f"The answer has {len(heads)} heads, but {len(key)} are asked for."
        return MarkedTensor(by_score(NOTHING, Note("wrong_shape", message)))
    marked = tuple(
        mark_matrix(rule.cells, rows, due, locale) for rows, due in zip(heads, key, strict=True)
    )
    return MarkedTensor(_sum(rule, marked, key), marked)


def _sum(rule: Tensor, heads: tuple[MarkedMatrix, ...], key: TensorKey) -> Mark:
    verdicts = [head.mark.verdict for head in heads]
    if all(verdict == "unreadable" for verdict in verdicts):
        return unreadable("unreadable_heads", "None of the heads could be read.")
    score = sum((head.mark.score for head in heads), Fraction(0)) / len(heads)
    right = verdicts.count("correct")
    if right == len(heads):
        return by_score(score, Note("correct", "All heads are right."))
    notes = [Note("heads", f"{right} of {len(heads)} heads are right.")]
    if _are_exchanged(rule, heads, key):
        notes.append(_EXCHANGED)
    return by_score(score, *notes)


def _are_exchanged(rule: Tensor, heads: tuple[MarkedMatrix, ...], key: TensorKey) -> bool:
    """True if every head is right in the place of another, each place taken once."""
    if len(key) > _MOST_COMPARED or not all(head.cells for head in heads):
        return False
    places = list(key)
    for head in heads:
        readings = [[cell.reading for cell in row] for row in head.cells]
        found = next(
            (
                place
                for place in places
                if len(place) == len(readings)
                and len(place[0]) == len(readings[0])
                and mark_readings(rule.cells, readings, place).mark.verdict == "correct"
            ),
            None,
        )
        if found is None:
            return False
        places.remove(found)
    return True
