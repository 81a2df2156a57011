"""The quiz over HTTP."""

from fractions import Fraction
from typing import Any

from flask import Blueprint
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter

from service.api.caller import Caller
from service.api.contract import operation
from service.api.json_text import json_text
from service.api.quiz.items import (
    about,
    check_locale,
    identified,
    item_text,
)
from service.api.quiz.own import Made, check_own
from service.api.quiz.posed import posed
from service.api.quiz.work import check_compared, check_typed, comparisons, typed_characters
from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.grade import total
from service.engine.grading.pool import POOL, find_posed
from service.engine.grading.questions.drawing import drawn
from service.schemas.example import Example
from service.schemas.lecture.demos import examples_of
from service.schemas.quiz.grade import GradeRequest
from service.schemas.quiz.questions import Question, QuestionList, SetQuery, VariantQuery
from service.schemas.quiz.reply import GradeReply

bp = Blueprint("quiz", __name__)

# Milliseconds each, and a request is worked on in one turn.
MAX_EXERCISES = 100
TOO_MANY = (
    f"At most {MAX_EXERCISES} exercises are graded in one request; /v1/quiz/grade/batch takes more."
)

SET = {"seed": 3, "chapter": "masking", "difficulty": 2, "count": 2}


class QuestionConverter(BaseConverter):
    """The id of a question: anything but the name of an operation beside it."""

    regex = "(?!(?:grade|draw|regrade|read|check)$)[^/]+"


@bp.get("/quiz")
@operation(
    QuestionList,
    query=SetQuery,
    examples=[Example("set", "Two of a chapter", query=SET)],
)
def list_questions(**wanted: Any) -> dict[str, Any]:
    """The questions of the quiz, without their keys.

    With a seed, questions with numbers in them get others; send the same seed with the answer.
    """
    return {"questions": list(map(posed, drawn(POOL, find_posed, **wanted)))}


@bp.get("/quiz/<question:id>")
@operation(
    Question,
    query=VariantQuery,
    examples=[Example("dot-product", "A variant", path={"id": "dot-product"}, query={"seed": 3})],
    path={"id": "The id of a question."},
)
def get_question(id: str, seed: int | None = None) -> dict[str, Any]:
    """One question, without its key."""
    try:
        return posed(find_posed(id, seed))
    except EngineError as error:
        raise NotFound(error.message) from None


@bp.post("/quiz/grade")
@operation(GradeReply, GradeRequest, examples=examples_of("/v1/quiz/grade"), secured=True)
def grade_answers(
    caller: Caller, items: list[dict[str, Any]], reveal: bool, locale: str | None = None
) -> bytes:
    """Grade answers, and say how each was read."""
    if reveal:
        caller.must_be_teacher("reveal")
    if any("asked" in item for item in items):
        caller.must_be_teacher("asked")
    check_locale(locale)
    check_typed(sum(typed_characters(item["answer"]) for item in items), "items")
    tasks = [item["task"] for item in items if "task" in item]
    check_own(tasks, "items")
    check_compared(sum(map(comparisons, tasks)), "items")
    made: Made = {}
    texts, given, exercises = [], Fraction(0), 0
    for place, item in enumerate(items):
        try:
            subject, drawn_by = about(item, caller.secrets.tokens, locale, made)
            exercises += isinstance(subject, Exercise)
            if exercises > MAX_EXERCISES:
                raise EngineError("", TOO_MANY)
            text, score = item_text(subject, item["answer"], locale, reveal, item.get("asked"))
        except EngineError as error:
            field = f"items/{place}/{error.field}".rstrip("/")
            raise type(error)(field, error.message) from None
        texts.append(identified(item.get("id"), text, drawn_by))
        given += score
        caller.give_way()
    return b'{"score":%b,"items":[%b]}' % (json_text(total(given, len(items))), b",".join(texts))
