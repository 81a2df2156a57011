"""A question as it is put to a student: all but its key."""

from typing import Any

from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.exercises.posed import posed_parts
from service.engine.grading.exercises.report import RULE
from service.engine.grading.marking.task import ANSWER_KINDS, input_of
from service.engine.grading.marking.words import in_words
from service.engine.grading.questions.question import Question
from service.engine.grading.questions.wording import latex, plain


def posed(question: Question | Exercise) -> dict[str, Any]:
    """The question with its texts plain, in Markdown and in LaTeX."""
    kind, kinds, rule = "steps", ["steps"], RULE
    if isinstance(question, Question):
        kind, rule = input_of(question.task.rule), in_words(question.task.rule)
        kinds = list(ANSWER_KINDS[kind])
    shown: dict[str, Any] = {
        "id": question.id,
        "title": plain(question.title),
        "chapter": {"id": question.chapter.id, "title": question.chapter.title},
        "difficulty": question.difficulty,
        **_written("prompt", question.prompt),
        "input": kind,
        "answer_kinds": kinds,
        "rule": rule,
        "hints": [_written("text", hint) for hint in question.hints],
    }
    if isinstance(question, Exercise):
        return shown | posed_parts(question)
    choices = question.task.choices
    if choices:
        shown["choices"] = [{"id": one.id, **_written("text", one.text)} for one in choices]
    return shown


def _written(name: str, text: str) -> dict[str, str]:
    return {name: plain(text), f"{name}_markdown": text, f"{name}_latex": latex(text)}
