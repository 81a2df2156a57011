"""POST /v1/attention."""

from service.schemas import mask
from service.schemas.base import Request
from service.schemas.bounds import Range
from service.schemas.example import Example
from service.schemas.fields import Choice, Labels, Number, Object, Whole
from service.schemas.matrices import Matrix
from service.schemas.trace import TraceRequest

MAX_POSITION = 1 << 40
POSITION = Range(0, MAX_POSITION)
EVEN = Range(2, 1 << 20)
LAYOUT = (
    "out_in: a weight matrix is d_out × d_in and acts as W·x, as in nn.Linear;"
    " in_out: it is d_in × d_out, x·W, as in the paper."
)
FULLY_MASKED_ROWS = (
    "What a row gets from which the mask hides every key. zeros: weights 0, as PyTorch's"
    " scaled_dot_product_attention and ONNX give; uniform: the same weight for each key, as where"
    " hidden scores are a large negative number and not −∞."
)


class Context(Request):
    """Where keys and values come from in cross-attention."""

    X = Matrix("The embeddings that are looked at, n_k × d_context.")
    tokens = Labels("A label for each of them.")


class Rotary(Request):
    """Rotary embeddings: each pair of dimensions is turned by an angle that grows with position."""

    base = Number("Default 10,000.", validate=Range(min=0, min_inclusive=False))
    dims = Whole("Rotate only the first so many dimensions, an even number.", validate=EVEN)
    pairing = Choice(
        "half_split pairs dimension i with i + dims/2, interleaved 2i with 2i + 1."
        " Default half_split.",
        ("half_split", "interleaved"),
    )
    offset = Whole("The position of the first query. Default 0.", validate=POSITION)
    key_offset = Whole("The position of the first key. Default 0.", validate=POSITION)


class Alibi(Request):
    """ALiBi: the score falls by slope times the distance."""

    slope = Number("The slope m of this head.", required=True)
    offset = Whole("The position of the first query; keys begin at 0.", validate=POSITION)


class ScoreRequest(TraceRequest):
    """What all attention takes: labels, and how scores become weights."""

    tokens = Labels("A label for each row of X (or of Q).")
    features = Labels("A label for each column of X.")
    mask = Object("Which key a query may see; all if left out.", mask.Mask())
    scale = Number("What the scores are multiplied by, as it is; 1/√d_k if left out.")
    softcap = Number(
        "c in c·tanh(score / c), before the mask; positive. None if left out.",
        validate=Range(min=0, min_inclusive=False),
    )
    weights_layout = Choice(LAYOUT, ("out_in", "in_out"), load_default="out_in")
    fully_masked_rows = Choice(FULLY_MASKED_ROWS, ("zeros", "uniform"), load_default="zeros")
    rotary = Object("Turn queries and keys by their positions first.", Rotary())
    context = Object("Where keys and values come from, in cross-attention.", Context())


class AttentionRequest(ScoreRequest):
    """X with W_Q, W_K, W_V, or Q, K, V themselves; W_O adds the update, and X the output."""

    X = Matrix("Embeddings, n_q × d_model. Beside Q, K, V: what the update is added to.")
    W_Q = Matrix("Makes queries of X: d_k × d_model for the layout out_in.")
    W_K = Matrix("Makes keys: d_k × d_model, or d_k × d_context.")
    W_V = Matrix("Makes values: d_v × d_model, or d_v × d_context.")
    W_O = Matrix("Maps a head back: d_model × d_v.")
    Q = Matrix("Queries, n_q × d_k, in place of X and W_Q.")
    K = Matrix("Keys, n_k × d_k.")
    V = Matrix("Values, n_k × d_v.")
    alibi = Object("Lower the scores with the distance, before the mask.", Alibi())


CALCULATOR = {
    "tokens": ["the", "fluffy", "blue", "creature"],
    "features": ["noun", "adjective", "fluffiness", "blueness"],
    "X": [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]],
    "W_Q": [[2, 0, 0, 0], [0, 0, 0, 0]],
    "W_K": [[0, 2, 0, 0], [0, 0, 0, 0]],
    "W_V": [[0, 0, 1, 0], [0, 0, 0, 1]],
    "W_O": [[0, 0], [0, 0], [1, 0], [0, 1]],
    "mask": {"causal": True},
}

EXAMPLES = (
    Example("calculator", "A noun asks about adjectives; no word looks ahead", CALCULATOR),
    Example(
        "one_cell",
        "Only the weights, to four digits, and the arithmetic of one of them",
        CALCULATOR
        | {
            "steps": ["weights"],
            "explain": [{"step": "weights", "row": 3, "column": 1}],
            "significant_digits": 4,
        },
    ),
    Example(
        "cross_attention",
        "Queries of one text, keys and values of another",
        {
            "X": [[1, 0]],
            "context": {"tokens": ["I", "have", "seen"], "X": [[0, 1], [1, 1], [2, 0]]},
            "W_Q": [[1, 0], [0, 1]],
            "W_K": [[1, 0], [0, 1]],
            "W_V": [[1, 1]],
            "steps": ["weights", "head"],
        },
    ),
    Example(
        "ready_queries",
        "Q, K and V themselves, with a scale of one's own; the second key is padding",
        {
            "Q": [[1, 2]],
            "K": [[3, -1], [0, 1], [1, 1]],
            "V": [[1], [2], [3]],
            "scale": 1,
            "mask": {"keep_keys": [True, False, True]},
            "steps": ["scaled", "masked", "weights", "head"],
        },
    ),
)
