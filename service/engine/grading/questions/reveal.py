"""The answer and the way to it, for those who may see them."""

from typing import cast

from service.engine.grading.formulas.formula import Formula
from service.engine.grading.marking.mark import Note
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.marking.task import Key
from service.engine.grading.marking.tensors import TensorKey
from service.engine.grading.questions.question import Question
from service.engine.grading.questions.wording import plain
from service.engine.grading.reading.notation import normal_form
from service.engine.trace import Trace


def key_in_words(key: Key) -> str:
    """ "9216", "(0.5, 0.5, 0)", "a, c"; "b, a" for an order; heads as "[(1, 2)], [(3, 4)]"."""
    match key:
        case str() | Formula():
            return str(key)
        case frozenset():
            return ", ".join(sorted(key))
        case (str(), *_):
            return ", ".join(map(str, key))
        case ((tuple(), *_), *_):
            return ", ".join(f"[{_rows(head)}]" for head in cast(TensorKey, key))
        case tuple():
            return _rows(cast(MatrixKey, key))
        case _:
            return normal_form(key)


def _rows(rows: MatrixKey) -> str:
    return "; ".join(f"({', '.join(map(normal_form, row))})" for row in rows)


def revealed(key: Key, explanation: str) -> tuple[Note, ...]:
    """Two notes, "answer" and "explanation"; the first alone if nothing is to be explained."""
    answer = Note("answer", f"The answer is {key_in_words(key)}.")
    return (answer, Note("explanation", plain(explanation))) if explanation else (answer,)


def worked_solution(question: Question) -> Trace:
    """The way to the key. What an endpoint says beside its steps is not about the question."""
    return question.solution()._replace(conventions={}, more={})
