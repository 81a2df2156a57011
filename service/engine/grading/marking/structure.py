"""What a row of a matrix can be worth beside its right cells: properties that a rule asks for."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf, prod

from service.engine.grading.marking.mark import ALL, Note
from service.engine.grading.marking.rules import Cells
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Number

GIVEN_BACK = Fraction(1, 4)
"""The share of its lost points that a row with all the properties gets back."""


def score_of_rows(
    rule: Cells,
    scores: Sequence[Sequence[Fraction]],
    readings: Sequence[Sequence[Reading]],
    key: Sequence[Sequence[Number]],
) -> tuple[Fraction, list[Note]]:
    """The mean of the rows' shares of right cells, with what their properties give back.

    scores: of each cell. share + GIVEN_BACK · (1 − share) for a row in which a cell is right that
    is not blocked, and that has all the properties that are asked for; and what to say.
    """
    total = Fraction(0)
    multiplied = kept = False
    no_weights = []
    for i, (row, read, due) in enumerate(zip(scores, readings, key, strict=True), 1):
        blocked = [_is_blocked(rule, number) for number in due]
        share = _share(row, blocked)
        total += share
        if share == 1:
            continue
        # Said only where a blocked cell is right already, so that it tells of no other.
        multiplied |= any(score and zero for score, zero in zip(row, blocked, strict=True))
        if not (rule.rows_sum_to_one or rule.blocked_are_zero):
            continue
        if any(reading.value is None for reading in read):
            continue
        are_weights = not rule.rows_sum_to_one or is_row_of_weights(read)
        if not are_weights:
            no_weights.append(str(i))
        if are_weights and _is_well_made(rule, row, read, due):
            kept = True
            total += GIVEN_BACK * (1 - share)
    said = (
        ("rows_sum_to_one", f"Not weights that sum to 1: row {_listed(no_weights)}.", no_weights),
        (
            "blocked_cells",
            "Where cells are blocked, the share of them that is right is multiplied by that of the "
            "others.",
            multiplied,
        ),
        ("structure", "A quarter of what is lost comes back for each well-made row.", kept),
    )
    return total / len(scores), [Note(code, message) for code, message, so in said if so]


def _is_blocked(rule: Cells, due: Number) -> bool:
    """−∞, and where it is asked for exactly, 0: what the mask gives and nobody works out."""
    return due == -inf if isinstance(due, float) else rule.blocked_are_zero and not due


def _share(row: Sequence[Fraction], blocked: Sequence[bool]) -> Fraction:
    """The share of the right cells.

    Where some are blocked, theirs times that of the others: neither the mask nor what it leaves as
    it was shows anything alone.
    """
    if all(score == 1 for score in row):
        return ALL
    parts = [
        [score for score, is_blocked in zip(row, blocked, strict=True) if is_blocked is wanted]
        for wanted in (False, True)
    ]
    return prod((sum(part, Fraction(0)) / len(part) for part in parts if part), start=Fraction(1))


def _is_well_made(
    rule: Cells, row: Sequence[Fraction], readings: Sequence[Reading], due: Sequence[Number]
) -> bool:
    """Is a cell right that is not 0, and each 0 exactly so if that is asked for?"""
    if not any(score and number != 0 for score, number in zip(row, due, strict=True)):
        return False
    if not rule.blocked_are_zero:
        return True
    zeros = [reading.value for reading, number in zip(readings, due, strict=True) if number == 0]
    return all(value == 0 for value in zeros) and (rule.rows_sum_to_one or bool(zeros))


def is_row_of_weights(row: Sequence[Reading]) -> bool:
    """No cell is negative, and the sum can be 1 before each decimal was rounded as it is typed.

    |Σ − 1| < Σ half a unit of each cell's last decimal; whole numbers and fractions are exact. (No
    weight lies halfway, but for those that are exact.)
    """
    total = slack = Fraction(0)
    for reading in row:
        value = reading.value
        if value is None or isinstance(value, float) or value < 0:
            return False
        total += value
        if reading.digits is not None and reading.digits.decimals:
            slack += Fraction(1, 2 * 10**reading.digits.decimals)
    return total == 1 or abs(total - 1) < slack


def _listed(places: Sequence[str]) -> str:
    more = f" and {len(places) - 10} more" if len(places) > 10 else ""
    return ", ".join(places[:10]) + more
