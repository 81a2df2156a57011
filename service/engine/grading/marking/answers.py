"""Marking an answer of any kind by a task."""

from collections.abc import Mapping
from typing import Any, NamedTuple, assert_never, cast

from service.engine.errors import EngineError
from service.engine.grading.marking.choices import mark_choice
from service.engine.grading.marking.diagnosis import diagnosis
from service.engine.grading.marking.expressions import FormulaKey, mark_expression, read_formula
from service.engine.grading.marking.mark import Mark, unreadable
from service.engine.grading.marking.matrices import MarkedCell, MarkedMatrix, mark_matrix
from service.engine.grading.marking.numbers import mark_number
from service.engine.grading.marking.orderings import mark_ordering
from service.engine.grading.marking.rules import (
    SCALAR_RULES,
    Cells,
    Choice,
    Expression,
    Ordering,
    OtherRule,
    ScalarRule,
    ShortText,
    Tensor,
)
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.marking.short_texts import mark_short_text, read_words
from service.engine.grading.marking.task import ANSWER_KINDS, Misconception, Task, input_of
from service.engine.grading.marking.tensors import TensorKey, mark_tensor
from service.engine.grading.reading.read import Reading, read, read_number
from service.engine.grading.reading.values import Number

Answer = Mapping[str, Any]


class Graded(NamedTuple):
    """One answer's mark, with the reading, the cells or the heads that it rests on.

    misconception: the one known way to go wrong that explains the answer.
    """

    mark: Mark
    reading: Reading | None = None
    cells: tuple[tuple[MarkedCell, ...], ...] = ()
    heads: tuple[MarkedMatrix, ...] = ()
    misconception: Misconception | None = None


def graded(task: Task, answer: Answer, locale: str | None = None) -> Graded:
    """The mark of one answer, {"kind", …}, and of a wrong one what explains it.

    Raises EngineError on "answer/kind" for steps.
    """
    found = marked(task, answer, locale)
    # A partly right number is only typed otherwise.
    is_typed_otherwise = found.mark.verdict == "partial" and isinstance(task.rule, SCALAR_RULES)
    if found.mark.verdict not in ("incorrect", "partial") or is_typed_otherwise:
        return found
    return found._replace(misconception=diagnosis(task, _typed(task, found, answer, locale)))


def marked(task: Task, answer: Answer, locale: str | None = None) -> Graded:
    """The mark alone, which says nothing of why an answer is wrong."""
    if isinstance(task.rule, SCALAR_RULES):
        return _number(cast(ScalarRule, task.rule), task, answer, locale)
    return _other(cast(OtherRule, task.rule), task, answer, locale)


def _typed(task: Task, found: Graded, answer: Answer, locale: str | None) -> Any:
    """What was answered, in the form that a key has."""
    if found.cells:
        return _values(found.cells)
    if found.heads:
        return [_values(head.cells) for head in found.heads]
    if "choices" in answer:
        choices = answer["choices"]
        return tuple(choices) if isinstance(task.rule, Ordering) else frozenset(choices)
    if found.reading is None:
        return None
    if isinstance(task.rule, Expression):
        return read_formula(task.rule, answer["text"], locale)[1]
    if isinstance(task.rule, ShortText):
        return found.reading.normal_form
    return found.reading.value


def _values(cells: tuple[tuple[MarkedCell, ...], ...]) -> list[list[Number | None]]:
    return [[cell.reading.value for cell in row] for row in cells]


def _other(rule: OtherRule, task: Task, answer: Answer, locale: str | None) -> Graded:
    kind, key = answer["kind"], task.key
    if kind not in ANSWER_KINDS[input_of(rule)]:
        return _of_another_kind(task, kind)
    match rule:
        case Cells():
            marked = mark_matrix(rule, answer["matrix"], cast(MatrixKey, key), locale)
            return Graded(marked.mark, cells=marked.cells)
        case Tensor():
            tensor = mark_tensor(rule, answer["heads"], cast(TensorKey, key), locale)
            return Graded(tensor.mark, heads=tensor.heads)
        case Choice():
            offered = [option.id for option in task.choices]
            return Graded(mark_choice(rule, answer["choices"], cast(frozenset[str], key), offered))
        case Ordering():
            return Graded(mark_ordering(rule, answer["choices"], cast(tuple[str, ...], key)))
        case ShortText():
            words = read_words(rule, answer["text"])
            return Graded(mark_short_text(rule, words, cast(str, key)), words)
        case Expression():
            mark, reading = mark_expression(rule, answer["text"], cast(FormulaKey, key), locale)
            return Graded(mark, reading)
        case _:
            assert_never(rule)


def _number(rule: ScalarRule, task: Task, answer: Answer, locale: str | None) -> Graded:
    kind = answer["kind"]
    if kind == "text":
        reading = read(answer["text"], locale, arithmetic=rule.arithmetic)
    elif kind == "number":
        reading = read_number(answer["number"])
    else:
        return _of_another_kind(task, kind)
    return Graded(mark_number(rule, reading, cast(Number, task.key), task.also), reading)


def _of_another_kind(task: Task, kind: str) -> Graded:
    if kind == "steps":
        raise EngineError("answer/kind", "This question is answered at once, not in steps.")
    taken = " or ".join(ANSWER_KINDS[input_of(task.rule)])
    return Graded(
        unreadable("wrong_kind", f"This question takes an answer of kind {taken}, not {kind}.")
    )
