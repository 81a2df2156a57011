"""An item of a request: what it is about, and the text of the verdict on its answer."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from service.api.json_text import json_text
from service.api.quiz.own import Made, own_subject
from service.api.quiz.tokens import NOT_VALID, DrawnBy, Tokens
from service.api.view import View
from service.api.writer import stream, write
from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.grade import Subject, grade_subject, question_subject
from service.engine.grading.pool import POOL
from service.engine.grading.questions.reveal import worked_solution
from service.engine.grading.reading.locales import LOCALES, known_locale

# Classes give the same answers again and again; what is longer is hardly ever given twice.
MOST_KEPT = 1 << 13
LONGEST_KEPT = 64

_WHOLE = View(steps=None, explain=[], digits=None, columns=False, display=None)

Text = tuple[bytes, Fraction]


class About(NamedTuple):
    """What an item is about and, for a token, who drew it."""

    subject: Subject | Exercise
    drawn_by: DrawnBy | None = None


def subject_of(item: Mapping[str, Any], tokens: Tokens, locale: str | None) -> Subject | Exercise:
    """What an item is about. Raises EngineError on its place in the item."""
    return about(item, tokens, locale).subject


def about(
    item: Mapping[str, Any], tokens: Tokens, locale: str | None, made: Made | None = None
) -> About:
    """What an item is about, and who drew it. Raises EngineError on its place in the item."""
    named = [name for name in ("question", "token", "task") if name in item]
    if len(named) != 1:
        raise EngineError("", "An item has one of question, token and task.")
    if "question" in item:
        return About(question_subject(item["question"], item.get("seed")))
    if "seed" in item:
        raise EngineError("seed", "A seed goes with a question; leave it out.")
    if "task" in item:
        try:
            return About(own_subject(item["task"], locale, made))
        except EngineError as error:
            raise type(error)(f"task/{error.field}".rstrip("/"), error.message) from None
    sealed = tokens.open(item["token"], item.get("learner", ""))
    if sealed.question not in POOL:
        raise EngineError("token", NOT_VALID)
    return About(question_subject(sealed.question, sealed.seed), sealed.drawn_by)


def item_text(
    subject: Subject | Exercise,
    answer: Mapping[str, Any],
    locale: str | None,
    reveal: bool,
    asked: Collection[str] | None = None,
) -> Text:
    """The verdict on an answer as JSON, and the score."""
    if reveal:
        return _revealed(subject, answer, locale, asked)
    if asked is None and answer["kind"] == "text" and is_kept(subject, answer["text"]):
        return typed_text(subject, answer["text"], locale)
    report, score = grade_subject(subject, answer, locale, asked=asked)
    return json_text(report), score


def is_kept(subject: Subject | Exercise, typed: str) -> bool:
    """Whether typed_text may keep its verdict."""
    return type(subject) is Subject and subject.lasting and len(typed) <= LONGEST_KEPT


@lru_cache(maxsize=MOST_KEPT)
def typed_text(subject: Subject | Exercise, typed: str, locale: str | None) -> Text:
    """The verdict on a short typed answer."""
    report, score = grade_subject(subject, {"kind": "text", "text": typed}, locale)
    return json_text(report), score


def _revealed(
    subject: Subject | Exercise,
    answer: Mapping[str, Any],
    locale: str | None,
    asked: Collection[str] | None,
) -> Text:
    report, score = grade_subject(subject, answer, locale, reveal=True, asked=asked)
    document = dict(report)
    if isinstance(subject, Exercise):
        document["solution"] = subject.solution._replace(conventions={}, more={})
    elif subject.question is not None:
        document["solution"] = worked_solution(subject.question)
    return b"".join(stream(write(document, _WHOLE))), score


def identified(id: str | None, text: bytes, drawn_by: DrawnBy | None = None) -> bytes:
    """The text of an object with these before its members, if they are given."""
    if drawn_by is not None:
        text = b'{"drawn_by":%b,%b' % (orjson.dumps(drawn_by), text[1:])
    return text if id is None else b'{"id":%b,%b' % (orjson.dumps(id), text[1:])


def check_locale(locale: str | None) -> None:
    """Raise EngineError for a locale that has no convention."""
    if locale is not None and not known_locale(locale):
        raise EngineError(
            "locale", f"There is no locale {locale[:100]}; known: {', '.join(sorted(LOCALES))}."
        )
