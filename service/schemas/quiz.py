"""POST /v1/quiz/grade."""

from marshmallow.validate import Length, Range

from service.schemas.base import Request
from service.schemas.fields import Objects, Text, Whole
from service.schemas.quiz_answers import Answer

MAX_ITEMS = 1_000


class GradeItem(Request):
    """A question, which variant of it, and the answer."""

    question = Text("The question's id, such as heads-gpt3.", required=True)
    seed = Whole(
        "Which variant; the lecture's own numbers if left out.", validate=Range(0, 2**53 - 1)
    )
    answer = Answer("What was answered.", required=True)


class GradeRequest(Request):
    """Answers to grade."""

    items = Objects(
        "The answers, in any order.", GradeItem(), required=True, validate=Length(1, MAX_ITEMS)
    )
    locale = Text("How the students write numbers: en, de, de-CH, en-IN and others.")
