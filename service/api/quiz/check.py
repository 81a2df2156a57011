"""A teacher's rule, checked over HTTP."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint

from service.api.caller import Caller
from service.api.contract import operation
from service.api.quiz.items import check_locale
from service.api.quiz.tasks import task_of
from service.api.quiz.work import check_task
from service.engine.errors import EngineError
from service.engine.grading.checks.check import check
from service.engine.grading.checks.numbers import NOTHING_ASKED, Asked
from service.engine.grading.marking.words import in_words
from service.engine.grading.questions.reveal import key_in_words
from service.schemas.lecture.demos import examples_of
from service.schemas.quiz.check import CheckReply, CheckRequest

bp = Blueprint("quiz_check", __name__)


@bp.post("/quiz/check")
@operation(CheckReply, CheckRequest, tag="quiz", examples=examples_of("/v1/quiz/check"))
def check_rule(
    caller: Caller,
    task: dict[str, Any],
    asked: Mapping[str, int] | None = None,
    locale: str | None = None,
) -> dict[str, Any]:
    """Check a teacher's own question: what its rule lets pass that it should not, and keeps out."""
    check_locale(locale)
    try:
        check_task(task)
        own = task_of(task, locale)
    except EngineError as error:
        raise type(error)(f"task/{error.field}".rstrip("/"), error.message) from None
    found = check(own, Asked(**asked) if asked else NOTHING_ASKED, caller.give_way)
    return {
        "usable": found.usable,
        "rule": in_words(own.rule),
        "key": key_in_words(own.key),
        "findings": [one._asdict() for one in found.findings],
        "tried": [
            {name: value for name, value in one._asdict().items() if value is not None}
            for one in found.tried
        ],
    }
