"""A teacher's own question: its rule and its key come with the request."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.fields import Choice, Described, Objects, Text, Whole, read_each
from service.schemas.quiz.answers import Answer
from service.schemas.quiz.rules import Rule

COMPUTED = (
    "attention",
    "mask",
    "multihead",
    "layernorm",
    "block",
    "softmax",
    "positions",
    "move",
)
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

    def read(self, value: Any) -> Any:
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


class ComputedKey(Request):
    """The right answer as a step of one of this service's operations."""

    operation = Choice("Which operation.", COMPUTED, required=True)
    request = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "A body that it takes."},
        error_messages={"invalid": "This must be an object."},
    )
    trace = Text("The path of the trace, such as heads/0, in a reply with several.")
    step = Text("The name of the step.", required=True)
    row = Whole("For a rule of one number: its row, counted from 0.", validate=Range(0))
    column = Whole("For a rule of one number: its column, counted from 0.", validate=Range(0))


class Task(Request):
    """A teacher's own question, to be graded like those of the bank."""

    rule = Rule("How answers are compared with the key.", required=True)
    key = Answer("The right answer. One of key and computed is given.")
    computed = fields.Nested(
        ComputedKey, metadata={"description": "In place of key: the service computes it."}
    )
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
