"""A question as data: a task, and the text around it."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from service.engine.errors import EngineError
from service.engine.grading.marking.task import Task
from service.engine.trace import Trace


class Chapter(NamedTuple):
    """The part of the lecture that a question belongs to."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Question:
    """One variant of a question. All texts but `explanation` keep the key to themselves.

    difficulty: 1 by heart, 2 a short calculation or a reason, 3 several thoughts.
    prompt, hints, explanation, and the options: Markdown with LaTeX between dollars (wording.py).
    hints: from gentle to strong.
    solution: the key worked out step by step, when it is asked for; the last step is the key.
    """

    id: str
    title: str
    chapter: Chapter
    prompt: str
    task: Task
    explanation: str
    difficulty: int
    hints: tuple[str, ...]
    solution: Callable[[], Trace]


Variant = Callable[[int | None], Question]
Bank = dict[str, Variant]


def find_question(bank: Bank, question_id: str, seed: int | None = None) -> Question:
    """The question of this id in the variant of this seed; None and 0 give the lecture's numbers.

    Raises EngineError on "question" if there is none, with the nearest id that there is.
    """
    if question_id not in bank:
        near = get_close_matches(question_id[:100], bank, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(bank)}."
        raise EngineError("question", f"There is no question {question_id[:100]!r}. {hint}")
    return _variant(bank[question_id], seed or None)


@lru_cache(maxsize=4096)
def _variant(draw: Variant, seed: int | None) -> Question:
    """A class answers few variants of a question many times."""
    return draw(seed)
