"""Tasks in which parts are put in order, and their solutions."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from service.engine.grading.marking.rules import Ordering
from service.engine.grading.marking.task import Misconception, Option, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.questions.solutions import matrix, step, worked
from service.engine.grading.questions.tasks import LETTERS, Offer, shuffled
from service.engine.trace import UNIT, Trace

Texts = Sequence[str]
_ALWAYS_SHUFFLED = 3  # without a seed too, or the options would stand in their order


def order_task(
    texts: Texts, seed: int | None, place: str, mistakes: Callable[[], Mapping[str, Texts]]
) -> Task:
    """The texts, which are to be brought in the order given here; `mistakes` are other orders."""
    shown = [offer.text for offer in shuffled(map(Offer, texts), seed or _ALWAYS_SHUFFLED, place)]
    letter = dict(zip(shown, LETTERS, strict=False))

    def misconceptions() -> tuple[Misconception, ...]:
        return tuple(
            known(code, tuple(letter[text] for text in order)) for code, order in mistakes().items()
        )

    options = tuple(Option(letter[text], text) for text in shown)
    key = tuple(letter[text] for text in texts)
    return Task(Ordering(partial=True), key, options, misconceptions)


def in_order(task: Task) -> Trace:
    """Which part hands on to which, and the place of each: how many come no later."""
    key, ids = task.key, [option.id for option in task.choices]
    assert isinstance(key, tuple)
    places = [key.index(id) for id in ids]
    rows = [[float(one <= other) for other in places] for one in places]
    before = matrix("before", "B", "1 where a part comes no later", rows, ("part", "option"))
    sums, axes = np.array(rows).sum(axis=0, keepdims=True), (UNIT, "option")
    formula = r"\sum_i B_{ij}"
    last = step("sum", "places", "p", "Places", formula, sums, before, axes=axes)
    return worked(before, last, labels={"part": ids, "option": ids})
