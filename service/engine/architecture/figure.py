"""Figure 1 of Vaswani et al. 2017 as a graph, drawn upwards.

Encoder and decoder stand side by side, so that the encoder's result goes straight across to
cross-attention: no edge leads down.
"""

from service.engine.architecture import ends, layers
from service.engine.architecture.graph import DECODER, ENCODER, Drawing, Edge, Group, Side


def entrance(side: Side, tokens: str) -> tuple[Edge, ...]:
    """From token numbers to vectors with places."""
    return (
        Edge(tokens, f"{side.name}_embedding", "tokens", "flow", "token numbers"),
        Edge(f"{side.name}_embedding", f"{side.name}_sum", "embeddings", "flow", "embedded tokens"),
        Edge(f"{side.name}_positions", f"{side.name}_sum", "positions", "flow", "places"),
    )


def post_norm(x: str, sublayer: str) -> tuple[Edge, ...]:
    """A sublayer with its residual path: both meet in the add & norm that follows."""
    return (
        Edge(x, sublayer, "x", "flow", "vectors"),
        Edge(x, f"{sublayer}_norm", "x", "residual", "x itself, past the sublayer"),
        Edge(sublayer, f"{sublayer}_norm", "update", "flow", "update"),
    )


GROUPS = (
    Group(
        id="encoder",
        label="Encoder",
        caption="Reads the source, all tokens at once, each with sight of all others.",
    ),
    Group(
        id="encoder_layer",
        label="Encoder layer",
        caption="The same two sublayers again and again, each time with weights of their own.",
        parent="encoder",
        repeat_symbol="N",
    ),
    Group(
        id="decoder",
        label="Decoder",
        caption="Reads what has been written so far, and looks up the source.",
    ),
    Group(
        id="decoder_layer",
        label="Decoder layer",
        caption="Three sublayers, stacked like the encoder's; each looks at the whole source.",
        parent="decoder",
        repeat_symbol="N",
    ),
    Group(id="output", label="Next token", caption="Turns vectors into chances of each token."),
)

FIGURE_1 = Drawing(
    id="figure_1",
    title="The transformer: encoder and decoder (Figure 1)",
    blocks=(
        ends.SOURCE,
        ends.embedding(ENCODER, "Input Embedding"),
        ends.positions(ENCODER),
        ends.sum_with_positions(ENCODER),
        layers.SELF_ATTENTION,
        layers.add_and_norm(ENCODER, "encoder_attention", 4),
        layers.feed_forward(ENCODER, 5),
        layers.add_and_norm(ENCODER, "encoder_feed_forward", 6),
        ends.TARGET,
        ends.embedding(DECODER, "Output Embedding"),
        ends.positions(DECODER),
        ends.sum_with_positions(DECODER),
        layers.MASKED_ATTENTION,
        layers.add_and_norm(DECODER, "decoder_attention", 4),
        layers.CROSS_ATTENTION,
        layers.add_and_norm(DECODER, "cross_attention", 7),
        layers.feed_forward(DECODER, 8),
        layers.add_and_norm(DECODER, "decoder_feed_forward", 9),
        *ends.HEAD,
    ),
    edges=(
        *entrance(ENCODER, "source_tokens"),
        *post_norm("encoder_sum", "encoder_attention"),
        *post_norm("encoder_attention_norm", "encoder_feed_forward"),
        *entrance(DECODER, "target_tokens"),
        *post_norm("decoder_sum", "decoder_attention"),
        Edge("decoder_attention_norm", "cross_attention", "queries", "queries", "queries"),
        Edge(
            "encoder_feed_forward_norm",
            "cross_attention",
            "keys_and_values",
            "keys_and_values",
            "keys and values, from the last encoder layer to every decoder layer",
        ),
        *post_norm("decoder_attention_norm", "cross_attention")[1:],
        *post_norm("cross_attention_norm", "decoder_feed_forward"),
        Edge("decoder_feed_forward_norm", "linear", "x", "flow", "finished vectors"),
        Edge("linear", "softmax", "logits", "flow", "scores"),
        Edge("softmax", "output_probabilities", "probabilities", "flow", "probabilities"),
    ),
    groups=GROUPS,
)
