"""POST /v1/quiz/read: how texts would be read."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Length
from service.schemas.fields import Flag, Labels, Text
from service.schemas.quiz.reply import Feedback, Reading
from service.schemas.replies import Reply

MAX_TEXTS = 1_000


class ReadRequest(Request):
    """Texts as students type them."""

    texts = Labels("What was typed.", required=True, validate=Length(1, MAX_TEXTS))
    locale = Text(
        "How numbers are written: en, de, de-CH, en-IN and others; with a choice of digits, as in "
        "th-u-nu-thai."
    )
    arithmetic = Flag("true: read calculations such as 96*96 too.", load_default=False)


class PreviewedReading(Reading):
    """How a text was understood, or why it was not."""

    problem = fields.Nested(
        Feedback, metadata={"description": "Why there is no reading; only where there is none."}
    )


class ReadReply(Reply):
    """A reading for each text, in their order."""

    readings = fields.List(fields.Nested(PreviewedReading), required=True)
