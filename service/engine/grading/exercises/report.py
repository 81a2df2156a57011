"""A marked exercise as plain JSON values. The names here are the API's."""

import math
from typing import NotRequired, TypedDict

from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.first_wrong import Source, first_wrong, in_words, made_from
from service.engine.grading.exercises.marking import MarkedExercise, MarkedStep
from service.engine.grading.marking.mark import Note, Verdict
from service.engine.grading.marking.task import Misconception
from service.engine.grading.questions.wording import plain
from service.engine.grading.report import CellReport, NoteReport, report_cells, report_note
from service.engine.grading.version import Grader, grader

RULE = (
    "Step by step; the score is the mean over the steps that are asked for. A cell is right by the "
    "true value, or by what your own earlier steps lead to."
)


class SourceReport(TypedDict):
    """Cells of a matrix, counted from 0; without a row or a column it is all of them."""

    name: str
    row: NotRequired[int]
    column: NotRequired[int]


class FirstWrongReport(TypedDict):
    """value only where it is revealed; null is −∞."""

    row: int
    column: int
    made_from: list[SourceReport]
    value: NotRequired[float | None]


class StepReport(TypedDict):
    """carried: some of it is right by follow-through alone. cells: if it has the right shape."""

    name: str
    verdict: Verdict
    score: float
    carried: bool
    feedback: list[NoteReport]
    cells: NotRequired[list[list[CellReport]]]
    misconception: NotRequired[NoteReport]
    first_wrong: NotRequired[FirstWrongReport]


class ExerciseReport(TypedDict):
    """As an item's report; the misconception is that of the first step that has one."""

    question: str
    verdict: Verdict
    score: float
    maximum: int
    attempt_counts: bool
    rule: str
    feedback: list[NoteReport]
    steps: list[StepReport]
    misconception: NotRequired[NoteReport]
    grader: Grader


def report_exercise(
    exercise: Exercise, marked: MarkedExercise, reveal: bool = False
) -> ExerciseReport:
    """What is said of an answer. Only with reveal does it hold a value that nobody typed."""
    mark = marked.mark
    more = (Note("explanation", plain(exercise.explanation)),) if reveal else ()
    report: ExerciseReport = {
        "question": exercise.id,
        "verdict": mark.verdict,
        "score": float(mark.score),
        "maximum": 1,
        "attempt_counts": mark.verdict != "unreadable",
        "rule": RULE,
        "feedback": [report_note(note) for note in (*mark.feedback, *more)],
        "steps": [_step(step, reveal) for step in marked.steps],
        "grader": grader(RULE),
    }
    told = [step.misconception for step in marked.steps if step.misconception]
    if told:
        report["misconception"] = _misconception(told[0])
    return report


def _step(step: MarkedStep, reveal: bool) -> StepReport:
    name, mark = step.stage.name, step.mark
    report: StepReport = {
        "name": name,
        "verdict": mark.verdict,
        "score": float(mark.score),
        "carried": bool(step.carried),
        "feedback": [report_note(note) for note in mark.feedback],
    }
    if step.marked.cells:
        report["cells"] = report_cells(step.marked.cells)
    if step.misconception is not None:
        report["misconception"] = _misconception(step.misconception)
    place = None if mark.verdict == "correct" else first_wrong(step.marked.cells)
    if place is not None:
        sources = made_from(step.stage.step.rule, *place)
        report["first_wrong"] = {
            "row": place[0],
            "column": place[1],
            "made_from": [_source(source) for source in sources],
        }
        report["feedback"].append(
            {"code": "first_wrong", "message": in_words(name, *place, sources)}
        )
        if reveal:
            value = float(step.stage.value[place])
            report["first_wrong"]["value"] = None if value == -math.inf else value
    return report


def _source(source: Source) -> SourceReport:
    report: SourceReport = {"name": source.name}
    if source.row is not None:
        report["row"] = source.row
    if source.column is not None:
        report["column"] = source.column
    return report


def _misconception(one: Misconception) -> NoteReport:
    return {"code": one.code, "message": one.message}
