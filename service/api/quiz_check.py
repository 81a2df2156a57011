"""A teacher's rule, checked over HTTP."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint

from service.api.contract import operation
from service.api.quiz_items import check_locale
from service.api.quiz_tasks import task_of
from service.engine.errors import EngineError
from service.engine.grading.checks.check import check
from service.engine.grading.checks.numbers import NOTHING_ASKED, Asked
from service.engine.grading.marking.words import in_words
from service.engine.grading.questions.reveal import key_in_words
from service.schemas.example import Example
from service.schemas.quiz_check import CheckReply, CheckRequest

bp = Blueprint("quiz_check", __name__)

EXAMPLES = (
    Example(
        "too-wide",
        "A count with a relative tolerance: one more passes, and so does a misconception",
        {
            "task": {
                "rule": {"kind": "relative", "tolerance": "2 %"},
                "key": {"kind": "text", "text": "9216"},
                "misconceptions": [
                    {
                        "code": "one_layer_left_out",
                        "message": "Count the first layer too.",
                        "answer": {"kind": "text", "text": "9120"},
                    }
                ],
            }
        },
    ),
    Example(
        "derived",
        "Weights of an attention head; every step may be rounded to two decimals",
        {
            "task": {
                "rule": {"kind": "cells", "each": {"kind": "derived", "decimals": 2}},
                "computed": {
                    "operation": "attention",
                    "request": {
                        "Q": [[1, 2], [0, 1]],
                        "K": [[3, -1], [1, 1]],
                        "V": [[1], [2]],
                        "mask": {"causal": True},
                    },
                    "step": "weights",
                },
            },
            "asked": {"decimals": 2},
        },
    ),
)


@bp.post("/quiz/check")
@operation(CheckReply, CheckRequest, tag="quiz", examples=EXAMPLES)
def check_rule(
    task: dict[str, Any], asked: Mapping[str, int] | None = None, locale: str | None = None
) -> dict[str, Any]:
    """Check a teacher's own question: what its rule lets pass that it should not, and keeps out."""
    check_locale(locale)
    try:
        own = task_of(task, locale)
    except EngineError as error:
        raise type(error)(f"task/{error.field}".rstrip("/"), error.message) from None
    found = check(own, Asked(**asked) if asked else NOTHING_ASKED)
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
