"""POST /v1/quiz/grade and /v1/quiz/grade/batch: what is replied."""

from typing import Any

from marshmallow import fields

from service.schemas.fields import Flag, Number, Text, Whole
from service.schemas.replies import Problem, Reply, Trace


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


class GradedHead(Reply):
    """One head of a tensor answer."""

    verdict = Text("correct, partial, incorrect or unreadable.", required=True)
    score = Number("From 0 to 1.", required=True)
    feedback = fields.List(fields.Nested(Feedback), required=True)
    cells = fields.List(
        fields.List(fields.Nested(GradedCell)),
        metadata={"description": "For a head of the right shape."},
    )


class Source(Reply):
    """Cells of a matrix; without a row or a column it is all of them."""

    name = Text("The matrix.", required=True)
    row = Whole("Counted from 0.")
    column = Whole("Counted from 0.")


class FirstWrong(Reply):
    """The first wrong cell of a step, row by row."""

    row = Whole("Counted from 0.", required=True)
    column = Whole("Counted from 0.", required=True)
    made_from = fields.List(
        fields.Nested(Source),
        required=True,
        metadata={"description": "What it should have been made from."},
    )
    value = Number("With reveal: what is right there. null is −∞.", allow_none=True)


class GradedStep(Reply):
    """One step of an exercise."""

    name = Text("The step.", required=True)
    verdict = Text("correct, partial, incorrect or unreadable.", required=True)
    score = Number("From 0 to 1.", required=True)
    carried = Flag(
        "true: some of it is right only for what the student's own earlier steps lead to.",
        required=True,
    )
    feedback = fields.List(fields.Nested(Feedback), required=True)
    cells = fields.List(
        fields.List(fields.Nested(GradedCell)),
        metadata={"description": "For a step of the right shape."},
    )
    misconception = fields.Nested(
        Feedback, metadata={"description": "The one known mistake that explains the step."}
    )
    first_wrong = fields.Nested(FirstWrong)


class Grader(Reply):
    """By what an answer was graded: where it is another than before, it may be time to regrade."""

    version = Text("Of the grader and its questions.", required=True)
    rule_digest = Text("Of the rule in words; neither key nor bounds go into it.", required=True)


class Graded(Reply):
    """What is there of an answer in any case but an error."""

    id = Text("The item's id, if it had one.")
    drawn_by = Text(
        "For a token: teacher if a teacher's credential came with the request that drew it, or "
        "anyone. Only the first is whose it says it is."
    )
    question = Text("The question's id; left out for a task of the caller's own.")
    title = Text("Of a task of the caller's own, if it has one.")
    reading = fields.Nested(Reading, metadata={"description": "For a text or a number."})
    cells = fields.List(
        fields.List(fields.Nested(GradedCell)),
        metadata={"description": "For a matrix of the right shape."},
    )
    heads = fields.List(
        fields.Nested(GradedHead),
        metadata={"description": "For a tensor with the right number of heads."},
    )
    steps = fields.List(
        fields.Nested(GradedStep),
        metadata={"description": "For an exercise: each step that was given."},
    )
    misconception = fields.Nested(
        Feedback, metadata={"description": "The one known mistake that explains the answer."}
    )


def _verdict(required: bool) -> dict[str, Any]:
    """The members that each verdict has, and a line that is an error has not."""
    return {
        "verdict": Text("correct, partial, incorrect or unreadable.", required=required),
        "score": Number("From 0 to maximum.", required=required),
        "maximum": Whole("What the item is worth.", required=required),
        "attempt_counts": Flag(
            "false: it could not be read, and should cost no attempt.", required=required
        ),
        "rule": Text("The rule that was used, in words.", required=required),
        "feedback": fields.List(fields.Nested(Feedback), required=required),
        "grader": fields.Nested(Grader, required=required),
    }


class GradedItem(Graded, Reply.from_dict(_verdict(required=True))):  # type: ignore[misc]
    """One answer."""

    solution = fields.Nested(
        Trace, metadata={"description": "With reveal: the way to the answer, step by step."}
    )


class GradedLine(Graded, Reply.from_dict(_verdict(required=False))):  # type: ignore[misc]
    """One line of a batch: a verdict, or an error in its place."""

    line = Whole("Of an error: the number of the line, counted from 1.")
    error = fields.Nested(
        Problem,
        metadata={"description": "Why the line has no verdict; pointers begin at the line."},
    )


class Score(Reply):
    """The total."""

    given = Number("Sum of the scores.", required=True)
    maximum = Whole("What all items are worth.", required=True)
    scaled = Number("given / maximum.", required=True)


class GradeReply(Reply):
    """The total and each item, in the order of the request."""

    score = fields.Nested(Score, required=True)
    items = fields.List(fields.Nested(GradedItem), required=True)
