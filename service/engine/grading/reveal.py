"""The answer and the way to it, for those who may see them."""

from service.engine.grading.marking import Note
from service.engine.grading.notation import normal_form
from service.engine.grading.questions import MatrixQuestion, Question, TextQuestion


def revealed(question: Question) -> tuple[Note, Note]:
    """Two notes, "answer" and "explanation"."""
    return (
        Note("answer", f"The answer is {_key_in_words(question)}."),
        Note("explanation", question.explanation),
    )


def _key_in_words(question: Question) -> str:
    if isinstance(question, TextQuestion):
        return normal_form(question.key)
    if isinstance(question, MatrixQuestion):
        rows = (", ".join(normal_form(cell) for cell in row) for row in question.key)
        return "; ".join(f"({row})" for row in rows)
    return ", ".join(sorted(question.key))
