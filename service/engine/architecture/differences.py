"""What GPT leaves out of Figure 1, and what it does otherwise."""

from typing import NamedTuple

from service.engine.architecture.decoder_only import GPT_2, GPT_2_CODE
from service.engine.architecture.figure import FIGURE_1
from service.engine.architecture.graph import Edge

ABSENT_BLOCKS = (
    *(block.id for block in FIGURE_1.members("encoder")),
    "cross_attention",
    "cross_attention_norm",
)
ABSENT_EDGES = tuple(
    edge.id
    for edge in FIGURE_1.edges
    if edge.source in ABSENT_BLOCKS or edge.target in ABSENT_BLOCKS
)
ABSENT_GROUPS = ("encoder", "encoder_layer")

# Where cross-attention and its add & norm were, what came in goes on as it is.
BRIDGES = (
    Edge("decoder_attention_norm", "decoder_feed_forward", "x", "flow", "vectors"),
    Edge(
        "decoder_attention_norm",
        "decoder_feed_forward_norm",
        "x",
        "residual",
        "x itself, past the sublayer",
    ),
)


class Difference(NamedTuple):
    """One point on which the two part; `blocks` are those of Figure 1 that it is about."""

    code: str
    original: str
    gpt: str
    blocks: tuple[str, ...]
    reference: str


DIFFERENCES = (
    Difference(
        "no_encoder",
        "An encoder reads the source; the decoder writes the translation.",
        "One column reads and writes one text: task, source and answer all stand in it.",
        tuple(block.id for block in FIGURE_1.members("encoder")),
        "Brown et al. 2020, section 2.1",
    ),
    Difference(
        "no_cross_attention",
        "Each decoder layer has three sublayers, one of which looks at the encoder's result.",
        "Each layer has two: masked attention and feed forward.",
        ("cross_attention", "cross_attention_norm"),
        "Radford et al. 2018, section 3.1",
    ),
    Difference(
        "pre_norm",
        "The norm stands after the sum, in the way of everything that passes.",
        "The norm stands before the sublayer; the sum itself is not normed.",
        ("decoder_attention_norm", "decoder_feed_forward_norm"),
        GPT_2,
    ),
    Difference(
        "final_norm",
        "The last add & norm is the last norm.",
        "One more norm follows the last layer, since no sum before it was normed.",
        ("linear",),
        GPT_2,
    ),
    Difference(
        "learned_positions",
        "Places are told by sines and cosines, which have no weights.",
        "Places have a learned table, one row for each place of the context.",
        ("decoder_positions",),
        "Radford et al. 2018, section 4.1",
    ),
    Difference(
        "unscaled_embedding",
        "Embeddings are multiplied by √d_model before places are added.",
        "Embeddings are added to the places as they are.",
        ("decoder_embedding",),
        GPT_2_CODE,
    ),
    Difference(
        "gelu",
        "Between its two matrices feed forward cuts negative numbers to 0 (ReLU).",
        "It bends them smoothly instead (GELU).",
        ("decoder_feed_forward",),
        "Radford et al. 2018, section 4.1",
    ),
    Difference(
        "attention_biases",
        "The projections of attention are matrices alone.",
        "Each has a bias beside its matrix.",
        ("decoder_attention",),
        GPT_2_CODE,
    ),
    Difference(
        "sparse_attention",
        "Every layer may look at every place that the mask leaves.",
        "Every other layer of GPT-3 looks at a band of places; here all are drawn and counted "
        "as dense.",
        ("decoder_attention",),
        "Brown et al. 2020, section 2.1",
    ),
    Difference(
        "depth",
        "6 encoder layers and 6 decoder layers.",
        "96 layers in GPT-3.",
        ("decoder_attention", "decoder_feed_forward"),
        "Brown et al. 2020, Table 2.1",
    ),
)
