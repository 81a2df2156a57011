"""POST /v1/quiz/regrade."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.fields import Number, Objects, Text, Whole
from service.schemas.quiz.answers import Answer
from service.schemas.quiz.grade import LONGEST_ID, MOST_SEED
from service.schemas.quiz.reply import Grader
from service.schemas.quiz.rules import Rule
from service.schemas.quiz.tasks import Task
from service.schemas.replies import Reply

MAX_ANSWERS = 10_000


class Grading(Request):
    """How answers are graded: by a question, a token or a task, or by another rule for its key."""

    question = Text("A question's id, such as heads-gpt3.")
    seed = Whole(
        "Which variant of the question; the lecture's own numbers if left out.",
        validate=Range(0, MOST_SEED),
    )
    token = Text("From /v1/quiz/draw, in place of question and seed.")
    learner = Text("Whom the token was made for, if for someone.")
    task = fields.Nested(
        Task, metadata={"description": "A question of the caller's own, with its rule and key."}
    )
    rule = Rule(
        "In place of the question's rule, with its key. For a key that does not come with the"
        " request it takes a teacher's credential."
    )


class OldAnswer(Request):
    """An answer that was given."""

    id = Text("Names it in the reply.", required=True, validate=Length(max=LONGEST_ID))
    seed = Whole(
        "Which variant of the question was answered, if not the one that before and after name.",
        validate=Range(0, MOST_SEED),
    )
    answer = Answer("What was answered.", required=True)


class RegradeRequest(Request):
    """Old answers, and two ways to grade them."""

    before = fields.Nested(Grading, required=True, metadata={"description": "The old way."})
    after = fields.Nested(Grading, required=True, metadata={"description": "The new way."})
    answers = Objects(
        "The answers, in any order.", OldAnswer(), required=True, validate=Length(1, MAX_ANSWERS)
    )
    locale = Text("How the students write numbers: en, de, de-CH, en-IN and others.")


class Outcome(Reply):
    """A verdict with its score."""

    verdict = Text("correct, partial, incorrect or unreadable.", required=True)
    score = Number("From 0 to 1.", required=True)


class ChangedVerdict(Reply):
    """An answer whose verdict or score changes."""

    id = Text("The answer's id.", required=True)
    before = fields.Nested(Outcome, required=True)
    after = fields.Nested(Outcome, required=True)
    direction = Text(
        "up or down: whether the student is better off. Of equal scores, an answer that cannot be"
        " read is better than a wrong one, for it costs no attempt.",
        required=True,
    )


class RegradeCounts(Reply):
    """How many there are of each."""

    answers = Whole("Answers.", required=True)
    changed = Whole("Of these, those with another verdict or score.", required=True)
    up = Whole("Changed for the better.", required=True)
    down = Whole("Changed for the worse.", required=True)


class UsedRule(Reply):
    """A rule that was used."""

    rule = Text("In words.", required=True)
    grader = fields.Nested(Grader, required=True)


class RegradeReply(Reply):
    """Only what changes, in the order of the request."""

    before = fields.Nested(UsedRule, required=True)
    after = fields.Nested(UsedRule, required=True)
    changed = fields.List(fields.Nested(ChangedVerdict), required=True)
    counts = fields.Nested(RegradeCounts, required=True)
