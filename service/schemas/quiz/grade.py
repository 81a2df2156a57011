"""POST /v1/quiz/grade and /v1/quiz/grade/batch."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.fields import Flag, Labels, Objects, Text, Whole
from service.schemas.quiz.answers import Answer
from service.schemas.quiz.tasks import Task

MAX_ITEMS = 1_000
LONGEST_ID = 256
MAX_ASKED = 64
MOST_SEED = 2**53 - 1

_LOCALE = (
    "How the students write numbers: en, de, de-CH, en-IN and others; with a choice of digits, as "
    "in th-u-nu-thai."
)


class GradeItem(Request):
    """What was asked (one of question, token and task) and what was answered."""

    id = Text("Comes back with the verdict.", validate=Length(max=LONGEST_ID))
    question = Text("A question's id, such as heads-gpt3.")
    seed = Whole(
        "Which variant of the question; the lecture's own numbers if left out.",
        validate=Range(0, MOST_SEED),
    )
    token = Text("From /v1/quiz/draw, in place of question and seed.")
    task = fields.Nested(
        Task, metadata={"description": "A question of the caller's own, with its rule and key."}
    )
    learner = Text("Who answers, for a token that was made for someone.")
    answer = Answer("What was answered.", required=True)
    asked = Labels(
        "For an exercise: the steps that count; all if left out. Takes a teacher's credential.",
        validate=Length(1, MAX_ASKED),
    )


class GradeLine(GradeItem):
    """One line of a batch: an item, and how its student writes numbers."""

    locale = Text(_LOCALE)


class GradeRequest(Request):
    """Answers to grade."""

    items = Objects(
        "The answers, in any order.", GradeItem(), required=True, validate=Length(1, MAX_ITEMS)
    )
    locale = Text(_LOCALE)
    reveal = Flag(
        "true: with the answer, why, and the way to it. Takes a teacher's credential.",
        load_default=False,
    )
