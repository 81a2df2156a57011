"""Marking an answer of any kind by a task."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.engine.errors import EngineError
from service.engine.grading.marking.choices import mark_choice
from service.engine.grading.marking.mark import Mark, unreadable
from service.engine.grading.marking.matrices import MarkedCell, mark_matrix
from service.engine.grading.marking.numbers import mark_value
from service.engine.grading.marking.rules import Cells, Choice
from service.engine.grading.marking.task import ANSWER_KINDS, Task, input_of
from service.engine.grading.reading.read import Reading, read, read_number

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Graded:
    """One answer's mark, with the reading or the cells that it rests on."""

    mark: Mark
    reading: Reading | None = None
    cells: tuple[tuple[MarkedCell, ...], ...] = ()


def graded(task: Task, answer: Answer, locale: str | None = None) -> Graded:
    """The mark of one answer, {"kind", …}. Raises EngineError on "answer/kind" for steps."""
    kind, rule, key = answer["kind"], task.rule, task.key
    if kind == "steps":
        raise EngineError("answer/kind", "This question is answered at once, not in steps.")
    taken = ANSWER_KINDS[input_of(rule)]
    if kind not in taken:
        message = f"This question takes an answer of kind {' or '.join(taken)}, not {kind}."
        return Graded(unreadable("wrong_kind", message))
    if isinstance(rule, Cells):
        assert isinstance(key, tuple)
        marked = mark_matrix(rule, answer["matrix"], key, locale)
        return Graded(marked.mark, cells=marked.cells)
    if isinstance(rule, Choice):
        assert isinstance(key, frozenset)
        offered = [option.id for option in task.choices]
        return Graded(mark_choice(rule, answer["choices"], key, offered))
    assert not isinstance(key, tuple | frozenset)
    reading = read(answer["text"], locale) if kind == "text" else read_number(answer["number"])
    return Graded(mark_value(rule, reading, key), reading)
