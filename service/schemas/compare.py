"""POST /v1/compare."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.fields import Choice, Labels, Number, Text, Whole
from service.schemas.lecture.demos import examples_of
from service.schemas.replies import Reply

COMPARABLE = ("attention", "mask", "multihead", "layernorm", "positions", "move")


def _body(about: str) -> fields.Dict:
    return fields.Dict(required=True, metadata={"description": about})


class CompareRequest(Request):
    """Two requests of one operation: the same but for a convention, an edit, an order."""

    operation = Choice("The operation that both are for.", COMPARABLE, required=True)
    before = _body("A body that it takes. Of the view, only steps is followed.")
    after = _body("Another.")


class ChangedCell(Reply):
    """A cell that differs."""

    row = Whole("Counted from 0.", required=True)
    column = Whole("Counted from 0.", required=True)
    before = Number("Null is −∞.", required=True, allow_none=True)
    after = Number("Null is −∞.", required=True, allow_none=True)


class ChangedStep(Reply):
    """A step that differs."""

    step = Text("Its name.", required=True)
    cells = fields.List(fields.Nested(ChangedCell), required=True)
    largest = Number("The largest change; left out where a cell was or became −∞.")


class TraceDifference(Reply):
    """What became of the steps of one trace."""

    trace = Text("Its path, such as heads/0; empty if it is the only one.", required=True)
    changed = fields.List(fields.Nested(ChangedStep), required=True)
    unchanged = Labels("The steps that are the same to the bit.", required=True)
    reshaped = Labels("The steps whose shape is another.", required=True)
    only_before = Labels("The steps that are gone.", required=True)
    only_after = Labels("The steps that are new.", required=True)


class ChangedConvention(Reply):
    """A convention that differs."""

    trace = Text("The path of its trace.", required=True)
    name = Text("Its name, such as mask.causal.", required=True)
    before = Text("As JSON; empty where it was not there.", required=True)
    after = Text("As JSON; empty where it is not there.", required=True)


class CompareReply(Reply):
    """Only what changed, step by step."""

    traces = fields.List(fields.Nested(TraceDifference), required=True)
    conventions = fields.List(fields.Nested(ChangedConvention), required=True)


EXAMPLES = examples_of("/v1/compare")
