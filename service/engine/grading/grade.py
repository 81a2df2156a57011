"""Grading answers to the questions of the bank: dicts in, dicts out."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypedDict

from service.engine.errors import EngineError
from service.engine.grading.choices import mark_choice
from service.engine.grading.lecture import LECTURE
from service.engine.grading.marking import mark_value, unreadable
from service.engine.grading.matrices import mark_matrix
from service.engine.grading.questions import (
    ChoiceQuestion,
    MatrixQuestion,
    Question,
    TextQuestion,
    find_question,
)
from service.engine.grading.reading import read, read_number
from service.engine.grading.report import Graded, ItemReport, report_item

Answer = Mapping[str, Any]

ANSWER_KINDS = {"text": ("text", "number"), "matrix": ("matrix",), "choice": ("choice",)}
"""The kinds of answer that each kind of input takes."""


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
    question, graded = _graded(question_id, answer, seed, locale)
    return report_item(question, graded, reveal)


def grade(
    items: Iterable[Mapping[str, Any]], locale: str | None = None, reveal: bool = False
) -> GradeReport:
    """All items, {"question", "answer", "seed"?} each, and their total; an item is worth 1.

    Raises EngineError whose field begins with the item's place: "items/2/question".
    """
    reports, given = [], Fraction(0)
    for place, item in enumerate(items):
        try:
            question, graded = _graded(item["question"], item["answer"], item.get("seed"), locale)
        except EngineError as error:
            raise EngineError(f"items/{place}/{error.field}", error.message) from None
        reports.append(report_item(question, graded, reveal))
        given += graded.mark.score
    maximum = len(reports)
    scaled = float(given / maximum) if maximum else 0.0
    return {
        "score": {"given": float(given), "maximum": maximum, "scaled": scaled},
        "items": reports,
    }


def _graded(
    question_id: str, answer: Answer, seed: int | None, locale: str | None
) -> tuple[Question, Graded]:
    question = find_question(LECTURE, question_id, seed)
    kind = answer["kind"]
    if kind == "steps":
        raise EngineError("answer/kind", f"{question_id} is answered at once, not in steps.")
    if kind not in ANSWER_KINDS[question.input]:
        taken = " or ".join(ANSWER_KINDS[question.input])
        message = f"This question takes an answer of kind {taken}, not {kind}."
        return question, Graded(unreadable("wrong_kind", message))
    match question:
        case TextQuestion():
            typed = kind == "text"
            reading = read(answer["text"], locale) if typed else read_number(answer["number"])
            return question, Graded(mark_value(question.rule, reading, question.key), reading)
        case MatrixQuestion():
            marked = mark_matrix(question.rule, answer["matrix"], question.key, locale)
            return question, Graded(marked.mark, cells=marked.cells)
        case ChoiceQuestion():
            offered = [option.id for option in question.choices]
            mark = mark_choice(question.rule, answer["choices"], question.key, offered)
            return question, Graded(mark)
