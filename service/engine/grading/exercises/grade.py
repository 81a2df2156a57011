"""Grading the answer to an exercise: dicts in, dicts out."""

from collections.abc import Collection
from fractions import Fraction

from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.marking import mark_exercise
from service.engine.grading.exercises.report import ExerciseReport, report_exercise
from service.engine.grading.marking.answers import Answer


def grade_exercise(
    exercise: Exercise,
    answer: Answer,
    locale: str | None = None,
    reveal: bool = False,
    asked: Collection[str] | None = None,
) -> tuple[ExerciseReport, Fraction]:
    """The verdict on {"kind": "steps", "steps": {name: rows}}, and the score, exact.

    Raises EngineError on "answer/kind" for another kind, and what mark_exercise raises.
    """
    if answer["kind"] != "steps":
        raise EngineError(
            "answer/kind", f"An exercise takes an answer of kind steps, not {answer['kind']}."
        )
    marked = mark_exercise(exercise, answer["steps"], locale, asked)
    return report_exercise(exercise, marked, reveal), marked.mark.score
