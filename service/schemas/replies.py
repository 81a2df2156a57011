"""What the service replies. These schemas are the contract's; the writer makes the bytes."""

from marshmallow import EXCLUDE, Schema, fields

from service.schemas.fields import Flag, Labels, Number, Text, Whole
from service.schemas.matrices import MaskedMatrix, Matrix


class Reply(Schema):
    """A reply may grow, so no schema of one forbids further members."""

    class Meta:
        unknown = EXCLUDE


class Axis(Reply):
    """One axis of the matrices of a trace."""

    size = Whole("How many indices there are.", required=True)
    labels = Labels("Their labels, where the caller gave some.")


class Read(Reply):
    """A cell reads every cell of this matrix whose indices agree with its own.

    That is, on the axes that they share; * or an axis that the step lacks means every index.
    """

    name = Text("The step or input that is read.", required=True)
    axes = Labels("Its axes, in terms of the step's own.", required=True)


class Step(Reply):
    """One step, or one input, with the rule that says where each cell comes from."""

    name = Text(
        "X, Q, K, scores, scaled, capped, masked, weights, V, head, update, output, and others"
        " as endpoints need them; new ones may come.",
        required=True,
    )
    title = Text("What it is, in a few words.", required=True)
    symbol = Text("Its symbol in LaTeX.", required=True)
    formula = Text("Its formula in LaTeX, in the orientation of the reply.", required=True)
    operation = Text("input, dot, scale, softcap, mask, softmax, add and others.", required=True)
    axes = Labels("The names of its two axes; 1 is the unit axis.", required=True)
    reads = fields.List(fields.Nested(Read), required=True)
    shape = fields.List(Whole("Rows, then columns."), required=True)
    value = MaskedMatrix("Its numbers; null is −∞, a blocked cell.", required=True)
    hidden = Matrix("Where a cell can be blocked: 1 for each that is, else 0.")
    display = fields.List(
        Labels("One row."), metadata={"description": "With display: the numbers as text."}
    )


class Invariant(Reply):
    """A law that was checked on this very answer."""

    law = Text("Stable, for machines.", required=True)
    step = Text("The step that it was checked on.", required=True)
    statement = Text("The law in words.", required=True)
    largest_deviation = Number("How far the worst row or cell is off.", required=True)
    holds = Flag("Whether that is no more than rounding.", required=True)


class Warning(Reply):
    """Something lawful that a reader should know."""

    code = Text("Stable, for machines.", required=True)
    message = Text("For people.", required=True)


class Operand(Reply):
    """A cell that another was made from."""

    name = Text("The step or input.", required=True)
    row = Whole("Counted from 0.", required=True)
    column = Whole("Counted from 0.", required=True)
    value = Number("Its number; null is −∞.", required=True, allow_none=True)


class Explanation(Reply):
    """The arithmetic of one cell."""

    step = Text("The step.", required=True)
    row = Whole("Counted from 0.", required=True)
    column = Whole("Counted from 0.", required=True)
    value = Number("Its number; null is −∞.", required=True, allow_none=True)
    operands = fields.List(fields.Nested(Operand), required=True)
    text = Text("The arithmetic with the numbers put in.", required=True)
    latex = Text("The same in LaTeX.", required=True)


class MaskConventions(Reply):
    """The mask that was used."""

    causal = Flag("Whether keys after the query were hidden.", required=True)
    alignment = Text("upper_left or lower_right.", required=True)
    window = Whole("Left out where there is no limit.")
    parts = Labels("The matrices that were given.", required=True)


class RotaryConventions(Reply):
    """How queries and keys were turned."""

    base = Number("Of the frequencies.", required=True)
    dims = Whole("How many dimensions were turned; left out for all.")
    pairing = Text("half_split or interleaved.", required=True)
    offset = Whole("The position of the first query.", required=True)
    key_offset = Whole("The position of the first key.", required=True)


class AlibiConventions(Reply):
    """How scores fell with the distance."""

    slope = Number("Of this head.", required=True)
    offset = Whole("The position of the first query.", required=True)


class ShownConventions(Reply):
    """How a trace is shown."""

    orientation = Text("rows or columns.", required=True)
    significant_digits = Whole("Left out where nothing is rounded.")
    display = Whole("How many decimals are shown; left out where none were asked for.")


class Conventions(ShownConventions):
    """What was used, defaults included. Which members there are depends on the operation."""

    weights_layout = Text("out_in or in_out.")
    scale = Number("What the scores were multiplied by.")
    scale_rule = Text("1/sqrt(d_k), or given.")
    softcap = Number("Left out where there is none.")
    rotary = fields.Nested(RotaryConventions)
    alibi = fields.Nested(AlibiConventions)
    mask = fields.Nested(MaskConventions)
    fully_masked_rows = Text("What a row with nothing to see gives: zeros or uniform.")


class Trace(Reply):
    """Every step of a computation."""

    axes = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(Axis),
        required=True,
        metadata={"description": "By name: the size of each axis, and its labels."},
    )
    inputs = fields.List(fields.Nested(Step), required=True)
    steps = fields.List(fields.Nested(Step), required=True)
    conventions = fields.Nested(Conventions, required=True)
    invariants = fields.List(fields.Nested(Invariant), required=True)
    warnings = fields.List(fields.Nested(Warning), required=True)
    explanations = fields.List(fields.Nested(Explanation), required=True)


class ProblemError(Reply):
    """One fault."""

    pointer = Text("Where it is in the request, as a JSON pointer.", required=True)
    detail = Text("What is wrong, and what to change.", required=True)


class Problem(Reply):
    """An error, as RFC 9457 has it."""

    type = Text("about:blank: the status says what kind of problem it is.", required=True)
    title = Text("The status in words.", required=True)
    status = Whole("The HTTP status.", required=True)
    detail = Text("What is wrong, and what to change.", required=True)
    errors = fields.List(fields.Nested(ProblemError), required=True)


class Health(Reply):
    """The state of the service."""

    status = Text("ok.", required=True)
