"""How texts would be read, without a question and without a verdict."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.api.quiz.items import check_locale
from service.api.quiz.work import check_typed
from service.engine.grading.marking.mark import Note
from service.engine.grading.reading.read import read
from service.engine.grading.report import report_note, report_reading
from service.schemas.lecture.demos import examples_of
from service.schemas.quiz.read import ReadReply, ReadRequest

bp = Blueprint("quiz_read", __name__)


@bp.post("/quiz/read")
@operation(ReadReply, ReadRequest, tag="quiz", examples=examples_of("/v1/quiz/read"))
def read_texts(texts: list[str], arithmetic: bool, locale: str | None = None) -> dict[str, Any]:
    """Preview how numbers are read, without grading.

    A form can show a student what would be understood before anything is sent in. A text with two
    readings and no locale to settle it has neither, and shows both.
    """
    check_locale(locale)
    check_typed(sum(map(len, texts)), "texts")
    return {"readings": [previewed(text, locale, arithmetic) for text in texts]}


def previewed(text: str, locale: str | None, arithmetic: bool) -> dict[str, Any]:
    """One reading, with the problem that stands in its way if there is one."""
    reading = read(text, locale, arithmetic)
    shown: dict[str, Any] = {**report_reading(reading)}
    if reading.problem is not None:
        shown["problem"] = report_note(Note(*reading.problem))
    return shown
