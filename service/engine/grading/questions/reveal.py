"""The answer and the way to it, for those who may see them."""

from service.engine.grading.marking.mark import Note
from service.engine.grading.marking.task import Key
from service.engine.grading.questions.wording import plain
from service.engine.grading.reading.notation import normal_form


def key_in_words(key: Key) -> str:
    """ "9216", "(0.5, 0.5, 0)", "a, c"."""
    if isinstance(key, frozenset):
        return ", ".join(sorted(key))
    if isinstance(key, tuple):
        rows = (", ".join(normal_form(cell) for cell in row) for row in key)
        return "; ".join(f"({row})" for row in rows)
    return normal_form(key)


def revealed(key: Key, explanation: str) -> tuple[Note, ...]:
    """Two notes, "answer" and "explanation"; the first alone if nothing is to be explained."""
    answer = Note("answer", f"The answer is {key_in_words(key)}.")
    return (answer, Note("explanation", plain(explanation))) if explanation else (answer,)
