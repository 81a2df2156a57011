"""A teacher's own task, as something that answers are graded against."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import orjson

from service.api.quiz_tasks import task_of
from service.engine.errors import EngineError
from service.engine.grading.grade import Subject
from service.schemas.quiz_tasks import Task

# A batch asks for one task again and again. What is kept has to stay small whatever is asked.
MOST_KEPT = 64
LONGEST_KEPT = 1 << 14
LONGEST_LASTING = 1 << 11
# Each takes as long as the operation that computes it.
MOST_COMPUTED = 4

_TASK = Task()


def own_subject(task: Mapping[str, Any], locale: str | None) -> Subject:
    """The task of a request. Raises ValidationError, or EngineError with its place in the task."""
    text = orjson.dumps(task)
    return (_kept if len(text) <= LONGEST_KEPT else _made)(text, locale)


def _made(text: bytes, locale: str | None) -> Subject:
    loaded = _TASK.load(orjson.loads(text))
    task = task_of(loaded, locale)
    return Subject(task, title=loaded.get("title", ""), lasting=len(text) <= LONGEST_LASTING)


_kept = lru_cache(maxsize=MOST_KEPT)(_made)


def check_computed(tasks: Iterable[Mapping[str, Any]], place: str) -> None:
    """Raise EngineError if more keys are to be computed than are computed in one request."""
    computed = {orjson.dumps(task) for task in tasks if "computed" in task}
    if len(computed) > MOST_COMPUTED:
        raise EngineError(
            place,
            f"{len(computed):,} keys are to be computed; at most {MOST_COMPUTED} are in one"
            " request. Send more in a batch.",
        )
