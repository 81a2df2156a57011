"""All that can be asked: the questions of the bank, and the exercises in steps."""

from difflib import get_close_matches

from service.engine.errors import EngineError
from service.engine.grading.bank.whole import BANK
from service.engine.grading.exercises.bank import EXERCISES, find_exercise
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.questions.question import Question, find_question

POOL = (*BANK, *EXERCISES)
"""Their ids, in order."""


def find_posed(id: str, seed: int | None = None) -> Question | Exercise:
    """The question or exercise of this id in the variant of this seed.

    Raises EngineError on "question" if there is none, with the nearest id that there is.
    """
    if id in EXERCISES:
        return find_exercise(id, seed)
    if id in BANK:
        return find_question(BANK, id, seed)
    near = get_close_matches(id[:100], POOL, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"The list of questions has all {len(POOL)}."
    raise EngineError("question", f"There is no question {id[:100]!r}. {hint}")
