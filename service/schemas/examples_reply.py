"""GET /v1/examples and /v1/examples/{id}."""

from marshmallow import fields

from service.schemas.fields import Text
from service.schemas.replies import Reply


class ExampleEntry(Reply):
    """A demo of the lecture, without its body."""

    id = Text("Its id.", required=True)
    title = Text("What it shows.", required=True)
    method = Text("POST.", required=True)
    path = Text("The operation that takes its body.", required=True)


class ExampleList(Reply):
    """The demos of the lecture."""

    examples = fields.List(fields.Nested(ExampleEntry), required=True)


class ExampleReply(ExampleEntry):
    """A demo of the lecture; its body can be posted unchanged to its path."""

    body = fields.Dict(
        keys=fields.String(), required=True, metadata={"description": "A request body."}
    )
