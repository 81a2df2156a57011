"""What POST /v1/block replies."""

from marshmallow import fields

from service.schemas import replies
from service.schemas.fields import Flag, Number, Text, Whole, Wholes
from service.schemas.matrices import Matrix
from service.schemas.multihead import MultiheadTrace


class PartConventions(replies.ShownConventions):
    """What a part of a block used; which members there are depends on the part."""

    norm = Text("layer or rms.")
    eps = Number("What was added inside the root.")
    variance = Text("population: the mean of the squares, over d and not d - 1.")
    activation = Text("relu, gelu, gelu_tanh or swiglu.")
    weights_layout = Text("out_in or in_out.")
    positions = Text("learned, sinusoidal or none.")
    tied = Flag("Whether logits were made with the embedding itself.")


class PartTrace(replies.Trace):
    """A part of a block or of the model around it.

    What it reads of another trace, it copies first; that step reads by path, such as
    blocks/0/mlp/update: the trace's path, then the step's name.
    """

    conventions = fields.Nested(PartConventions, required=True)


def part(about: str, required: bool = False) -> fields.Nested:
    """A part's trace."""
    return fields.Nested(PartTrace, required=required, metadata={"description": about})


class BlockTrace(replies.Reply):
    """One block's traces, in the order in which they are computed.

    With the norm after each sublayer (post): attention, add_norm_attention, mlp, add_norm_mlp.
    With the norm before it (pre): norm_attention, attention, add_attention, norm_mlp, mlp, add_mlp.
    A decoder has the same of cross between them.
    """

    name = Text("The block's name.", required=True)
    kind = Text("encoder, decoder or gpt.", required=True)
    placement = Text("post or pre.", required=True)
    norm_attention = part("pre: x, mean, variance, normalised, output.")
    attention = fields.Nested(
        MultiheadTrace,
        required=True,
        metadata={
            "description": "The heads, each with its update, and combined: concat and update."
        },
    )
    add_attention = part("pre: x, delta, output.")
    add_norm_attention = part("post: x, delta, sum, mean, variance, normalised, output.")
    norm_cross = part("pre: the norm before the cross-attention.")
    cross = fields.Nested(
        MultiheadTrace, metadata={"description": "A decoder's attention to the context."}
    )
    add_cross = part("pre: x, delta, output.")
    add_norm_cross = part("post: add & norm after the cross-attention.")
    norm_mlp = part("pre: the norm before the MLP.")
    mlp = part("x, up, activated, update; with swiglu also gate and gated.", required=True)
    add_mlp = part("pre: x, delta, output, which is the block's.")
    add_norm_mlp = part("post: add & norm after the MLP; its output is the block's.")


class NextToken(replies.Reply):
    """The likeliest word after the last token; of several, the first."""

    id = Whole("Its row in the embedding.", required=True)
    label = Text("Its label, where the vocabulary has some.")
    probability = Number("Its probability.", required=True)


class DrawnNorm(replies.Reply):
    """A norm with gain 1 and bias 0."""


class DrawnAttention(replies.Reply):
    """The matrices of an attention sublayer."""

    W_Q = Matrix("Packed.", required=True)
    W_K = Matrix("Packed.", required=True)
    W_V = Matrix("Packed.", required=True)
    W_O = Matrix("Packed.", required=True)


class DrawnLayer(DrawnAttention):
    """The matrices of a block."""

    cross = fields.Nested(DrawnAttention)
    W_up = Matrix("d_ff × d_model for the layout out_in.", required=True)
    W_gate = Matrix("With swiglu.")
    W_down = Matrix("d_model × d_ff.", required=True)


class DrawnModel(replies.Reply):
    """What the seed gave, as members of a request.

    The same request with these in place of the seed and its sizes gets the same traces.
    """

    X = Matrix("Where there is no vocabulary.")
    token_ids = Wholes("Rows of embedding.", 0, 1 << 30)
    embedding = Matrix("n_vocab × d_model.")
    position_embedding = Matrix("n × d_model.")
    final_norm = fields.Nested(DrawnNorm)
    blocks = fields.List(fields.Nested(DrawnLayer))


class StackConventions(replies.Reply):
    """What was used for all blocks, defaults included."""

    kind = Text("encoder, decoder or gpt.", required=True)
    norm = Text("layer or rms.", required=True)
    eps = Number("What was added inside the root of a norm.", required=True)
    weights_layout = Text("out_in or in_out.", required=True)
    dropout = Text("none: nothing is dropped, as when a trained model is used.", required=True)


class StackTrace(replies.Reply):
    """The traces of all blocks, and of what stands before and after them.

    Members stand in the order in which they are computed.
    """

    embedding = part("X: as sent, or made of token_ids with embedding and positions.", True)
    blocks = fields.List(fields.Nested(BlockTrace), required=True)
    final_norm = part("The norm after the last block, where there is one.")
    output = Text(
        "The path of what the last block, or the final norm, comes to: the trace's, then the"
        " step's name.",
        required=True,
    )
    unembedding = part("x, logits, probabilities, where there is an embedding or unembedding.")
    next_token = fields.Nested(NextToken)
    drawn = fields.Nested(DrawnModel)
    conventions = fields.Nested(StackConventions, required=True)
