"""The sublayers of encoder and decoder: attention of three kinds, add & norm, feed forward.

Vaswani et al. 2017, Figure 1 and sections 3.1 to 3.3.
"""

from service.engine.architecture.graph import DECODER, ENCODER, Block, Input, Side

SCORES = r"\frac{Q_i K_i^\top}{\sqrt{d_k}}"
HEADS_JOINED = (
    r"\mathrm{Concat}(\mathrm{head}_1, \dots, \mathrm{head}_h) W^O, \quad "
    r"\mathrm{head}_i = \mathrm{softmax}\left(%s\right) V_i"
)

SELF_ATTENTION = Block(
    id="encoder_attention",
    kind="attention",
    label="Multi-Head Attention",
    caption=(
        "Takes a vector for each token and gives an update for each. In every head each token "
        "compares its query with the keys of all tokens, before and after it, and fetches the mean "
        "of their values, weighted by how well they match. This is how words learn of one another."
    ),
    group=ENCODER.layer,
    column=ENCODER.column,
    row=3,
    inputs=(Input("x", ENCODER.vectors),),
    output=ENCODER.vectors,
    formula=HEADS_JOINED % SCORES,
    reference="Vaswani et al. 2017, sections 3.2.2 and 3.2.3",
)

MASKED_ATTENTION = Block(
    id="decoder_attention",
    kind="masked_attention",
    label="Masked Multi-Head Attention",
    caption=(
        "Takes a vector for each token and gives an update for each, fetched from the token itself "
        "and those before it: the scores of later tokens are set to −∞, so that their weights are "
        "0. Otherwise a place could read off the very token that it has to predict."
    ),
    group=DECODER.layer,
    column=DECODER.column,
    row=3,
    inputs=(Input("x", DECODER.vectors),),
    output=DECODER.vectors,
    formula=HEADS_JOINED % (SCORES + " + M")
    + r", \quad M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}",
    reference="Vaswani et al. 2017, sections 3.2.2 and 3.2.3",
)

CROSS_ATTENTION = Block(
    id="cross_attention",
    kind="cross_attention",
    label="Multi-Head Attention",
    caption=(
        "Takes queries from the translation so far, and keys and values from what the encoder made "
        "of the source; gives an update for each target token: what it found in the source. The "
        "source is known from end to end, so nothing is masked."
    ),
    group=DECODER.layer,
    column=DECODER.column,
    row=6,
    inputs=(Input("queries", DECODER.vectors), Input("keys_and_values", ENCODER.vectors)),
    output=DECODER.vectors,
    formula=HEADS_JOINED
    % SCORES
    + r", \quad Q_i = X_{\mathrm{target}} W_i^Q, \quad K_i = X_{\mathrm{source}} W_i^K, \quad "
    r"V_i = X_{\mathrm{source}} W_i^V",
    reference="Vaswani et al. 2017, section 3.2.3",
)


def add_and_norm(side: Side, sublayer: str, row: int) -> Block:
    return Block(
        id=f"{sublayer}_norm",
        kind="add_and_norm",
        label="Add & Norm",
        caption=(
            "Takes a sublayer's input and its update and gives their sum, each vector brought to "
            "mean 0 and variance 1, then stretched by γ and shifted by β. With the sum a sublayer "
            "has to learn a change only; with the norm numbers keep their size over many layers."
        ),
        group=side.layer,
        column=side.column,
        row=row,
        inputs=(Input("x", side.vectors), Input("update", side.vectors)),
        output=side.vectors,
        formula=r"\mathrm{LayerNorm}(x + \mathrm{Sublayer}(x))",
        reference="Vaswani et al. 2017, section 3.1",
    )


def feed_forward(side: Side, row: int) -> Block:
    return Block(
        id=f"{side.name}_feed_forward",
        kind="feed_forward",
        label="Feed Forward",
        caption=(
            "Takes the vector of each token by itself and gives an update for it: spread out to "
            "d_ff numbers, the negative ones cut to 0, gathered to d_model again. Tokens do not "
            "meet here; each digests what attention has brought it, all by the same weights."
        ),
        group=side.layer,
        column=side.column,
        row=row,
        inputs=(Input("x", side.vectors),),
        output=side.vectors,
        formula=r"\max(0, x W_1 + b_1) W_2 + b_2",
        reference="Vaswani et al. 2017, section 3.3",
    )
