"""A teacher's own question: its rule and its key come with the request."""

from collections.abc import Mapping
from typing import Any

from marshmallow.validate import Length

from service.schemas.base import Request
from service.schemas.fields import Described, Objects, Text, read_each
from service.schemas.quiz_answers import Answer
from service.schemas.quiz_rules import Rule

MAX_ALSO = 20
MAX_CHOICES = 50
MAX_MISCONCEPTIONS = 50


class Answers(Described[list[dict[str, Any]]]):
    """A list of answers."""

    spec: Mapping[str, Any] = {
        "type": "array",
        "items": {"$ref": "#/components/schemas/Answer"},
    }
    _one = Answer("")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return read_each(value, "answers", self._one.deserialize)


class TaskChoice(Request):
    """Something to choose."""

    id = Text("What an answer names.", required=True, validate=Length(1, 100))
    text = Text("What to show.", required=True, validate=Length(max=10_000))


class TaskMisconception(Request):
    """A known way to go wrong; told only if it alone explains a wrong answer."""

    code = Text("Stable, for machines.", required=True, validate=Length(1, 100))
    message = Text("What to tell the student.", required=True, validate=Length(1, 10_000))
    answer = Answer("The answer that it leads to.", required=True)


class Task(Request):
    """A teacher's own question, to be graded like those of the bank."""

    rule = Rule("How answers are compared with the key.", required=True)
    key = Answer("The right answer.", required=True)
    also = Answers(
        "For a rule of one number: other answers that are as right.",
        validate=Length(max=MAX_ALSO),
    )
    choices = Objects(
        "For a choice or an ordering: what is offered.",
        TaskChoice(),
        validate=Length(max=MAX_CHOICES),
    )
    misconceptions = Objects(
        "Known ways to go wrong.", TaskMisconception(), validate=Length(max=MAX_MISCONCEPTIONS)
    )
    title = Text("What to call it in the reply.", validate=Length(max=1_000))
