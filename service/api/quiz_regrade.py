"""Old answers under two rules over HTTP."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, TypeVar

import orjson
from flask import Blueprint

from service.api.caller import Caller
from service.api.contract import operation
from service.api.quiz_items import check_locale, check_typed, subject_of, typed_characters
from service.api.quiz_rules import rule_of
from service.api.quiz_tokens import Tokens
from service.api.turns import TURN_SECONDS
from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.report import RULE
from service.engine.grading.grade import Subject
from service.engine.grading.marking.words import in_words
from service.engine.grading.regrade import Outcome, check_answer, regrade, with_rule
from service.engine.grading.version import grader
from service.schemas.lecture import examples_of
from service.schemas.quiz_regrade import RegradeReply, RegradeRequest

bp = Blueprint("quiz_regrade", __name__)

P = ParamSpec("P")
T = TypeVar("T")


@bp.post("/quiz/regrade")
@operation(
    RegradeReply,
    RegradeRequest,
    tag="quiz",
    examples=examples_of("/v1/quiz/regrade"),
    secured=True,
)
def regrade_answers(
    caller: Caller,
    before: dict[str, Any],
    after: dict[str, Any],
    answers: list[dict[str, Any]],
    locale: str | None = None,
) -> Iterator[bytes]:
    """Grade old answers by two rules, and list only the verdicts that change.

    Another rule for a question of the bank, or for one behind a token, takes a teacher's
    credential. A task that comes with its key takes none, nor do questions as they are.
    """
    for way in (before, after):
        if "rule" in way and "task" not in way:
            caller.must_be_teacher("A rule of one's own for a key that is not")
    check_locale(locale)
    check_typed(max(typed_characters(one["answer"]) for one in answers), "answers")
    tokens = caller.secrets.tokens
    ways = [
        _Way("before", before, tokens, locale),
        _Way("after", after, tokens, locale),
    ]
    for place, one in enumerate(answers):
        _check(f"answers/{place}", ways, one)
    return _reply(ways, answers, locale)


class _Way:
    """A way to grade; of a question, each answer may name the variant that it is for."""

    def __init__(
        self, name: str, asked: Mapping[str, Any], tokens: Tokens, locale: str | None
    ) -> None:
        self.asked, self.tokens, self.locale = asked, tokens, locale
        self.subject = _placed(name, self._of, asked)

    def of(self, one: Mapping[str, Any]) -> Subject | Exercise:
        """What an answer is graded against."""
        if "seed" not in one or "question" not in self.asked:
            return self.subject
        return self._of({**self.asked, "seed": one["seed"]})

    def _of(self, asked: Mapping[str, Any]) -> Subject | Exercise:
        subject = subject_of(asked, self.tokens, self.locale)
        if "rule" not in asked:
            return subject
        return with_rule(subject, _placed("rule", rule_of, asked["rule"], self.locale))


def _check(place: str, ways: list[_Way], one: Mapping[str, Any]) -> None:
    """Raise EngineError for an answer that cannot be graded, before the first byte of the reply.

    Variants of a question differ in their numbers alone, so one stands for all.
    """
    if "seed" in one and not any("question" in way.asked for way in ways):
        raise EngineError(f"{place}/seed", "A seed goes with a question; leave it out.")
    for way in ways:
        _placed(place, check_answer, way.subject, one["answer"])


def _placed(place: str, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What read returns; a fault in it is one at this place."""
    try:
        return read(*arguments, **named)
    except EngineError as error:
        raise type(error)(f"{place}/{error.field}".rstrip("/"), error.message) from None


def _used(subject: Subject | Exercise) -> bytes:
    words = RULE if isinstance(subject, Exercise) else in_words(subject.task.rule)
    return orjson.dumps({"rule": words, "grader": grader(words)})


def _reply(ways: list[_Way], answers: list[dict[str, Any]], locale: str | None) -> Iterator[bytes]:
    """The reply in parts that take no longer than a turn should."""
    counts = {"answers": len(answers), "changed": 0, "up": 0, "down": 0}
    rules = tuple(_used(way.subject) for way in ways)
    held, comma = [b'{"before":%b,"after":%b,"changed":[' % rules], b""
    asked = ((ways[0].of(one), ways[1].of(one), one["answer"]) for one in answers)
    over = time.perf_counter() + TURN_SECONDS
    for place, change in enumerate(regrade(asked, locale)):
        if change is not None:
            counts["changed"] += 1
            counts[change.direction] += 1
            told = {
                "id": answers[place]["id"],
                "before": _outcome(change.before),
                "after": _outcome(change.after),
                "direction": change.direction,
            }
            held.append(comma + orjson.dumps(told))
            comma = b","
        if time.perf_counter() > over:
            yield b"".join(held)
            held, over = [], time.perf_counter() + TURN_SECONDS
    yield b"".join(held) + b'],"counts":%b}' % orjson.dumps(counts)


def _outcome(one: Outcome) -> dict[str, Any]:
    return {"verdict": one.verdict, "score": float(one.score)}
