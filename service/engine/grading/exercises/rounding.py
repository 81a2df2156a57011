"""Numbers carried exactly by a student who wrote them down rounded."""

from collections.abc import Mapping
from math import isfinite

import numpy as np

from service.engine.grading.exercises.exercise import Stage
from service.engine.grading.exercises.given import Given
from service.engine.grading.exercises.nearness import Bools, Floats
from service.engine.grading.marking.rules import Absolute
from service.engine.grading.tolerances.honest import span_of
from service.engine.grading.tolerances.operations import OPERATIONS
from service.engine.trace import Array


def within_rounding(
    step: Given,
    found: Bools,
    expected: Floats,
    own: Mapping[str, Array],
    given: Mapping[str, Given],
) -> Bools:
    """found, and the cells that are right for some numbers that round to those written before.

    Who goes on in a spreadsheet carries more decimals than the answer shows. A step whose operation
    has no spans keeps what was found.
    """
    stage = step.stage
    if not _has_spans(stage) or all(map(all, found)):
        return found
    units = {name: _half_units(given.get(name), own[name]) for name in stage.sources}
    lower = {name: own[name] - unit for name, unit in units.items()}
    upper = {name: own[name] + unit for name, unit in units.items()}
    right = [list(row) for row in found]
    for i, row in enumerate(step.cells):
        for j, cell in enumerate(row):
            exact = stage.rule.blocked_are_zero and expected[i][j] == 0.0
            if not (right[i][j] or step.right[i][j] or exact) and isfinite(cell.number):
                low, high = span_of(stage.step, i, j, lower, upper)
                right[i][j] = low - stage.slack <= cell.number <= high + stage.slack
    return right


def _half_units(step: Given | None, value: Array) -> Array | float:
    """By how much a number may differ from the one that was rounded to it.

    Half a unit of the last decimal typed, though no more than the step's own tolerance; 0 for what
    was not typed as a decimal, or not carried on.
    """
    if step is None or not step.cells:
        return 0.0
    return np.array(
        [
            [
                min(0.5 * 10.0**-digits.decimals, step.stage.slack)
                if (digits := cell.reading.digits) is not None and cell.number == number
                else 0.0
                for cell, number in zip(*rows, strict=True)
            ]
            for rows in zip(step.cells, value.tolist(), strict=True)
        ]
    )


def _has_spans(stage: Stage) -> bool:
    return isinstance(stage.rule.each, Absolute) and stage.step.rule.operation in OPERATIONS
