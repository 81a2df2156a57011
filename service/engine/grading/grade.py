"""Grading answers to the questions of the bank and to tasks of their own: dicts in, dicts out."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypedDict

from service.engine.errors import EngineError
from service.engine.grading.exercises.bank import EXERCISES, find_exercise
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.grade import grade_exercise
from service.engine.grading.exercises.report import ExerciseReport
from service.engine.grading.marking.answers import Answer, graded
from service.engine.grading.marking.task import Task
from service.engine.grading.pool import find_posed
from service.engine.grading.questions.question import Question
from service.engine.grading.questions.reveal import revealed
from service.engine.grading.report import ItemReport, report_item
from service.engine.grading.version import grader


class ScoreReport(TypedDict):
    """scaled = given / maximum, 0 if there is nothing to score."""

    given: float
    maximum: int
    scaled: float


class GradeReport(TypedDict):
    score: ScoreReport
    items: list[ItemReport | ExerciseReport]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """What answers are graded against: a task, and the question that it belongs to, if any.

    Compared by identity, so that what is kept for one is found without comparing keys.
    title: of a task of the caller's own. lasting: small enough for verdicts on it to be kept.
    """

    task: Task
    question: Question | None = None
    title: str = ""
    lasting: bool = True


def question_subject(question_id: str, seed: int | None = None) -> Subject | Exercise:
    """A variant of a question or exercise. Raises EngineError on "question" if there is none."""
    if question_id in EXERCISES:
        return find_exercise(question_id, seed)
    return _question_subject(question_id, seed or None)


@lru_cache(maxsize=4096)
def _question_subject(question_id: str, seed: int | None) -> Subject:
    found = find_posed(question_id, seed)
    assert isinstance(found, Question)
    return Subject(found.task, found)


def grade_subject(
    subject: Subject | Exercise,
    answer: Answer,
    locale: str | None = None,
    reveal: bool = False,
    asked: Collection[str] | None = None,
) -> tuple[ItemReport | ExerciseReport, Fraction]:
    """The verdict on one answer, and the score, exact.

    Only with reveal does the feedback end with the answer and why. asked: which steps of an
    exercise count. Raises EngineError on "answer/kind" for steps where none are, on "asked" for
    what is not a step.
    """
    if isinstance(subject, Exercise):
        return grade_exercise(subject, answer, locale, reveal, asked)
    if asked is not None:
        raise EngineError("asked", "This question is not answered in steps; leave asked out.")
    task, question = subject.task, subject.question
    found = graded(task, answer, locale)
    more = revealed(task.key, question.explanation if question else "") if reveal else ()
    report = report_item(question.id if question else "", task.rule, found, more)
    if question is None:
        del report["question"]
    if subject.title:
        report["title"] = subject.title
    report["grader"] = grader(report["rule"])
    return report, found.mark.score


def grade_item(
    question_id: str,
    answer: Answer,
    seed: int | None = None,
    locale: str | None = None,
    reveal: bool = False,
) -> ItemReport | ExerciseReport:
    """The verdict on one answer to a question of the bank, or an exercise."""
    return grade_subject(question_subject(question_id, seed), answer, locale, reveal)[0]


def grade(
    items: Iterable[Mapping[str, Any]], locale: str | None = None, reveal: bool = False
) -> GradeReport:
    """All items, {"question", "answer", "seed"?} each, and their total; an item is worth 1.

    Raises EngineError whose field begins with the item's place: "items/2/question".
    """
    reports, given = [], Fraction(0)
    for place, item in enumerate(items):
        try:
            subject = question_subject(item["question"], item.get("seed"))
            report, score = grade_subject(
                subject, item["answer"], locale, reveal, item.get("asked")
            )
        except EngineError as error:
            raise EngineError(f"items/{place}/{error.field}", error.message) from None
        reports.append(report)
        given += score
    return {"score": total(given, len(reports)), "items": reports}


def total(given: Fraction, maximum: int) -> ScoreReport:
    """The score of all items."""
    scaled = float(given / maximum) if maximum else 0.0
    return {"given": float(given), "maximum": maximum, "scaled": scaled}
