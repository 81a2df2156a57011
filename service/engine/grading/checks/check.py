"""A teacher's rule, checked before students meet it."""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any, NamedTuple, cast

from service.engine.grading.checks.cells import check_cells
from service.engine.grading.checks.choices import check_offered
from service.engine.grading.checks.findings import Finding
from service.engine.grading.checks.notations import notations
from service.engine.grading.checks.numbers import NOTHING_ASKED, Asked, check_number
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.expressions import FormulaKey, is_same
from service.engine.grading.marking.mark import Verdict
from service.engine.grading.marking.rules import (
    Cells,
    Choice,
    Expression,
    Ordering,
    ShortText,
    Tensor,
)
from service.engine.grading.marking.task import Misconception, Task, input_of
from service.engine.grading.reading.notation import normal_form

MOST_COMPARED = 1 << 15
"""Numbers: pairs of misconceptions beyond that are not compared with each other."""


class Tried(NamedTuple):
    """The key in one notation, and what became of it."""

    text: str
    locale: str | None
    verdict: Verdict


class Checked(NamedTuple):
    """usable: no finding is an error."""

    usable: bool
    findings: list[Finding]
    tried: list[Tried]


def check(task: Task, asked: Asked = NOTHING_ASKED) -> Checked:
    """What is wrong with a task's rule: what it lets pass, and what it keeps out.

    The key is tried in several notations, and so is every misconception that the task names.
    """
    tried = list(_tried(task))
    findings = [*_by_kind(task, asked), *_key(task, tried), *_misconceptions(task)]
    unique = list(dict.fromkeys(findings))
    return Checked(all(one.severity != "error" for one in unique), unique, tried)


def _by_kind(task: Task, asked: Asked) -> Iterator[Finding]:
    rule = task.rule
    key: Any = task.key  # of the kind that goes with the rule
    match rule:
        case Cells():
            yield from check_cells(rule, key, asked)
        case Tensor():
            for i, head in enumerate(key, 1):
                yield from check_cells(rule.cells, head, asked, f"head {i}, ")
        case Choice() | Ordering():
            yield from check_offered(rule, key, task.choices)
        case ShortText() | Expression():
            pass
        case _:
            for one in (key, *task.also):
                yield from check_number(rule, one, asked)


def _key(task: Task, tried: list[Tried]) -> Iterator[Finding]:
    """The key has to pass its own rule."""
    if tried:
        failed = [one for one in tried if one.verdict not in ("correct", "partial")]
        for one in failed:
            yield Finding("error", "key_fails", f"The key typed as {one.text} is {one.verdict}.")
        return
    verdict = _verdict(task, task.key)
    if verdict != "correct":
        yield Finding("error", "key_fails", f"The key is {verdict} by its own rule.")


def _tried(task: Task) -> Iterator[Tried]:
    if input_of(task.rule) != "text":
        return
    key: Any = task.key
    for text, locale in notations(key):
        verdict = graded(task, {"kind": "text", "text": text}, locale).mark.verdict
        yield Tried(text, locale, verdict)


def _misconceptions(task: Task) -> Iterator[Finding]:
    known = task.misconceptions()
    for one in known:
        if _verdict(task, one.key) == "correct":
            yield Finding(
                "error",
                "misconception_passes",
                f"{one.code}: the answer that it leads to is right by this rule.",
            )
    pairs = islice(combinations(known, 2), MOST_COMPARED // _size(task.key))
    for one, other in pairs:
        if one.code != other.code and _coincide(task, one, other):
            yield Finding(
                "warning",
                "misconceptions_coincide",
                f"{one.code} and {other.code} lead to the same answer; neither is told.",
            )


def _size(key: Any) -> int:
    """How many numbers or ids a key has."""
    return sum(map(_size, key)) if isinstance(key, tuple) else 1


def _coincide(task: Task, one: Misconception, other: Misconception) -> bool:
    as_key = Task(task.rule, one.key, task.choices)
    return _verdict(as_key, other.key) == "correct"


def _verdict(task: Task, key: Any) -> Verdict:
    """Of one key, as a student's answer, by another."""
    if isinstance(task.rule, Expression):  # written out, a formula may be too long to be read
        return "correct" if is_same(task.rule, key, cast(FormulaKey, task.key)) else "incorrect"
    return graded(task, answer_of(task, key)).mark.verdict


def answer_of(task: Task, key: Any) -> dict[str, Any]:
    """A key as the answer of a student who got it right."""
    match input_of(task.rule):
        case "text":
            return {"kind": "text", "text": normal_form(key)}
        case "matrix":
            return {"kind": "matrix", "matrix": _typed(key)}
        case "tensor":
            return {"kind": "tensor", "heads": [_typed(head) for head in key]}
        case "choice":
            return {"kind": "choice", "choices": sorted(key)}
        case "ordering":
            return {"kind": "choice", "choices": list(key)}
        case _:
            return {"kind": "text", "text": key}


def _typed(rows: Any) -> list[list[str]]:
    return [[normal_form(cell) for cell in row] for row in rows]
