"""Grading the answer to an exercise: dicts in, dicts out."""

from collections.abc import Collection
from fractions import Fraction

from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.marking import mark_exercise
from service.engine.grading.exercises.report import ExerciseReport, report_exercise
from service.engine.grading.marking.answers import Answer
from service.engine.grading.marking.mark import unreadable


def grade_exercise(
    exercise: Exercise,
    answer: Answer,
    locale: str | None = None,
    reveal: bool = False,
    asked: Collection[str] | None = None,
) -> tuple[ExerciseReport, Fraction]:
    """The verdict on {"kind": "steps", "steps": {name: rows}}, and the score, exact.

    An answer of another kind is unreadable. Raises what mark_exercise raises.
    """
    marked = mark_exercise(exercise, answer.get("steps", {}), locale, asked)
    if answer["kind"] != "steps":
        message = f"This exercise takes an answer of kind steps, not {answer['kind']}."
        marked = marked._replace(mark=unreadable("wrong_kind", message))
    return report_exercise(exercise, marked, reveal), marked.mark.score
