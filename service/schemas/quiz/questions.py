"""GET /v1/quiz and /v1/quiz/{id}: questions, without their keys."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Range
from service.schemas.fields import Labels, Text, Whole
from service.schemas.matrices import Matrix
from service.schemas.query import Digits
from service.schemas.replies import Axis, Read, Reply

MOST_QUESTIONS = 1_000
HARDEST = 3


class VariantQuery(Request):
    """Which variant of a question."""

    seed = Digits("The lecture's own numbers if left out.", validate=Range(0, 2**53 - 1))


class SetQuery(VariantQuery):
    """Which questions, and which variant of them."""

    chapter = Text("Only those of this chapter, by its id.")
    difficulty = Digits("Only those of this difficulty, from 1 to 3.", validate=Range(1, HARDEST))
    count = Digits("So many of them; which ones, the seed says.", validate=Range(1, MOST_QUESTIONS))


class ChapterReply(Reply):
    """A part of the lecture."""

    id = Text("Its id.", required=True)
    title = Text("Its title.", required=True)


class Written(Reply):
    """A text in three forms."""

    text = Text("Plain, its mathematics in Unicode.", required=True)
    text_markdown = Text("Markdown with LaTeX between dollars.", required=True)
    text_latex = Text("For a LaTeX document.", required=True)


class Option(Written):
    """Something to choose."""

    id = Text("What an answer names.", required=True)


class Named(Reply):
    """A matrix by name."""

    name = Text("Its name.", required=True)
    title = Text("What it is, in a few words.", required=True)
    symbol = Text("Its symbol in LaTeX.", required=True)
    axes = Labels("The names of its two axes; 1 is the unit axis.", required=True)
    shape = fields.List(Whole("Rows, then columns."), required=True)


class Given(Named):
    """A matrix that an exercise starts from."""

    value = Matrix("Its numbers.", required=True)


class StepToFillIn(Named):
    """A step of an exercise. Its name is what an answer calls it."""

    formula = Text("Its formula in LaTeX.", required=True)
    reads = fields.List(fields.Nested(Read), required=True)
    rule = Text("The rule by which it is graded, in words.", required=True)


class Question(Reply):
    """A question as it is put to a student."""

    id = Text("Its id, which an answer names.", required=True)
    title = Text("Its title.", required=True)
    chapter = fields.Nested(ChapterReply, required=True)
    difficulty = Whole(
        "1 by heart, 2 a short calculation or a reason, 3 several thoughts.", required=True
    )
    prompt = Text("The question, plain, its mathematics in Unicode.", required=True)
    prompt_markdown = Text("The same in Markdown with LaTeX between dollars.", required=True)
    prompt_latex = Text("The same for a LaTeX document.", required=True)
    input = Text("text, matrix, choice and others: what to let the student fill in.", required=True)
    answer_kinds = Labels("The kinds of answer that it takes.", required=True)
    choices = fields.List(
        fields.Nested(Option), metadata={"description": "With input choice: the options."}
    )
    rule = Text("The rule by which it is graded, in words.", required=True)
    axes = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(Axis),
        metadata={"description": "With input steps: the size and the labels of each axis."},
    )
    givens = fields.List(
        fields.Nested(Given), metadata={"description": "With input steps: what is given."}
    )
    steps = fields.List(
        fields.Nested(StepToFillIn),
        metadata={"description": "With input steps: what may be filled in, in order."},
    )
    hints = fields.List(
        fields.Nested(Written),
        required=True,
        metadata={"description": "From gentle to strong; none gives the answer away."},
    )


class QuestionList(Reply):
    """The questions that fit."""

    questions = fields.List(fields.Nested(Question), required=True)
