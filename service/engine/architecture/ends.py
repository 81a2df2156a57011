"""The blocks below and above the layers: from tokens to vectors, and from vectors to probabilities.

Vaswani et al. 2017, Figure 1 and sections 3.4 and 3.5.
"""

from service.engine.architecture.graph import DECODER, ENCODER, Block, Input, Side

LOGITS = (DECODER.n, "n_vocab")


def embedding(side: Side, label: str) -> Block:
    return Block(
        id=f"{side.name}_embedding",
        kind="embedding",
        label=label,
        caption=(
            "Takes token numbers and gives, for each, a row of a learned table times √d_model. A "
            "token has the same row wherever it stands; what the context says is added further up."
        ),
        group=side.name,
        column=side.column,
        row=1,
        inputs=(Input("tokens", (side.n,)),),
        output=side.vectors,
        formula=r"x_i = \sqrt{d_{\mathrm{model}}} \, W_E[t_i]",
        reference="Vaswani et al. 2017, section 3.4",
    )


def positions(side: Side) -> Block:
    return Block(
        id=f"{side.name}_positions",
        kind="positional_encoding",
        label="Positional Encoding",
        caption=(
            "Takes nothing but the places 0, 1, 2 … and gives a vector of sines and cosines for "
            "each. Attention alone treats a text as a bag of tokens; this marks their order, and "
            "nothing in it has to be learned."
        ),
        group=side.name,
        column=side.beside,
        row=2,
        inputs=(),
        output=side.vectors,
        formula=(
            r"P_{p,\,2i} = \sin\left(p / 10000^{2i/d_{\mathrm{model}}}\right), \quad "
            r"P_{p,\,2i+1} = \cos\left(p / 10000^{2i/d_{\mathrm{model}}}\right)"
        ),
        reference="Vaswani et al. 2017, section 3.5",
    )


def sum_with_positions(side: Side) -> Block:
    return Block(
        id=f"{side.name}_sum",
        kind="sum",
        label="+",
        caption=(
            "Takes the embeddings and the position vectors and gives their sum, number by number: "
            "each vector now says which token it is and where it stands."
        ),
        group=side.name,
        column=side.column,
        row=2,
        inputs=(Input("embeddings", side.vectors), Input("positions", side.vectors)),
        output=side.vectors,
        formula="X = E + P",
        reference="Vaswani et al. 2017, section 3.5",
    )


SOURCE = Block(
    id="source_tokens",
    kind="input",
    label="Inputs",
    caption=(
        "The text to translate, cut into tokens: a whole number for each, its row in the "
        "vocabulary. All of it is there from the start."
    ),
    group=ENCODER.name,
    column=ENCODER.column,
    row=0,
    inputs=(),
    output=(ENCODER.n,),
    formula=r"t_1, \dots, t_{n_{\mathrm{source}}}",
    reference="Vaswani et al. 2017, section 3",
)

TARGET = Block(
    id="target_tokens",
    kind="input",
    label="Outputs (shifted right)",
    caption=(
        "The translation so far, pushed one place to the right by a start token, so that each "
        "place holds the token before the one that has to be guessed there."
    ),
    group=DECODER.name,
    column=DECODER.column,
    row=0,
    inputs=(),
    output=(DECODER.n,),
    formula=r"t_0, \dots, t_{n_{\mathrm{target}} - 1}",
    reference="Vaswani et al. 2017, section 3.1",
)

HEAD = (
    Block(
        id="linear",
        kind="linear",
        label="Linear",
        caption=(
            "Takes the finished vector of each place and gives a score for every token of the "
            "vocabulary: the dot product with that token's embedding. The table is the one that "
            "the embedding reads, so no weights are added."
        ),
        group="output",
        column=DECODER.column,
        row=10,
        inputs=(Input("x", DECODER.vectors),),
        output=LOGITS,
        formula=r"\mathrm{logits} = X W_E^\top",
        reference="Vaswani et al. 2017, section 3.4",
    ),
    Block(
        id="softmax",
        kind="softmax",
        label="Softmax",
        caption=(
            "Takes the scores and gives probabilities: each above 0, and 1 in all for a place. "
            "A lead in score becomes a ratio of chances."
        ),
        group="output",
        column=DECODER.column,
        row=11,
        inputs=(Input("logits", LOGITS),),
        output=LOGITS,
        formula=r"p_j = e^{z_j} / \textstyle\sum_k e^{z_k}",
        reference="Vaswani et al. 2017, section 3.4",
    ),
    Block(
        id="output_probabilities",
        kind="output",
        label="Output Probabilities",
        caption=(
            "For each place, how likely every token of the vocabulary is to come next. Training "
            "compares all places with the true text at once; writing needs the last place alone."
        ),
        group="output",
        column=DECODER.column,
        row=12,
        inputs=(Input("probabilities", LOGITS),),
        output=LOGITS,
        formula=r"P(t_i \mid t_0, \dots, t_{i-1}, \mathrm{source})",
        reference="Vaswani et al. 2017, sections 3 and 3.4",
    ),
)
