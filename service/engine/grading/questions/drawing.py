"""A set of questions, drawn by seed and filter."""

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar

from service.engine.errors import EngineError
from service.engine.grading.questions.chapters import CHAPTERS
from service.engine.grading.questions.question import Chapter


class Asked(Protocol):
    """What a question and an exercise have in common."""

    @property
    def id(self) -> str: ...
    @property
    def chapter(self) -> Chapter: ...
    @property
    def difficulty(self) -> int: ...


Item = TypeVar("Item", bound=Asked)
Find = Callable[[str, int | None], Item]


def drawn(
    ids: Collection[str],
    find: Find[Item],
    seed: int | None = None,
    chapter: str | None = None,
    difficulty: int | None = None,
    count: int | None = None,
    among: Sequence[str] = (),
) -> list[Item]:
    """The variants by this seed of the questions that fit, in the order of their ids.

    count: so many of them, which ones by the seed; all if it is left out. among: of these alone,
    and in this order. Raises EngineError on "chapter", "questions", "questions/0" or "count".
    """
    chapters = [one.id for one in CHAPTERS]
    if chapter is not None and chapter not in chapters:
        raise EngineError(
            "chapter", f"There is no chapter {chapter[:100]!r}; there are {', '.join(chapters)}."
        )
    fitting = [
        question
        for question in _candidates(ids, find, seed, among)
        if chapter in (None, question.chapter.id) and difficulty in (None, question.difficulty)
    ]
    if among and not fitting:
        raise EngineError("questions", "None of these is of this chapter and difficulty.")
    if count is None or count == len(fitting):
        return fitting
    if count > len(fitting):
        fit = "1 question fits" if len(fitting) == 1 else f"{len(fitting)} questions fit"
        raise EngineError("count", f"{fit}, so {count:,} cannot be drawn.")
    lots = sorted((question.id for question in fitting), key=lambda id: _lot(seed, id))
    return [question for question in fitting if question.id in lots[:count]]


def _candidates(
    ids: Collection[str], find: Find[Item], seed: int | None, among: Sequence[str]
) -> list[Item]:
    found = []
    for place, id in enumerate(among):
        if id in among[:place]:
            raise EngineError(f"questions/{place}", f"{id} is here twice.")
        try:
            found.append(find(id, seed))
        except EngineError as error:
            raise EngineError(f"questions/{place}", error.message) from None
    return found or [find(id, seed) for id in ids]


def _lot(seed: int | None, id: str) -> bytes:
    """A hash, not a generator: the same set for all time, whatever is added to the bank."""
    return sha256(repr((seed or 0, "lot", id)).encode()).digest()
