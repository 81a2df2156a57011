"""Marking an exercise: each step by the key, and by what the student's own steps lead to."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import nan
from typing import NamedTuple

import numpy as np

from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise, Stage
from service.engine.grading.exercises.follow import Followed, follow
from service.engine.grading.exercises.nearness import Bools, right_cells
from service.engine.grading.exercises.slips import slip
from service.engine.grading.exercises.trivial import is_empty
from service.engine.grading.marking.mark import NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.matrices import MarkedMatrix, mark_matrix, mark_readings
from service.engine.grading.marking.rules import Cells
from service.engine.grading.marking.shapes import MatrixKey, has_shape
from service.engine.grading.marking.task import Misconception
from service.engine.grading.reading.read import Reading, read_cell
from service.engine.grading.reading.values import Number
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
    marked: MarkedMatrix
    carried: frozenset[Place] = frozenset()
    misconception: Misconception | None = None


class MarkedExercise(NamedTuple):
    """The mean over the steps that were asked for, the steps that were given, and those missing."""

    mark: Mark
    steps: tuple[MarkedStep, ...]
    missing: tuple[str, ...]


class _Given(NamedTuple):
    """A step as it was read and marked by the key; no numbers if it has another shape.

    typed: the exact values, None where there is none; numbers: the same as float64 and NaN.
    """

    stage: Stage
    marked: MarkedMatrix
    readings: list[list[Reading]]
    typed: list[list[Number | None]]
    numbers: Array | None


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
        numbers = {step.stage.name: step.numbers for step in given if step.numbers is not None}
        followed = follow(exercise, numbers)
        marked = [_followed(step, followed) for step in given]
    return _total(marked, wanted)


def _check_known(exercise: Exercise, field: str, names: Collection[str]) -> None:
    for name in names:
        if name not in exercise.by_name:
            there = ", ".join(exercise.by_name)
            raise EngineError(field, f"There is no step {name[:100]!r}; there are {there}.")


def _read(stage: Stage, rows: Rows, locale: str | None) -> _Given:
    if not has_shape(rows, *stage.value.shape):
        return _Given(stage, mark_matrix(stage.rule, rows, stage.key, locale), [], [], None)
    readings = [[read_cell(cell, locale) for cell in row] for row in rows]
    typed = [[cell.value for cell in row] for row in readings]
    numbers = [[nan if value is None else float(value) for value in row] for row in typed]
    marked = mark_readings(stage.rule, readings, stage.key)
    return _Given(stage, marked, readings, typed, np.array(numbers))


def _followed(step: _Given, followed: Followed) -> MarkedStep:
    stage, marked, readings, typed, numbers = step
    if marked.mark.verdict == "correct" or numbers is None:
        return MarkedStep(stage, marked.mark, marked)
    expected = followed.expected.get(stage.name)
    carried: frozenset[Place] = frozenset()
    if expected is not None:
        carried = _carried(step, _right_by(stage.rule, step, expected))
        marked = mark_readings(stage.rule, readings, _key(step, carried)) if carried else marked
    mark = marked.mark
    if carried:
        mark = mark._replace(feedback=(*mark.feedback, CARRIED))
    if mark.verdict == "correct":
        return MarkedStep(stage, mark, marked, carried)
    right = [stage.value] if expected is None else [stage.value, expected]
    why = slip(stage, typed, numbers, followed.own, right)
    if is_empty(numbers, stage.value):
        mark = by_score(NOTHING, *mark.feedback, TRIVIAL)
    return MarkedStep(stage, mark, marked, carried, why)


def _right_by(rule: Cells, step: _Given, expected: Array) -> Bools:
    """Where the step is right by what its own earlier steps lead to."""
    assert step.numbers is not None
    right = right_cells(rule.each, step.typed, step.numbers, expected)
    if rule.blocked_are_zero:
        right &= (expected != 0.0) | (step.numbers == 0.0)
    return right


def _carried(step: _Given, right: Bools) -> frozenset[Place]:
    """Of these places, those that are wrong by the key."""
    cells = step.marked.cells
    places = np.argwhere(right).tolist()
    return frozenset((i, j) for i, j in places if cells[i][j].mark.verdict == "incorrect")


def _key(step: _Given, carried: frozenset[Place]) -> MatrixKey:
    """The key, and in the carried places what was typed there, which is right."""
    key = [list(row) for row in step.stage.key]
    for i, j in carried:
        value = step.typed[i][j]
        assert value is not None
        key[i][j] = value
    return tuple(map(tuple, key))


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
