"""GET /v1/quiz and /v1/quiz/{id}: questions, without their keys."""

from marshmallow import fields
from marshmallow.validate import Range

from service.schemas.base import Request
from service.schemas.fields import Digits, Labels, Text
from service.schemas.replies import Reply


class VariantQuery(Request):
    """Which variant of a question."""

    seed = Digits("The lecture's own numbers if left out.", validate=Range(0, 2**53 - 1))


class ChapterReply(Reply):
    """A part of the lecture."""

    id = Text("Its id.", required=True)
    title = Text("Its title.", required=True)


class Option(Reply):
    """Something to choose."""

    id = Text("What an answer names.", required=True)
    text = Text("What to show.", required=True)


class Question(Reply):
    """A question as it is put to a student."""

    id = Text("Its id, which an answer names.", required=True)
    title = Text("Its title.", required=True)
    chapter = fields.Nested(ChapterReply, required=True)
    prompt = Text("The question.", required=True)
    input = Text("text, matrix or choice: what to let the student fill in.", required=True)
    answer_kinds = Labels("The kinds of answer that it takes.", required=True)
    choices = fields.List(
        fields.Nested(Option), metadata={"description": "With input choice: the options."}
    )
    rule = Text("The rule by which it is graded, in words.", required=True)


class QuestionList(Reply):
    """All questions."""

    questions = fields.List(fields.Nested(Question), required=True)
