"""A teacher's rule, checked before students meet it."""

from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any, NamedTuple, cast

from service.engine.grading.checks.cells import check_cells
from service.engine.grading.checks.choices import check_offered
from service.engine.grading.checks.findings import Finding
from service.engine.grading.checks.notations import notations
from service.engine.grading.checks.numbers import NOTHING_ASKED, Asked, check_number
from service.engine.grading.marking.answers import marked
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
from service.engine.grading.marking.task import Key, Misconception, Task, input_of
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


def nothing() -> None:
    """Nobody waits."""


def check(
    task: Task, asked: Asked = NOTHING_ASKED, give_way: Callable[[], None] = nothing
) -> Checked:
    """What is wrong with a task's rule: what it lets pass, and what it keeps out.

    The key is tried in several notations, and so is every misconception that the task names.
    give_way is called between parts of the work, for others who wait.
    """
    tried = list(_tried(task))
    findings = list(_by_kind(task, asked))
    give_way()
    findings += _key(task, tried)
    for found in _misconceptions(task):
        give_way()
        findings += found
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


def _verdict(task: Task, answer: Key) -> Verdict:
    """On what is right for another key, as the answer of a student."""
    if isinstance(task.rule, Expression):
        is_right = is_same(task.rule, cast(FormulaKey, answer), cast(FormulaKey, task.key))
        return "correct" if is_right else "incorrect"
    return marked(task, answer_of(task, answer)).mark.verdict


def _tried(task: Task) -> Iterator[Tried]:
    if input_of(task.rule) != "text":
        return
    key: Any = task.key
    for text, locale in notations(key):
        verdict = marked(task, {"kind": "text", "text": text}, locale).mark.verdict
        yield Tried(text, locale, verdict)


def _misconceptions(task: Task) -> Iterator[list[Finding]]:
    """What is found in each step of the work."""
    known = task.misconceptions()
    for one in known:
        passes = _verdict(task, one.key) == "correct"
        message = f"{one.code}: the answer that it leads to is right by this rule."
        yield [Finding("error", "misconception_passes", message)] * passes
    pairs = islice(combinations(known, 2), MOST_COMPARED // _size(task.key))
    for one, other in pairs:
        message = f"{one.code} and {other.code} lead to the same answer; neither is told."
        coincide = one.code != other.code and _coincide(task, one, other)
        yield [Finding("warning", "misconceptions_coincide", message)] * coincide


def _size(key: Any) -> int:
    """How many numbers or ids a key has."""
    return sum(map(_size, key)) if isinstance(key, tuple) else 1


def _coincide(task: Task, one: Misconception, other: Misconception) -> bool:
    if isinstance(task.rule, Expression):  # both have been tried where the key is
        typed, key, tried = (cast(FormulaKey, one) for one in (other.key, one.key, task.key))
        return is_same(task.rule, typed, key, tried)
    return _verdict(Task(task.rule, one.key, task.choices), other.key) == "correct"


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
