"""Grading answers to the questions of the bank: dicts in, dicts out."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypedDict

from service.engine.errors import EngineError
from service.engine.grading.marking.answers import Answer, graded
from service.engine.grading.questions.bank import BANK
from service.engine.grading.questions.question import find_question
from service.engine.grading.questions.reveal import revealed
from service.engine.grading.report import ItemReport, report_item


class ScoreReport(TypedDict):
    """scaled = given / maximum, 0 if there is nothing to score."""

    given: float
    maximum: int
    scaled: float


class GradeReport(TypedDict):
    score: ScoreReport
    items: list[ItemReport]


def grade_item(
    question_id: str,
    answer: Answer,
    seed: int | None = None,
    locale: str | None = None,
    reveal: bool = False,
) -> ItemReport:
    """The verdict on one answer. Only with reveal does the feedback end with the answer and why.

    Raises EngineError: "question" if the id is unknown, "answer/kind" for steps.
    """
    return _graded_item(question_id, answer, seed, locale, reveal)[0]


def grade(
    items: Iterable[Mapping[str, Any]], locale: str | None = None, reveal: bool = False
) -> GradeReport:
    """All items, {"question", "answer", "seed"?} each, and their total; an item is worth 1.

    Raises EngineError whose field begins with the item's place: "items/2/question".
    """
    reports, given = [], Fraction(0)
    for place, item in enumerate(items):
        try:
            report, score = _graded_item(
                item["question"], item["answer"], item.get("seed"), locale, reveal
            )
        except EngineError as error:
            raise EngineError(f"items/{place}/{error.field}", error.message) from None
        reports.append(report)
        given += score
    maximum = len(reports)
    scaled = float(given / maximum) if maximum else 0.0
    return {
        "score": {"given": float(given), "maximum": maximum, "scaled": scaled},
        "items": reports,
    }


def _graded_item(
    question_id: str, answer: Answer, seed: int | None, locale: str | None, reveal: bool
) -> tuple[ItemReport, Fraction]:
    question = find_question(BANK, question_id, seed)
    found = graded(question.task, answer, locale)
    more = revealed(question.task.key, question.explanation) if reveal else ()
    return report_item(question.id, question.task.rule, found, more), found.mark.score
