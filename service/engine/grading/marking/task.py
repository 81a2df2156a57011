"""What is graded: a rule, the key that it compares an answer with, and the known ways to go wrong.

A task is all that grading needs. A question of the bank is a task with a text around it; a
teacher's own question is a task that comes with the request.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from service.engine.grading.marking.matrices import MatrixKey
from service.engine.grading.marking.rules import (
    Absolute,
    Cells,
    Choice,
    DecimalPlaces,
    Integer,
    Relative,
    Rule,
    SignificantFigures,
)
from service.engine.grading.reading.values import Number

Key = Number | MatrixKey | frozenset[str]


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
    """A rule with its key; `misconceptions` are computed only for a wrong answer."""

    rule: Rule
    key: Key
    choices: tuple[Option, ...] = ()
    misconceptions: Callable[[], tuple[Misconception, ...]] = no_misconceptions


ANSWER_KINDS = {"text": ("text", "number"), "matrix": ("matrix",), "choice": ("choice",)}
"""The kinds of answer that each kind of input takes."""


def input_of(rule: Rule) -> str:
    """What to let the student fill in: "text", "matrix" or "choice"."""
    match rule:
        case Integer() | Absolute() | Relative() | SignificantFigures() | DecimalPlaces():
            return "text"
        case Cells():
            return "matrix"
        case Choice():
            return "choice"
        case _:
            assert_never(rule)
