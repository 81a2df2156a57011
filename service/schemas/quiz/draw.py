"""POST /v1/quiz/draw: questions with tokens in place of their seed."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.fields import Labels, Text, Whole
from service.schemas.quiz.questions import HARDEST, MOST_QUESTIONS, Question
from service.schemas.replies import Reply

DAY = 24 * 60 * 60
LONGEST_LEARNER = 200


class DrawRequest(Request):
    """Which questions, in which variant, for whom and for how long."""

    seed = Whole(
        "Which variant; 0 is the lecture's own numbers. Left out, a fresh one that nobody learns. "
        "Takes a teacher's credential.",
        validate=Range(0, 2**53 - 1),
    )
    questions = Labels("Only these, by their ids.", validate=Length(max=MOST_QUESTIONS))
    chapter = Text("Only those of this chapter, by its id.")
    difficulty = Whole("Only those of this difficulty, from 1 to 3.", validate=Range(1, HARDEST))
    count = Whole("So many of them; which ones, the seed says.", validate=Range(1, MOST_QUESTIONS))
    learner = Text(
        "Whom the tokens are for, as the caller names them; the answers have to name the same. "
        "Takes a teacher's credential.",
        validate=Length(1, LONGEST_LEARNER),
    )
    expires_in = Whole(
        "For how many seconds the tokens are good. More than a day takes a teacher's credential.",
        load_default=DAY,
        validate=Range(1, 366 * DAY),
    )


class DrawnQuestion(Question):
    """A question as it is put to a student, with a token for its variant."""

    token = Text("What an answer names in place of question and seed.", required=True)
    expires = Text("Until when the token is good, in UTC, as RFC 3339 has it.", required=True)


class DrawReply(Reply):
    """The questions that were drawn."""

    questions = fields.List(fields.Nested(DrawnQuestion), required=True)
