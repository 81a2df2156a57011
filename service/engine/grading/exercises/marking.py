"""Marking an exercise: each step by the key, and by what the student's own steps lead to."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise, Stage
from service.engine.grading.exercises.follow import Followed, follow
from service.engine.grading.exercises.slips import slip
from service.engine.grading.exercises.trivial import is_empty
from service.engine.grading.marking.mark import NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.matrices import MarkedMatrix, mark_matrix, mark_readings
from service.engine.grading.marking.numbers import is_right
from service.engine.grading.marking.rules import Cells
from service.engine.grading.marking.shapes import has_shape
from service.engine.grading.marking.task import Misconception
from service.engine.grading.reading.read import Reading, read_cell
from service.engine.grading.reading.values import Number, exact
from service.engine.trace import Array

Rows = Sequence[Sequence[object]]
Place = tuple[int, int]

CARRIED = Note(
    "carried", "Right for what your own earlier steps lead to, so a slip in them costs once only."
)
TRIVIAL = Note(
    "trivial",
    "This leaves nothing to work out, so it earns nothing, and what follows is compared with the "
    "true values.",
)


class MarkedStep(NamedTuple):
    """One step: its mark, its cells, and the places of those right by follow-through alone."""

    stage: Stage
    mark: Mark
    cells: MarkedMatrix
    carried: frozenset[Place] = frozenset()
    misconception: Misconception | None = None


class MarkedExercise(NamedTuple):
    """The mean over the steps that were asked for, the steps that were given, and those missing."""

    mark: Mark
    steps: tuple[MarkedStep, ...]
    missing: tuple[str, ...]


class _Given(NamedTuple):
    """A step as it was read and marked by the key; no readings if it has another shape."""

    stage: Stage
    readings: list[list[Reading]]
    marked: MarkedMatrix


def mark_exercise(
    exercise: Exercise,
    steps: Mapping[str, Rows],
    locale: str | None = None,
    asked: Collection[str] | None = None,
) -> MarkedExercise:
    """Each given step by its stage's rule; all stages are asked for unless `asked` says which.

    A cell is right if it is so by the key, or by what the engine makes of the student's own earlier
    steps: the nearest that were given, what is missing between them recomputed. So a slip costs
    once, and numbers may be carried rounded or exact. The score is the mean over the asked steps,
    with 0 for a missing one. Raises EngineError on "answer/steps" or "asked" for an unknown name.
    """
    _check_known(exercise, "answer/steps", steps)
    wanted = list(exercise.by_name) if asked is None else asked
    _check_known(exercise, "asked", wanted)
    given = [
        _read(stage, steps[stage.name], locale) for stage in exercise.stages if stage.name in steps
    ]
    if all(step.marked.mark.verdict == "correct" for step in given):
        marked = [MarkedStep(step.stage, step.marked.mark, step.marked) for step in given]
    else:
        followed = follow(
            exercise, {step.stage.name: _numbers(step.readings) for step in given if step.readings}
        )
        marked = [_followed(step, followed) for step in given]
    return _total(marked, wanted)


def _check_known(exercise: Exercise, field: str, names: Collection[str]) -> None:
    for name in names:
        if name not in exercise.by_name:
            there = ", ".join(exercise.by_name)
            raise EngineError(field, f"There is no step {name[:100]!r}; there are {there}.")


def _read(stage: Stage, rows: Rows, locale: str | None) -> _Given:
    if not has_shape(rows, *stage.value.shape):
        return _Given(stage, [], mark_matrix(stage.rule, rows, stage.key, locale))
    readings = [[read_cell(cell, locale) for cell in row] for row in rows]
    return _Given(stage, readings, mark_readings(stage.rule, readings, stage.key))


def _numbers(readings: list[list[Reading]]) -> Array:
    """The cells as float64, NaN for those that were not read."""
    return np.array(
        [[np.nan if cell.value is None else float(cell.value) for cell in row] for row in readings]
    )


def _followed(step: _Given, followed: Followed) -> MarkedStep:
    stage, readings, marked = step
    if marked.mark.verdict == "correct" or not readings:
        return MarkedStep(stage, marked.mark, marked)
    expected = followed.expected.get(stage.name)
    carried = frozenset(() if expected is None else _right_by(expected, step))
    if carried:
        assert expected is not None
        key = [list(row) for row in stage.key]
        for i, j in carried:
            key[i][j] = exact(float(expected[i, j]))
        marked = mark_readings(stage.rule, readings, tuple(map(tuple, key)))
    mark = marked.mark
    if mark.verdict == "correct":
        return MarkedStep(stage, by_score(mark.score, *mark.feedback, CARRIED), marked, carried)
    right = [stage.value] if expected is None else [stage.value, expected]
    typed = [[cell.value for cell in row] for row in readings]
    why = slip(stage, typed, followed.own, right)
    if is_empty(_numbers(readings), stage.value):
        mark = by_score(NOTHING, *mark.feedback, TRIVIAL)
    elif carried:
        mark = mark._replace(feedback=(*mark.feedback, CARRIED))
    return MarkedStep(stage, mark, marked, carried, why)


def _right_by(expected: Array, step: _Given) -> list[Place]:
    """The places of cells that are wrong by the key, but right by what was expected of them."""
    return [
        (i, j)
        for i, row in enumerate(step.marked.cells)
        for j, cell in enumerate(row)
        if cell.mark.verdict == "incorrect"
        and cell.reading.value is not None
        and _fits(step.stage.rule, cell.reading.value, exact(float(expected[i, j])))
    ]


def _fits(rule: Cells, value: Number, due: Number) -> bool:
    return value == 0 if rule.blocked_are_zero and due == 0 else is_right(rule.each, value, due)


def _total(marked: list[MarkedStep], wanted: Collection[str]) -> MarkedExercise:
    by_name = {step.stage.name: step.mark for step in marked}
    missing = tuple(name for name in wanted if name not in by_name)
    found = [by_name[name] for name in wanted if name in by_name]
    if all(mark.verdict == "unreadable" for mark in found):
        mark = unreadable("unreadable_steps", "None of the steps could be read.")
        return MarkedExercise(mark, tuple(marked), missing)
    score = sum((mark.score for mark in found), Fraction(0)) / len(wanted)
    right = sum(mark.verdict == "correct" for mark in found)
    notes = [Note("steps", f"{right} of {len(wanted)} steps are right.")]
    if missing:
        notes.append(Note("missing_steps", f"Not answered: {', '.join(missing)}."))
    return MarkedExercise(by_score(score, *notes), tuple(marked), missing)
