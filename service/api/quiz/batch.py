"""Grading by the thousand: an answer a line, in and out."""

from typing import Any

from flask import Blueprint
from marshmallow import ValidationError

from service.api.caller import Caller
from service.api.lines_operation import lines_operation
from service.api.quiz.items import (
    about,
    check_locale,
    identified,
    is_kept,
    item_text,
    typed_text,
)
from service.api.quiz.own import check_room, own_subject
from service.api.quiz.work import check_typed, typed_characters
from service.engine.errors import EngineError
from service.engine.grading.grade import question_subject
from service.schemas.lecture.quiz import BATCH
from service.schemas.quiz.grade import LONGEST_ID, MOST_SEED, GradeLine
from service.schemas.quiz.reply import GradedLine

bp = Blueprint("quiz_batch", __name__)

_LINE = GradeLine()
_PLAIN = {"id": str, "question": str, "seed": int, "locale": str, "answer": dict, "task": dict}


@bp.post("/quiz/grade/batch")
@lines_operation(GradedLine, GradeLine, tag="quiz", examples=BATCH)
def grade_batch(item: Any, caller: Caller) -> bytes:
    """Grade answers by the thousand: a line of JSON for each, in and out.

    A line of the request is an item as /v1/quiz/grade takes it, with a locale of its own; a line of
    the reply is the verdict. They come in the same order, in blocks, while the request is still
    being sent; a client need not read before it has sent all. A line that cannot be used gets an
    error in its place, with its number counted from 1. If the request breaks off, a last line says
    so. There may be 100,000 lines of at most 256 KiB each, and 32 different keys to compute.
    """
    text = _at_once(item)
    return text if text is not None else _by_the_schema(item, caller)


def _at_once(item: Any) -> bytes | None:
    """The verdict on a short text about a question by id or a task, which is nearly every line;
    None for anything else. It takes nothing that the schema would refuse."""
    answer = item.get("answer") if type(item) is dict else None
    if type(answer) is not dict or len(answer) != 2 or answer.get("kind") != "text":
        return None
    typed = answer.get("text")
    if type(typed) is not str or ("question" in item) + ("task" in item) != 1:
        return None
    for name, value in item.items():
        if type(value) is not _PLAIN.get(name):
            return None
    seed, locale = item.get("seed"), item.get("locale")
    if (seed is not None and not 0 <= seed <= MOST_SEED) or len(item.get("id", "")) > LONGEST_ID:
        return None
    if locale is not None:
        check_locale(locale)
    if "question" in item:
        subject = question_subject(item["question"], seed)
    elif seed is not None or "computed" in item["task"]:
        return None
    else:
        try:
            subject = own_subject(item["task"], locale)
        except (EngineError, ValidationError):  # for the schema to say where in the line
            return None
    return typed_text(subject, typed, locale)[0] if is_kept(subject, typed) else None


def _by_the_schema(item: Any, caller: Caller) -> bytes:
    loaded = _LINE.load(item)
    answer, locale, asked = loaded["answer"], loaded.get("locale"), loaded.get("asked")
    if asked is not None and not caller.is_teacher:
        raise EngineError("asked", "asked takes a teacher's credential.")
    check_locale(locale)
    check_typed(typed_characters(answer), "answer")
    made, task = None, loaded.get("task", {})
    if "computed" in task:
        made = caller.kept
        check_room(task, locale, made)
    subject, drawn_by = about(loaded, caller.secrets.tokens, locale, made)
    text, _ = item_text(subject, answer, locale, reveal=False, asked=asked)
    return identified(None, text, drawn_by)
