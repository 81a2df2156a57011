"""What stands around the blocks, as rules. Sources: Vaswani et al. 2017, section 3.4; Radford et
al. 2018, equation 2 (learned positions, logits by the embedding)."""

from functools import cache

from service.engine.trace import ANY, UNIT, Read, Rule, given

TOKEN_MODEL = ("token", "d_model")
VOCAB_MODEL = ("vocab", "d_model")

X = given("X", "X", "Embeddings: one row for each token", TOKEN_MODEL)
TOKEN_IDS = given("token_ids", "t", "Tokens, as rows of the embedding", ("token", UNIT))
EMBEDDING = given("embedding", "E", "Embedding: a row for each word", VOCAB_MODEL)
POSITION_EMBEDDING = given(
    "position_embedding", "P", "Position embedding: a row for each position", TOKEN_MODEL
)
UNEMBEDDING = given("unembedding", "E'", "Unembedding: a row for each word", VOCAB_MODEL)


@cache
def looked_up(name: str, symbol: str) -> Rule:
    """The row of the embedding at each token's number."""
    return Rule(
        name,
        "Embeddings: the row of each token",
        symbol,
        rf"{symbol}_{{ij}} = E_{{t_i j}}",
        rf"{symbol}_{{ji}} = E_{{j t_i}}",
        "lookup",
        TOKEN_MODEL,
        (Read("token_ids", ("token", UNIT)), Read("embedding", VOCAB_MODEL)),
    )


@cache
def with_positions(positions: str, symbol: str) -> Rule:
    """Embeddings and positions added."""
    formula = f"X = T + {symbol}"
    reads = (Read("token_embeddings", TOKEN_MODEL), Read(positions, TOKEN_MODEL))
    return Rule(
        "X", "Embeddings with their positions", "X", formula, formula, "add", TOKEN_MODEL, reads
    )


@cache
def logits(matrix: str) -> Rule:
    """How well each word would follow each token."""
    symbol = "E" if matrix == "embedding" else "E'"
    return Rule(
        "logits",
        "Logits: how well each word would follow",
        "L",
        rf"L = x {symbol}^\top",
        rf"L = {symbol}^\top x",
        "dot",
        ("token", "vocab"),
        (Read("x", TOKEN_MODEL), Read(matrix, VOCAB_MODEL)),
    )


PROBABILITIES = Rule(
    "probabilities",
    "Probabilities of the next word, after each token",
    "p",
    r"p_{iw} = e^{L_{iw}} / \sum_{w'} e^{L_{iw'}}",
    r"p_{wi} = e^{L_{wi}} / \sum_{w'} e^{L_{w'i}}",
    "softmax",
    ("token", "vocab"),
    (Read("logits", ("token", ANY)),),
)
