"""The quiz over HTTP."""

from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.engine.errors import EngineError
from service.engine.grading.grade import GradeReport, grade
from service.engine.grading.locales import LOCALES, known_locale
from service.schemas.lecture import examples_of
from service.schemas.quiz import GradeRequest
from service.schemas.quiz_reply import GradeReply

bp = Blueprint("quiz", __name__)


@bp.post("/quiz/grade")
@operation(GradeReply, GradeRequest, examples=examples_of("/v1/quiz/grade"))
def grade_answers(items: list[dict[str, Any]], locale: str | None = None) -> GradeReport:
    """Grade answers, and say how each was read."""
    if locale is not None and not known_locale(locale):
        raise EngineError(
            "locale", f"There is no locale {locale}; known: {', '.join(sorted(LOCALES))}."
        )
    return grade(items, locale)
