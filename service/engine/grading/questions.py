"""A question as data, and the bank of them by id."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NamedTuple

from service.engine.errors import EngineError
from service.engine.grading.matrices import MatrixKey
from service.engine.grading.rules import Cells, Choice, ScalarRule
from service.engine.grading.values import Number


class Option(NamedTuple):
    """One of the choices of a question."""

    id: str
    text: str


class Chapter(NamedTuple):
    """The part of the lecture that a question belongs to."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """Asks for one number, typed as text or sent as a number."""

    id: str
    title: str
    chapter: Chapter
    prompt: str
    rule: ScalarRule
    key: Number
    explanation: str
    input: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class MatrixQuestion:
    """Asks for a matrix; a vector is one row."""

    id: str
    title: str
    chapter: Chapter
    prompt: str
    rule: Cells
    key: MatrixKey
    explanation: str
    input: Literal["matrix"] = "matrix"


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """Asks for one or several of the choices."""

    id: str
    title: str
    chapter: Chapter
    prompt: str
    choices: tuple[Option, ...]
    rule: Choice
    key: frozenset[str]
    explanation: str
    input: Literal["choice"] = "choice"


Question = TextQuestion | MatrixQuestion | ChoiceQuestion
Bank = dict[str, Callable[[int | None], Question]]


def find_question(bank: Bank, question_id: str, seed: int | None = None) -> Question:
    """The question of this id in the variant of this seed; None and 0 give the lecture's numbers.

    Raises EngineError on "question" if there is none, with the nearest id that there is.
    """
    if question_id not in bank:
        near = get_close_matches(question_id[:100], bank, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(bank)}."
        raise EngineError("question", f"There is no question {question_id[:100]!r}. {hint}")
    return bank[question_id](seed)
