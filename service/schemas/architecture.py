"""GET /v1/architecture: what is asked, and the drawings that are replied."""

from marshmallow import fields

from service.schemas.architecture_models import ArchitectureModel, ArchitectureSymbol
from service.schemas.base import Request
from service.schemas.fields import Labels, Text, Whole
from service.schemas.replies import Reply


class ArchitectureQuery(Request):
    """A model by name."""

    model = Text("transformer-base, transformer-big or gpt3; all of them if left out.")


class BlockInput(Reply):
    """A place of a block where an edge may end."""

    name = Text("x, update, queries, keys_and_values and others.", required=True)
    shape = Labels("Names of sizes, rows first; see symbols.", required=True)


class DrawnBlock(Reply):
    """A box of a drawing."""

    id = Text("The same in both drawings for what is the same.", required=True)
    kind = Text(
        "input, embedding, positional_encoding, learned_positions, sum, attention,"
        " masked_attention, cross_attention, add_and_norm, norm, feed_forward, linear, softmax or"
        " output; new ones may come.",
        required=True,
    )
    label = Text("What to write in it.", required=True)
    caption = Text("What goes in, what comes out, and why.", required=True)
    group = Text("The innermost group that holds it.", required=True)
    column = Whole("From the left, counted from 0.", required=True)
    row = Whole("From the bottom, counted from 0.", required=True)
    inputs = fields.List(fields.Nested(BlockInput), required=True)
    output = Labels("The shape of what comes out: names of sizes, rows first.", required=True)
    formula = Text("In LaTeX, with tokens as rows.", required=True)
    reference = Text("Paper and section.", required=True)
    endpoint = Text("The path of this service that computes it; left out if there is none.")


class DrawnEdge(Reply):
    """An arrow of a drawing; it leads up, or sideways within a row."""

    id = Text("source-target.", required=True)
    source = Text("The block that it comes from.", required=True)
    target = Text("The block that it goes to.", required=True)
    target_input = Text("The input of the target at which it ends.", required=True)
    kind = Text("flow, residual, queries or keys_and_values.", required=True)
    label = Text("What flows.", required=True)
    shape = Labels("The shape of what flows: names of sizes, rows first.", required=True)


class DrawnGroup(Reply):
    """A frame around blocks."""

    id = Text("encoder, encoder_layer, decoder, decoder_layer or output.", required=True)
    label = Text("What to write at it.", required=True)
    caption = Text("What it does.", required=True)
    parent = Text("The group that it stands in; left out if there is none.")
    repeat_symbol = Text("N for a layer, which is stacked; left out for what is there once.")
    members = Labels(
        "Its blocks from the bottom to the top, those of inner groups too.", required=True
    )
    first = Text("Its lowest block: what enters a layer goes here, and past it.", required=True)
    last = Text("Its highest block: what it gives enters the next repeat.", required=True)


class Drawing(Reply):
    """A graph on a grid; blocks are listed so that every edge leads to a later one."""

    id = Text("figure_1 or decoder_only.", required=True)
    title = Text("What it shows.", required=True)
    blocks = fields.List(fields.Nested(DrawnBlock), required=True)
    edges = fields.List(fields.Nested(DrawnEdge), required=True)
    groups = fields.List(fields.Nested(DrawnGroup), required=True)


class Difference(Reply):
    """A point on which GPT and the original part."""

    code = Text("Stable, for machines: pre_norm, learned_positions and others.", required=True)
    original = Text("How it is in the original.", required=True)
    gpt = Text("How it is in GPT.", required=True)
    blocks = Labels("The blocks of Figure 1 that it is about.", required=True)
    reference = Text("Where GPT's way is described.", required=True)


class AbsentInGpt(Reply):
    """What to fade in Figure 1 so that GPT's one column remains."""

    blocks = Labels("Blocks that go.", required=True)
    edges = Labels("Edges that go.", required=True)
    groups = Labels("Groups that go.", required=True)
    bridges = fields.List(
        fields.Nested(DrawnEdge),
        required=True,
        metadata={"description": "Edges to put in where cross-attention was."},
    )
    differences = fields.List(fields.Nested(Difference), required=True)


class ArchitectureReply(Drawing):
    """Figure 1 as a drawing; GPT's beside it, and what GPT leaves out; models in numbers."""

    decoder_only = fields.Nested(
        Drawing,
        required=True,
        metadata={"description": "GPT as it is: one column, norms before the sublayers."},
    )
    absent_in_gpt = fields.Nested(AbsentInGpt, required=True)
    symbols = fields.List(fields.Nested(ArchitectureSymbol), required=True)
    models = fields.List(fields.Nested(ArchitectureModel), required=True)
