"""POST /v1/block."""

from service.schemas import mask
from service.schemas.attention import POSITION, ScoreRequest
from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.fields import Choice, Labels, Number, Object, Objects, Text, Whole, Wholes
from service.schemas.matrices import Matrix, Vector
from service.schemas.multihead import MAX_HEADS, AlibiSlopes

KINDS = ("encoder", "decoder", "gpt")
ACTIVATIONS = ("relu", "gelu", "gelu_tanh", "swiglu")
_HEADS = Range(1, MAX_HEADS)
MAX_BLOCKS, MAX_TOKENS = 96, 1 << 16
_SIZE = Range(1, MAX_TOKENS)
_KIND = (
    "encoder: self-attention and MLP. decoder: masked self-attention, cross-attention to context,"
    " MLP. gpt: masked self-attention and MLP."
)
_ACTIVATION = (
    "What stands between W_up and W_down. gelu is the exact one, by erf, gelu_tanh GPT-2's;"
    " swiglu is gated and takes W_gate too."
)
_KV = (
    "With grouped heads, how many W_K and W_V hold; query head i uses head"
    " i // (n_heads / n_kv_heads). n_heads if left out."
)


class Norm(Request):
    """Gain and bias of a norm."""

    gamma = Vector("The gain, d_model numbers; all 1 if left out.")
    beta = Vector("The bias, d_model numbers; all 0 if left out. RMSNorm has none.")


class BlockNorms(Request):
    """The norms of a block, by sublayer."""

    attention = Object("Of the self-attention.", Norm())
    cross = Object("Of the cross-attention.", Norm())
    mlp = Object("Of the MLP.", Norm())


class PackedAttention(Request):
    """The heads of an attention sublayer, packed as in /v1/multihead, with biases if there are."""

    n_heads = Whole("How many heads; that of all blocks if left out.", validate=_HEADS)
    n_kv_heads = Whole(_KV, validate=_HEADS)
    W_Q = Matrix("(n_heads · d_k) × d_model for the layout out_in. Needed.")
    W_K = Matrix("(n_kv_heads · d_k) × d_model. Needed.")
    W_V = Matrix("(n_kv_heads · d_v) × d_model. Needed.")
    W_O = Matrix("d_model × (n_heads · d_v). Needed.")
    b_Q = Vector("Added to every query, n_heads · d_k numbers.")
    b_K = Vector("Added to every key, n_kv_heads · d_k numbers.")
    b_V = Vector("Added to every value, n_kv_heads · d_v numbers.")
    b_O = Vector("Added to every update, d_model numbers.")
    mask = Object(
        "Which key a query may see. In a decoder and in gpt, self-attention is causal unless this"
        " says causal false.",
        mask.Mask(),
    )


class BlockLayer(PackedAttention):
    """One block: its attention, its MLP, its norms, and a decoder's cross-attention."""

    name = Text("What to call it; block 1, block 2 … if left out.")
    kind = Choice(f"{_KIND} That of all blocks if left out.", KINDS)
    cross = Object("A decoder's attention to context.", PackedAttention())
    W_up = Matrix("Widens each token: d_ff × d_model for the layout out_in. Needed.")
    b_up = Vector("d_ff numbers.")
    W_gate = Matrix("The gate of swiglu: d_ff × d_model.")
    b_gate = Vector("d_ff numbers.")
    W_down = Matrix("Maps back: d_model × d_ff. Needed.")
    b_down = Vector("d_model numbers.")
    activation = Choice(f"{_ACTIVATION} That of all blocks if left out.", ACTIVATIONS)
    norms = Object("Gain and bias of the norms; 1 and 0 where left out.", BlockNorms())


class Sinusoidal(Request):
    """The paper's positional encoding, added to the embeddings."""

    base = Number("Default 10,000.", validate=Range(min=0, min_inclusive=False))
    offset = Whole("The position of the first token. Default 0.", validate=POSITION)


class BlockRequest(ScoreRequest):
    """Blocks in a row with what stands before and after them; or sizes and a seed.

    X and blocks are enough. With token_ids and embedding in place of X, it is a whole language
    model, down to the probabilities of the next word. With a seed, what is not sent is drawn.
    """

    kind = Choice(f"{_KIND} Default gpt.", KINDS)
    placement = Choice(
        "post: the norm of x + sublayer(x), as in the paper. pre: x + sublayer(norm of x), as in"
        " GPT-2. Default pre for gpt, post for the others.",
        ("post", "pre"),
    )
    activation = Choice(
        f"{_ACTIVATION} Default gelu_tanh for gpt, relu for the others.", ACTIVATIONS
    )
    norm = Choice("LayerNorm or RMSNorm. Default layer.", ("layer", "rms"))
    eps = Number(
        "Inside the root of the norm, greater than 0. Default 1e-5.",
        validate=Range(min=0, min_inclusive=False),
    )
    blocks = Objects(
        "The blocks, in the order in which a token passes them.",
        BlockLayer(),
        validate=Length(max=MAX_BLOCKS),
    )
    n_heads = Whole("How many heads each block has that does not say it itself.", validate=_HEADS)
    n_kv_heads = Whole(_KV, validate=_HEADS)
    alibi = Object("Lower each head's scores with the distance.", AlibiSlopes())
    X = Matrix("Embeddings, n × d_model, in place of token_ids.")
    token_ids = Wholes(
        "The tokens, as rows of embedding, counted from 0.",
        0,
        1 << 30,
        validate=Length(max=MAX_TOKENS),
    )
    vocabulary = Labels("A label for each row of embedding.")
    embedding = Matrix("n_vocab × d_model: a row for each word, whatever weights_layout.")
    position_embedding = Matrix("Learned positions: a row for each position, at least n.")
    sinusoidal = Object("Add the paper's positions to the embeddings.", Sinusoidal())
    final_norm = Object(
        "A norm after the last block, as in GPT-2; {} for one with gain 1 and bias 0.", Norm()
    )
    unembedding = Matrix(
        "n_vocab × d_model, makes logits; the embedding itself if left out (tied)."
    )
    seed = Whole(
        "Draws what is not sent: with n_heads and d_model the blocks, with vocab_size the"
        " embedding, learned positions and token_ids, else X. The same numbers on every machine.",
        validate=Range(min=0),
    )
    n_layers = Whole("With a seed: how many blocks. Default 1.", validate=Range(1, MAX_BLOCKS))
    d_model = Whole("With a seed: the width of an embedding.", validate=_SIZE)
    d_ff = Whole("With a seed: the width of the hidden layer. Default 4 · d_model.", validate=_SIZE)
    vocab_size = Whole(
        "With a seed: how many words there are. The length of vocabulary if that is sent.",
        validate=_SIZE,
    )
    n_tokens = Whole(
        "With a seed: how many tokens. The number of tokens or token_ids if those are sent.",
        validate=_SIZE,
    )
