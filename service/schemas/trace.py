"""What every request for a trace may ask of its reply."""

from typing import Any

from marshmallow import ValidationError

from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.fields import Choice, Labels, Objects, Text, Whole

MAX_EXPLAINED = 1_000


class ExplainCell(Request):
    """A cell whose arithmetic is wanted; without a row or a column, all of them."""

    step = Text('The name of a step, or "*" for all of them.', required=True)
    row = Whole("Counted from 0, as shown; all rows if left out.", validate=Range(min=0))
    column = Whole("Counted from 0, as shown; all columns if left out.", validate=Range(min=0))
    trace = Text(
        "Where the reply holds several traces: the path of one, such as heads/0. Left out, each"
        " trace that has the step explains it."
    )


class Explain(Objects):
    """ "all", or a list of cells."""

    def read(self, value: Any) -> Any:
        if value == "all":
            return [{"step": "*"}]
        if type(value) is not list:
            raise ValidationError(
                'This must be "all" or a list of cells such as {"step": "scores"}.'
            )
        return super().read(value)


class TraceRequest(Request):
    """The members that each request for a trace may also have."""

    steps = Labels(
        "The names of the steps to return; all of them if left out. What is not asked for changes"
        " nothing in the numbers that are."
    )
    explain = Explain(
        "Cells whose arithmetic is wanted, written out with the numbers put in."
        ' [{"step": "*"}] means every cell of every step; the string "all" is short for it.',
        ExplainCell(),
        validate=Length(max=MAX_EXPLAINED),
    )
    significant_digits = Whole(
        "Rounds what is returned, never what is computed.", validate=Range(min=1, max=17)
    )
    display = Whole(
        "Adds to each step its numbers as text with so many decimals, for people: a row of weights"
        " still sums to 1 as shown. For display only.",
        validate=Range(min=0, max=15),
    )
    orientation = Choice(
        "Whether tokens are rows, as in the paper, or columns, as in many videos: values, axes"
        " and formulas of the reply turn, the numbers stay. Requests are written with tokens as"
        " rows; weight matrices keep the layout in which they were sent.",
        ("rows", "columns"),
        load_default="rows",
    )
