"""What is graded: a rule, the key that it compares an answer with, and the known ways to go wrong.

A task is all that grading needs. A question of the bank is a task with a text around it; a
teacher's own question is a task that comes with the request.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from service.engine.grading.formulas.formula import Formula
from service.engine.grading.marking.rules import (
    Cells,
    Choice,
    Expression,
    Ordering,
    Rule,
    ScalarRule,
    ShortText,
    Tensor,
)
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.marking.tensors import TensorKey
from service.engine.grading.reading.values import Number

Key = Number | MatrixKey | TensorKey | frozenset[str] | tuple[str, ...] | str | Formula
"""A number; rows of numbers, or heads of rows; the ids to choose, or all ids in order; a text; a
formula, or its text in plain ASCII."""


class Option(NamedTuple):
    """One of the choices of a task."""

    id: str
    text: str


class Misconception(NamedTuple):
    """A known way to go wrong, and the answer that it leads to.

    `code` is stable, for machines; `message` teaches, without giving the key away.
    """

    code: str
    message: str
    key: Key


def no_misconceptions() -> tuple[Misconception, ...]:
    """None are known."""
    return ()


@dataclass(frozen=True, slots=True)
class Task:
    """A rule with its key; `misconceptions` are computed only for a wrong answer.

    also: for a rule of one number, other keys that are as right, by the same rule.
    """

    rule: Rule
    key: Key
    choices: tuple[Option, ...] = ()
    misconceptions: Callable[[], tuple[Misconception, ...]] = no_misconceptions
    also: tuple[Number, ...] = ()


ANSWER_KINDS = {
    "text": ("text", "number"),
    "matrix": ("matrix",),
    "tensor": ("tensor",),
    "choice": ("choice",),
    "ordering": ("choice",),
    "short_text": ("text",),
    "expression": ("text",),
}
"""The kinds of answer that each kind of input takes."""


def input_of(rule: Rule) -> str:
    """What to let the student fill in, a key of ANSWER_KINDS; "text" is for a number."""
    if isinstance(rule, ScalarRule):
        return "text"
    match rule:
        case Cells():
            return "matrix"
        case Tensor():
            return "tensor"
        case Choice():
            return "choice"
        case Ordering():
            return "ordering"
        case ShortText():
            return "short_text"
        case Expression():
            return "expression"
        case _:
            assert_never(rule)
