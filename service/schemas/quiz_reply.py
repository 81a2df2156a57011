"""POST /v1/quiz/grade: what is replied."""

from marshmallow import fields

from service.schemas.fields import Flag, Number, Text, Whole
from service.schemas.replies import Reply


class Alternative(Reply):
    """Another way in which the text could be read."""

    value = Number("Null where no double holds it.", required=True, allow_none=True)
    normal_form = Text("In plain digits.", required=True)
    because = Text("What would have to be meant.", required=True)


class Reading(Reply):
    """How the text was understood."""

    text = Text("As it came.", required=True)
    value = Number(
        "Null where it could not be read, or where no double holds it.",
        required=True,
        allow_none=True,
    )
    normal_form = Text("In plain digits; empty where it could not be read.", required=True)
    latex = Text("In LaTeX; empty where it could not be read.", required=True)
    alternatives = fields.List(fields.Nested(Alternative), required=True)


class Feedback(Reply):
    """Something to tell the student."""

    code = Text("Stable, for machines.", required=True)
    message = Text("For people.", required=True)


class GradedCell(Reply):
    """One cell of a matrix answer."""

    verdict = Text("correct, partial, incorrect or unreadable.", required=True)
    score = Number("From 0 to 1.", required=True)
    reading = fields.Nested(Reading, required=True)
    feedback = fields.List(fields.Nested(Feedback), required=True)


class GradedItem(Reply):
    """One answer."""

    question = Text("The question's id.", required=True)
    verdict = Text("correct, partial, incorrect or unreadable.", required=True)
    score = Number("From 0 to maximum.", required=True)
    maximum = Whole("What the item is worth.", required=True)
    attempt_counts = Flag("false: it could not be read, and should cost no attempt.", required=True)
    rule = Text("The rule that was used, in words.", required=True)
    reading = fields.Nested(Reading, metadata={"description": "For a text or a number."})
    cells = fields.List(
        fields.List(fields.Nested(GradedCell)),
        metadata={"description": "For a matrix of the right shape."},
    )
    feedback = fields.List(fields.Nested(Feedback), required=True)


class Score(Reply):
    """The total."""

    given = Number("Sum of the scores.", required=True)
    maximum = Whole("What all items are worth.", required=True)
    scaled = Number("given / maximum.", required=True)


class GradeReply(Reply):
    """The total and each item, in the order of the request."""

    score = fields.Nested(Score, required=True)
    items = fields.List(fields.Nested(GradedItem), required=True)
