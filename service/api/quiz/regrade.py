"""Old answers under two rules over HTTP."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, TypeVar

import orjson
from flask import Blueprint

from service.api.caller import Caller
from service.api.contract import operation
from service.api.quiz.items import check_locale, subject_of
from service.api.quiz.own import check_own
from service.api.quiz.rules import rule_of
from service.api.quiz.tokens import Tokens
from service.api.quiz.work import MAX_REGRADED, OF_A_FORMULA, check_typed, typed_characters
from service.api.turns import TURN_SECONDS
from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.report import RULE
from service.engine.grading.grade import Subject
from service.engine.grading.marking.rules import Expression
from service.engine.grading.marking.words import in_words
from service.engine.grading.regrade import Outcome, check_answer, regrade, with_rule
from service.engine.grading.version import grader
from service.schemas.lecture.demos import examples_of
from service.schemas.quiz.regrade import RegradeReply, RegradeRequest

bp = Blueprint("quiz_regrade", __name__)

# What takes as long as it takes to read so many characters.
_OF_A_VARIANT, _OF_AN_EXERCISE = 10, 80

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
    check_own([way["task"] for way in (before, after) if "task" in way], "after/task")
    kinds = [
        one["rule"]["kind"]
        for way in (before, after)
        for one in (way, way.get("task", {}))
        if "rule" in one
    ]
    characters = sum(map(_characters, answers))
    _check_characters(characters, "expression" in kinds)
    tokens = caller.secrets.tokens
    ways = [
        _Way("before", before, tokens, locale),
        _Way("after", after, tokens, locale),
    ]
    _check_characters(characters, any(way.is_formula for way in ways))
    for place, one in enumerate(answers):
        _check(f"answers/{place}", ways, one)
    return _reply(ways, answers, locale)


def _check_characters(characters: int, are_formulas: bool) -> None:
    check_typed(characters * (OF_A_FORMULA if are_formulas else 1), "answers", MAX_REGRADED)


def _characters(one: Mapping[str, Any]) -> int:
    """How much there is to read; steps and a seed stand for what has to be made for them."""
    is_exercise = one["answer"]["kind"] == "steps"
    made = _OF_AN_EXERCISE if is_exercise else _OF_A_VARIANT if "seed" in one else 0
    return typed_characters(one["answer"]) + made


class _Way:
    """A way to grade; of a question, each answer may name the variant that it is for."""

    def __init__(
        self, name: str, asked: Mapping[str, Any], tokens: Tokens, locale: str | None
    ) -> None:
        self.asked, self.tokens, self.locale = asked, tokens, locale
        self.subject = _placed(name, self._of, asked)

    @property
    def is_formula(self) -> bool:
        """Whether formulas are compared."""
        return isinstance(self.subject, Subject) and isinstance(self.subject.task.rule, Expression)

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
            yield b"".join(held) or b" "  # which shows whether there still is a client
            held, over = [], time.perf_counter() + TURN_SECONDS
    yield b"".join(held) + b'],"counts":%b}' % orjson.dumps(counts)


def _outcome(one: Outcome) -> dict[str, Any]:
    return {"verdict": one.verdict, "score": float(one.score)}
