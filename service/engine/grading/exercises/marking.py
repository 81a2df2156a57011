"""Marking an exercise: each step by the key, and by what the student's own steps lead to."""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise, Stage
from service.engine.grading.exercises.follow import Followed, follow
from service.engine.grading.exercises.given import Given, Rows, read_step
from service.engine.grading.exercises.nearness import Bools
from service.engine.grading.exercises.trivial import is_empty
from service.engine.grading.marking.mark import NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.matrices import (
    MarkedMatrix,
    mark_cell,
    mark_cells,
)
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.marking.task import Misconception

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
    check_known(exercise, "answer/steps", steps)
    wanted = list(dict.fromkeys(exercise.by_name if asked is None else asked))
    check_known(exercise, "asked", wanted)
    given = [
        read_step(stage, steps[stage.name], locale)
        for stage in exercise.stages
        if stage.name in steps
    ]
    wrong = any(step.cells and not step.is_right for step in given)
    by_name = {step.stage.name: step for step in given}
    followed = follow(exercise, by_name) if wrong else Followed({}, {})
    return _total([_marked(step, followed) for step in given], wanted)


def check_known(exercise: Exercise, field: str, names: Collection[str]) -> None:
    """Raise EngineError on `field` if one of the names is no step."""
    for name in names:
        if name not in exercise.by_name:
            there = ", ".join(exercise.by_name)
            raise EngineError(field, f"There is no step {name[:100]!r}; there are {there}.")


def _marked(step: Given, followed: Followed) -> MarkedStep:
    stage, _, right, misshapen = step
    if misshapen is not None:
        return MarkedStep(stage, misshapen, MarkedMatrix(misshapen))
    also = followed.also.get(stage.name)
    carried: frozenset[Place] = frozenset()
    if also is not None:
        carried = frozenset(_only(also, right))
        right = [
            [a or b for a, b in zip(*rows, strict=True)] for rows in zip(right, also, strict=True)
        ]
    marked = _matrix(step, right, carried)
    mark = marked.mark
    if carried:
        mark = mark._replace(feedback=(*mark.feedback, CARRIED))
    if mark.verdict in ("correct", "unreadable"):
        return MarkedStep(stage, mark, marked, carried)
    why = followed.slips.get(stage.name)
    if is_empty(stage, step.numbers):
        mark = by_score(NOTHING, *mark.feedback, TRIVIAL)
    return MarkedStep(stage, mark, marked, carried, why)


def _matrix(step: Given, right: Bools, carried: frozenset[Place]) -> MarkedMatrix:
    """The cells, each with its mark, and the mark of the whole."""
    rule = step.stage.rule
    if all(map(all, right)):  # then no key is needed, nor made
        cells = tuple(tuple(cell.if_right for cell in row) for row in step.cells)
        return mark_cells(rule, cells, key=())
    key = _key(step, carried) if carried else step.stage.key
    cells = tuple(
        tuple(
            cell.if_right if is_right else mark_cell(rule, cell.reading, due)
            for cell, is_right, due in zip(*rows, strict=True)
        )
        for rows in zip(step.cells, right, key, strict=True)
    )
    return mark_cells(rule, cells, key)


def _key(step: Given, carried: frozenset[Place]) -> MatrixKey:
    """The key, and in the carried places what was typed there, which counts as right."""
    key = [list(row) for row in step.stage.key]
    for i, j in carried:
        value = step.cells[i][j].value
        assert value is not None
        key[i][j] = value
    return tuple(map(tuple, key))


def _only(also: Bools, right: Bools) -> Iterator[Place]:
    """The places in the first and not in the second."""
    return (
        (i, j)
        for i, rows in enumerate(zip(also, right, strict=True))
        for j, (one, other) in enumerate(zip(*rows, strict=True))
        if one and not other
    )


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
