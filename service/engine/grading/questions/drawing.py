"""A set of questions, drawn by seed and filter."""

from collections.abc import Iterable
from hashlib import sha256

from service.engine.errors import EngineError
from service.engine.grading.questions.chapters import CHAPTERS
from service.engine.grading.questions.question import Bank, Question, find_question


def drawn(
    bank: Bank,
    seed: int | None = None,
    chapter: str | None = None,
    difficulty: int | None = None,
    count: int | None = None,
    among: Iterable[str] = (),
) -> list[Question]:
    """The variants by this seed of the questions that fit, in the bank's order.

    count: so many of them, which ones by the seed; all if it is left out. among: of these alone.
    Raises EngineError on "chapter", "questions/0" or "count".
    """
    chapters = [one.id for one in CHAPTERS]
    if chapter is not None and chapter not in chapters:
        raise EngineError(
            "chapter", f"There is no chapter {chapter[:100]!r}; there are {', '.join(chapters)}."
        )
    fitting = [
        question
        for question in _candidates(bank, seed, among)
        if chapter in (None, question.chapter.id) and difficulty in (None, question.difficulty)
    ]
    if count is None or count == len(fitting):
        return fitting
    if count > len(fitting):
        raise EngineError("count", f"{len(fitting)} questions fit, so {count:,} cannot be drawn.")
    ids = sorted((question.id for question in fitting), key=lambda id: _lot(seed, id))
    return [question for question in fitting if question.id in ids[:count]]


def _candidates(bank: Bank, seed: int | None, among: Iterable[str]) -> list[Question]:
    wanted = list(dict.fromkeys(among))
    for place, id in enumerate(wanted):
        try:
            find_question(bank, id, seed)
        except EngineError as error:
            raise EngineError(f"questions/{place}", error.message) from None
    return [find_question(bank, id, seed) for id in bank if not wanted or id in wanted]


def _lot(seed: int | None, id: str) -> bytes:
    """A hash, not a generator: the same set for all time, whatever is added to the bank."""
    return sha256(repr((seed or 0, "lot", id)).encode()).digest()
