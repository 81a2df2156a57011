"""The quiz over HTTP."""

from typing import Any

from flask import Blueprint
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter

from service.api.contract import operation
from service.engine.errors import EngineError
from service.engine.grading.grade import GradeReport, grade
from service.engine.grading.marking.task import ANSWER_KINDS, input_of
from service.engine.grading.marking.words import in_words
from service.engine.grading.questions.bank import BANK
from service.engine.grading.questions.question import find_question
from service.engine.grading.questions.wording import plain
from service.engine.grading.reading.locales import LOCALES, known_locale
from service.schemas.example import Example
from service.schemas.lecture import examples_of
from service.schemas.quiz import GradeRequest
from service.schemas.quiz_questions import Question, QuestionList, VariantQuery
from service.schemas.quiz_reply import GradeReply

bp = Blueprint("quiz", __name__)

MAX_TYPED = 1 << 16


class QuestionConverter(BaseConverter):
    """The id of a question: anything but the name of an operation beside it."""

    regex = "(?!grade$)[^/]+"


@bp.get("/quiz")
@operation(
    QuestionList,
    query=VariantQuery,
    examples=[Example("variant", "Other numbers", query={"seed": 3})],
)
def list_questions(seed: int | None = None) -> dict[str, Any]:
    """The questions of the quiz, without their keys.

    With a seed, questions with numbers in them get others; send the same seed with the answer.
    """
    return {"questions": [posed(id, seed) for id in BANK]}


@bp.get("/quiz/<question:id>")
@operation(
    Question,
    query=VariantQuery,
    examples=[Example("dot-product", "A variant", path={"id": "dot-product"}, query={"seed": 3})],
    path={"id": "The id of a question."},
)
def get_question(id: str, seed: int | None = None) -> dict[str, Any]:
    """One question, without its key."""
    if id not in BANK:
        raise NotFound(f"There is no question {id}. Known: {', '.join(BANK)}.")
    return posed(id, seed)


def posed(id: str, seed: int | None) -> dict[str, Any]:
    """A question as it is put to a student."""
    question = find_question(BANK, id, seed)
    task = question.task
    kind = input_of(task.rule)
    shown: dict[str, Any] = {
        "id": question.id,
        "title": plain(question.title),
        "chapter": {"id": question.chapter.id, "title": question.chapter.title},
        "prompt": plain(question.prompt),
        "input": kind,
        "answer_kinds": list(ANSWER_KINDS[kind]),
        "rule": in_words(task.rule),
    }
    if task.choices:
        shown["choices"] = [{"id": one.id, "text": plain(one.text)} for one in task.choices]
    return shown


@bp.post("/quiz/grade")
@operation(GradeReply, GradeRequest, examples=examples_of("/v1/quiz/grade"))
def grade_answers(items: list[dict[str, Any]], locale: str | None = None) -> GradeReport:
    """Grade answers, and say how each was read."""
    if locale is not None and not known_locale(locale):
        raise EngineError(
            "locale", f"There is no locale {locale}; known: {', '.join(sorted(LOCALES))}."
        )
    typed = sum(typed_characters(item["answer"]) for item in items)
    if typed > MAX_TYPED:
        raise EngineError(
            "items",
            f"The answers have {typed:,} characters; at most {MAX_TYPED:,} are read at once.",
        )
    return grade(items, locale)


def typed_characters(answer: dict[str, Any]) -> int:
    """How much there is to read in an answer; each way of reading costs time."""
    rows = answer.get("matrix", ())
    cells = sum(len(cell) if isinstance(cell, str) else 1 for row in rows for cell in row)
    return len(answer.get("text", "")) + cells
