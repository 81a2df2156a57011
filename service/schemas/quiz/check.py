"""POST /v1/quiz/check: a teacher's rule, before students meet it."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Range
from service.schemas.fields import Flag, Text, Whole
from service.schemas.quiz.tasks import Task
from service.schemas.replies import Reply

MOST_DIGITS = 30


class Asked(Request):
    """How the prompt wants the answer written."""

    decimals = Whole("With so many decimals.", validate=Range(0, MOST_DIGITS))
    figures = Whole("With so many significant figures.", validate=Range(1, MOST_DIGITS))


class CheckRequest(Request):
    """A teacher's own question."""

    task = fields.Nested(Task, required=True)
    asked = fields.Nested(
        Asked,
        metadata={"description": "How the prompt wants the answer written, if it says."},
    )
    locale = Text("How numbers are written in the task: en, de, de-CH, en-IN and others.")


class Finding(Reply):
    """Something that is, or may be, wrong with the rule."""

    severity = Text(
        "error: it marks wrongly. warning: it probably does. note: good to know.", required=True
    )
    code = Text("Stable, for machines.", required=True)
    message = Text("What to change, for people.", required=True)


class Tried(Reply):
    """The key as a student may type it, and what becomes of it."""

    text = Text("As typed.", required=True)
    locale = Text("Declared with it, if any.")
    verdict = Text("correct, partial, incorrect or unreadable.", required=True)


class CheckReply(Reply):
    """What was found."""

    usable = Flag("true: no finding is an error.", required=True)
    rule = Text("The rule in words, as students are told it.", required=True)
    key = Text("The key as it was read.", required=True)
    findings = fields.List(fields.Nested(Finding), required=True)
    tried = fields.List(fields.Nested(Tried), required=True)
