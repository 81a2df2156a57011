"""What a row of a matrix can be worth beside its right cells: properties that a rule asks for."""

from collections.abc import Sequence
from fractions import Fraction

from service.engine.grading.marking.mark import Note
from service.engine.grading.marking.rules import Cells
from service.engine.grading.reading.read import Reading
from service.engine.grading.reading.values import Number

GIVEN_BACK = Fraction(1, 4)
"""The share of its lost points that a row with all the properties gets back."""


def score_of_rows(
    rule: Cells,
    shares: Sequence[Fraction],
    readings: Sequence[Sequence[Reading]],
    key: Sequence[Sequence[Number]],
) -> tuple[Fraction, list[Note]]:
    """The mean of the rows' shares of right cells, with what their properties give back.

    share + GIVEN_BACK · (1 − share) for a row that has all that are asked for, and what to say.
    """
    if not (rule.rows_sum_to_one or rule.blocked_are_zero):
        return sum(shares, Fraction(0)) / len(shares), []
    no_weights, not_blocked, kept = [], [], []
    given = Fraction(0)
    for i, (share, row, due) in enumerate(zip(shares, readings, key, strict=True), 1):
        given += share
        if share == 1 or any(reading.value is None for reading in row):
            continue
        if not rule.rows_sum_to_one and 0 not in due:
            continue  # nothing is blocked, so nothing was made well
        are_weights = not rule.rows_sum_to_one or is_row_of_weights(row)
        open_cells = _not_zero(row, due) if rule.blocked_are_zero else []
        if not are_weights:
            no_weights.append(str(i))
        not_blocked += [f"row {i} column {j}" for j in open_cells]
        if are_weights and not open_cells:
            kept.append(str(i))
            given += GIVEN_BACK * (1 - share)
    said = (
        ("rows_sum_to_one", "Not weights that sum to 1: row", no_weights),
        ("blocked_are_zero", "Blocked, and so exactly 0:", not_blocked),
        ("structure", "A quarter of what is lost comes back, for a well-made row: row", kept),
    )
    notes = [Note(code, f"{about} {_listed(places)}.") for code, about, places in said if places]
    return given / len(shares), notes


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


def _not_zero(row: Sequence[Reading], due: Sequence[Number]) -> list[int]:
    """The columns, counted from 1, of cells that are not 0 though their key is."""
    pairs = enumerate(zip(row, due, strict=True), 1)
    return [j for j, (reading, number) in pairs if number == 0 and reading.value != 0]


def _listed(places: Sequence[str]) -> str:
    more = f" and {len(places) - 10} more" if len(places) > 10 else ""
    return ", ".join(places[:10]) + more
