"""GPT-2 and GPT-3 as a graph: the decoder alone, with the norms before the sublayers.

Blocks that Figure 1 has too keep their ids. Radford et al. 2019, section 2.3; Brown et al. 2020,
section 2.1: GPT-3 keeps GPT-2's architecture.
"""

from dataclasses import replace

from service.engine.architecture import ends, layers
from service.engine.architecture.figure import FIGURE_1, entrance
from service.engine.architecture.graph import DECODER, Block, Drawing, Edge, Group, Input

GPT_2 = "Radford et al. 2019, section 2.3"
GPT_2_CODE = "Radford et al. 2019, released code (src/model.py)"


def norm(sublayer: str, row: int) -> Block:
    return Block(
        id=f"{sublayer}_norm",
        kind="norm",
        label="Layer Norm",
        caption=(
            "Takes the running vectors and gives each with mean 0 and variance 1, then stretched "
            "by γ and shifted by β. What comes next reads this copy; the running vectors "
            "themselves go past it unchanged."
        ),
        group=DECODER.layer,
        column=DECODER.column,
        row=row,
        inputs=(Input("x", DECODER.vectors),),
        output=DECODER.vectors,
        formula=r"\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta",
        reference=GPT_2,
    )


def add(sublayer: str, row: int) -> Block:
    return Block(
        id=f"{sublayer}_sum",
        kind="sum",
        label="+",
        caption=(
            "Takes the running vectors and a sublayer's update and gives their sum. No norm stands "
            "in this way, so a clear path leads from the first layer to the last."
        ),
        group=DECODER.layer,
        column=DECODER.column,
        row=row,
        inputs=(Input("x", DECODER.vectors), Input("update", DECODER.vectors)),
        output=DECODER.vectors,
        formula=r"x + \mathrm{Sublayer}(\mathrm{LayerNorm}(x))",
        reference=GPT_2,
    )


def pre_norm(x: str, sublayer: str) -> tuple[Edge, ...]:
    """A sublayer that reads a normed copy; the residual path goes past norm and sublayer."""
    return (
        Edge(x, f"{sublayer}_norm", "x", "flow", "running vectors"),
        Edge(f"{sublayer}_norm", sublayer, "x", "flow", "normed copy"),
        Edge(x, f"{sublayer}_sum", "x", "residual", "x itself, past norm and sublayer"),
        Edge(sublayer, f"{sublayer}_sum", "update", "flow", "update"),
    )


TOKENS = replace(
    ends.TARGET,
    label="Text so far",
    caption=(
        "The text so far, cut into tokens: a whole number for each, its row in the vocabulary. "
        "There is no other text to look at."
    ),
    formula=r"t_1, \dots, t_n",
    reference="Brown et al. 2020, section 2.1",
)

EMBEDDING = replace(
    ends.embedding(DECODER, "Token Embedding"),
    caption=(
        "Takes token numbers and gives, for each, its row of a learned table, as it is. A token "
        "has the same row wherever it stands; what the context says is added further up."
    ),
    formula="x_i = W_E[t_i]",
    reference=GPT_2_CODE,
)

POSITIONS = replace(
    ends.positions(DECODER),
    kind="learned_positions",
    label="Learned Positions",
    caption=(
        "Takes nothing but the places 0, 1, 2 … and gives, for each, its row of a second learned "
        "table. The table has as many rows as the context has places; beyond them there is no row."
    ),
    formula="P_p = W_P[p]",
    reference=GPT_2_CODE,
)

FINAL_NORM = replace(
    norm("final", 9),
    caption=(
        "Takes the running vectors that the last layer leaves and gives them with mean 0 and "
        "variance 1, stretched and shifted. Nothing else has normed this sum, which has grown with "
        "every layer."
    ),
    group="output",
)

FEED_FORWARD = replace(
    layers.feed_forward(DECODER, 7),
    caption=(
        "Takes the normed vector of each token by itself and gives an update for it: spread out to "
        "d_ff numbers, bent by GELU, gathered to d_model again. Two thirds of the weights of a "
        "layer are here."
    ),
    formula=r"\mathrm{GELU}(x W_1 + b_1) W_2 + b_2, \quad \mathrm{GELU}(z) = z \, \Phi(z)",
    reference="Radford et al. 2018, section 4.1",
)

PROBABILITIES = replace(ends.HEAD[-1], formula=r"P(t_{i+1} \mid t_1, \dots, t_i)")

DECODER_ONLY = Drawing(
    id="decoder_only",
    title="GPT: the decoder alone, norms first",
    blocks=(
        TOKENS,
        EMBEDDING,
        POSITIONS,
        ends.sum_with_positions(DECODER),
        norm("decoder_attention", 3),
        replace(layers.MASKED_ATTENTION, row=4),
        add("decoder_attention", 5),
        norm("decoder_feed_forward", 6),
        FEED_FORWARD,
        add("decoder_feed_forward", 8),
        FINAL_NORM,
        *ends.HEAD[:-1],
        PROBABILITIES,
    ),
    edges=(
        *entrance(DECODER, "target_tokens"),
        *pre_norm("decoder_sum", "decoder_attention"),
        *pre_norm("decoder_attention_sum", "decoder_feed_forward"),
        Edge("decoder_feed_forward_sum", "final_norm", "x", "flow", "running vectors"),
        Edge("final_norm", "linear", "x", "flow", "finished vectors"),
        *FIGURE_1.edges[-2:],
    ),
    groups=(
        Group(id="decoder", label="Decoder", caption="The one column: reads the text so far."),
        Group(
            id="decoder_layer",
            label="Decoder layer",
            caption="Two sublayers, each behind a norm and beside a residual path.",
            parent="decoder",
            repeat_symbol="N",
        ),
        FIGURE_1.groups[-1],
    ),
)
