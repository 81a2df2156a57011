"""Old answers under two rules: only the verdicts that change."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from service.engine.errors import EngineError
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.marking import check_known
from service.engine.grading.grade import Subject, grade_subject
from service.engine.grading.marking.answers import marked
from service.engine.grading.marking.mark import Verdict
from service.engine.grading.marking.rules import Cells, Derived, Expression, Rule, Tensor
from service.engine.grading.marking.task import input_of

Answer = Mapping[str, Any]

# Of equal scores: an answer that cannot be read costs no attempt, so it is better than a wrong one.
_ORDER: dict[Verdict, int] = {"incorrect": 0, "unreadable": 1, "partial": 2, "correct": 3}


class Outcome(NamedTuple):
    verdict: Verdict
    score: Fraction


class Change(NamedTuple):
    """place: of the answer. direction: "up" is better for the student."""

    place: int
    before: Outcome
    after: Outcome
    direction: Literal["up", "down"]


def regrade(
    answers: Iterable[tuple[Subject | Exercise, Subject | Exercise, Answer]],
    locale: str | None = None,
) -> Iterator[Change | None]:
    """For each (before, after, answer) what changes; None if nothing does.

    With the same subject twice nothing changes, and with the two exchanged every direction turns.
    """
    for place, (old, new, answer) in enumerate(answers):
        before, after = outcome(old, answer, locale), outcome(new, answer, locale)
        if before == after:
            yield None
        else:
            yield Change(place, before, after, "up" if _rank(before) < _rank(after) else "down")


def check_answer(subject: Subject | Exercise, answer: Answer) -> None:
    """Raise EngineError on "answer/kind" or "answer/steps" for what cannot be graded so at all."""
    if answer["kind"] != "steps":
        return
    if isinstance(subject, Subject):
        raise EngineError("answer/kind", "This question is answered at once, not in steps.")
    check_known(subject, "answer/steps", answer["steps"])


def outcome(subject: Subject | Exercise, answer: Answer, locale: str | None = None) -> Outcome:
    """The verdict and the score alone."""
    if isinstance(subject, Subject):
        mark = marked(subject.task, answer, locale).mark
        return Outcome(mark.verdict, mark.score)
    report, score = grade_subject(subject, answer, locale)
    return Outcome(report["verdict"], score)


def _rank(one: Outcome) -> tuple[Fraction, int]:
    return one.score, _ORDER[one.verdict]


def with_rule(subject: Subject | Exercise, rule: Rule) -> Subject:
    """The same key under another rule. Raises EngineError on "rule" if it does not fit the key."""
    if isinstance(subject, Exercise):
        raise EngineError("rule", "An exercise has a rule for each of its steps; leave this out.")
    task = subject.task
    if input_of(rule) != input_of(task.rule):
        raise EngineError(
            "rule", f"This rule takes another kind of answer; the key is for {input_of(task.rule)}."
        )
    if _shape(rule) != _shape(task.rule):
        raise EngineError("rule", "This rule does not fit the key of the question.")
    return Subject(replace(task, rule=rule), subject.question, lasting=False)


def _shape(rule: Rule) -> object:
    """What a rule needs of its key, beyond the kind of answer: the reach of rounding, which only a
    computed key knows, or the variables of a formula."""
    if isinstance(rule, Expression):
        return {variable.name for variable in rule.variables}
    cells = rule.cells if isinstance(rule, Tensor) else rule
    return isinstance(cells.each if isinstance(cells, Cells) else cells, Derived)
