"""GET /v1/architecture: models in numbers. All counts are exact integers."""

from marshmallow import fields

from service.schemas.fields import Flag, Labels, Text, Whole
from service.schemas.params_reply import Published, Split
from service.schemas.replies import Reply


class ArchitectureSymbol(Reply):
    """A size that shapes are made of."""

    name = Text("As shapes and sizes have it.", required=True)
    latex = Text("As formulas have it.", required=True)
    meaning = Text("What it counts.", required=True)


class Sizes(Reply):
    """The value of every symbol; each text is as long as the context."""

    n_context = Whole("The most tokens that a text may have.", required=True)
    n_source = Whole("Tokens that the encoder reads; left out without an encoder.")
    n_target = Whole("Tokens that the decoder reads.", required=True)
    n_vocab = Whole("Tokens in the vocabulary.", required=True)
    d_model = Whole("Numbers in the vector of a token.", required=True)
    d_ff = Whole("Numbers in the middle of feed forward.", required=True)
    d_k = Whole("Numbers in a query and a key.", required=True)
    d_v = Whole("Numbers in a value.", required=True)
    n_heads = Whole("h: heads of one attention.", required=True)
    n_layers = Whole("N: layers of a stack.", required=True)


class ModelInput(Reply):
    """An input of a block, in numbers."""

    name = Text("The input's name.", required=True)
    shape = fields.List(Whole("Rows, then columns; a list of tokens has one size."), required=True)


class ModelGroup(Reply):
    """A group in numbers."""

    id = Text("The group's id.", required=True)
    repeats = Whole("How often it is stacked; 1 for what is there once.", required=True)
    one = fields.Nested(Split, required=True, metadata={"description": "Parameters of one repeat."})
    in_all = fields.Nested(
        Split,
        required=True,
        metadata={"description": "What it adds to the parameters of the model."},
    )


class ModelBlock(ModelGroup):
    """A block in numbers."""

    id = Text("The block's id.", required=True)
    inputs = fields.List(fields.Nested(ModelInput), required=True)
    output = fields.List(Whole("Rows, then columns; a list of tokens has one size."), required=True)
    n_heads = Whole("Heads of one such block; left out where it is no attention.")
    components = Labels("Its matrices, as /v1/params names them.", required=True)
    shared_with = Text(
        "The block whose table it uses, and for which that is counted; in_all is then 0."
    )


class ArchitectureModel(Reply):
    """A published model: how it is drawn, and its numbers."""

    id = Text("transformer-base, transformer-big or gpt3.", required=True)
    title = Text("Its name.", required=True)
    reference = Text("Where its sizes are printed.", required=True)
    drawing = Text("The drawing that shows it: figure_1 or decoder_only.", required=True)
    architecture = Text("encoder_decoder or decoder_only.", required=True)
    norm_placement = Text("post: after the sublayer and the sum; pre: before.", required=True)
    final_norm = Flag("Whether a norm follows the last layer.", required=True)
    positions = Text("sinusoidal or learned.", required=True)
    activation = Text("relu or gelu.", required=True)
    sizes = fields.Nested(Sizes, required=True)
    blocks = fields.List(fields.Nested(ModelBlock), required=True)
    groups = fields.List(fields.Nested(ModelGroup), required=True)
    parameters = fields.Nested(
        Split, required=True, metadata={"description": "The whole model, as /v1/params counts."}
    )
    published = fields.Nested(Published, required=True)
