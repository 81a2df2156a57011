"""A teacher's own task, as something that answers are graded against."""

from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache
from typing import Any

import orjson

from service.api.quiz.tasks import task_of
from service.api.quiz.work import check_task, check_tasks, task_characters
from service.engine.errors import EngineError
from service.engine.grading.grade import Subject
from service.schemas.quiz.tasks import Task

# A batch asks for one task again and again. What is kept has to stay small whatever is asked.
MOST_KEPT = 64
LONGEST_KEPT = 1 << 14
LONGEST_LASTING = 1 << 11
# Each takes as long as the operation that computes it.
MOST_COMPUTED = 4
MOST_COMPUTED_IN_A_BATCH = 32

_TASK = Task()

Made = MutableMapping[tuple[bytes, str | None], Subject | EngineError]
"""The tasks of a request, or what is wrong with them, by text and the locale they are read in."""


def own_subject(task: Mapping[str, Any], locale: str | None, made: Made | None = None) -> Subject:
    """The task of a request. Raises ValidationError, or EngineError with its place in the task.

    made: what has been made of this request's tasks, to which this one is added.
    """
    text = orjson.dumps(task)
    make = _kept if len(text) <= LONGEST_KEPT else _made
    if made is None:
        return make(text, locale)
    if (text, locale) not in made:
        try:
            made[text, locale] = make(text, locale)
        except EngineError as error:
            made[text, locale] = error
    found = made[text, locale]
    if isinstance(found, EngineError):
        raise type(found)(found.field, found.message)
    return found


def check_room(task: Mapping[str, Any], locale: str | None, made: Made) -> None:
    """Raise EngineError for a key that is to be computed in a batch that has computed enough."""
    if len(made) >= MOST_COMPUTED_IN_A_BATCH and (orjson.dumps(task), locale) not in made:
        raise EngineError(
            "task/computed",
            f"At most {MOST_COMPUTED_IN_A_BATCH} different keys are computed for one batch. Send"
            " this in another.",
        )


def _made(text: bytes, locale: str | None) -> Subject:
    loaded = _TASK.load(orjson.loads(text))
    check_task(loaded)
    task = task_of(loaded, locale)
    return Subject(task, title=loaded.get("title", ""), lasting=len(text) <= LONGEST_LASTING)


_kept = lru_cache(maxsize=MOST_KEPT)(_made)


def check_own(tasks: Iterable[Mapping[str, Any]], place: str) -> None:
    """Raise EngineError if the tasks of a request have more to read, or more keys to compute, than
    is done in one. A task that comes several times is made once."""
    distinct = {orjson.dumps(task): task for task in tasks}.values()
    check_tasks(sum(map(task_characters, distinct)), place)
    computed = sum("computed" in task for task in distinct)
    if computed > MOST_COMPUTED:
        raise EngineError(
            place,
            f"{computed:,} keys are to be computed; at most {MOST_COMPUTED} are in one"
            " request. Send more in a batch.",
        )
