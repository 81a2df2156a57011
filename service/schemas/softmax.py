"""POST /v1/softmax."""

from marshmallow import fields

from service.schemas import replies
from service.schemas.bounds import Length, Range
from service.schemas.fields import Labels, Number, Text, Whole, Wholes
from service.schemas.matrices import MaskedMatrix, Matrix
from service.schemas.trace import TraceRequest

MAX_SEED = 2**53 - 1
MAX_WIDTH = 1 << 14
MAX_WIDTHS = 64
MAX_KEYS = 1 << 10
MAX_DRAWS = 10**5


class SoftmaxRequest(TraceRequest):
    """Q and K, or scores, or a seed from which they are drawn."""

    Q = Matrix("Queries, n_q × d_k; sent with K.")
    K = Matrix("Keys, n_k × d_k.")
    scores = MaskedMatrix(
        "n_q × n_k raw scores, in place of Q and K; null is −∞ and has weight exactly 0."
    )
    d_k = Wholes(
        "With a seed, the widths to try; 2, 8, 64 and 512 if left out. With scores, the one width"
        " that they come from: they are divided by its root.",
        least=1,
        most=MAX_WIDTH,
        validate=Length(max=MAX_WIDTHS, noun="widths"),
    )
    seed = Whole(
        "Draws a query and keys, with standard normal entries. The same seed gives the same"
        " numbers on every machine.",
        validate=Range(0, MAX_SEED),
    )
    n_keys = Whole("With a seed, how many keys. Default 6.", validate=Range(1, MAX_KEYS))
    draws = Whole(
        "With a seed, over how many draws to average. Default 1000. (n_keys + 1) · draws · the sum"
        " of d_k may be 4,194,304 at most, and n_keys · draws, for each width, 262,144 in all.",
        validate=Range(1, MAX_DRAWS),
    )
    scale = Number(
        "What the scores are multiplied by, as it is. If left out: 1/√d_k, or 1 for scores without"
        " d_k."
    )
    temperature = Number(
        "Scores, raw and scaled, are divided by it before softmax; greater than 0. Default 1.",
        validate=Range(min=0, min_inclusive=False),
    )
    tokens = Labels("A label for each query.")
    keys = Labels("A label for each key.")


def _each(about: str) -> fields.List[float]:
    return fields.List(Number(f"{about} Of each row."), required=True)


class RowStatistics(replies.Reply):
    """What softmax made of each row; 0 for a row with nothing to see."""

    range = _each("Largest score less smallest, before the temperature.")
    standard_deviation = _each("Of the scores, population.")
    entropy = _each("Of the weights, -Σ p ln p, in nats; ln n_k where all are equal.")
    largest_weight = _each("The largest weight.")
    gradient_norm = _each("Frobenius norm of softmax's Jacobian, diag(p) - p pᵀ.")
    max_derivative = _each("The largest p (1 - p), and so the Jacobian's largest entry.")


class RawAndScaled(replies.Reply):
    """Of the scores as they are, and of the scaled ones."""

    raw = fields.Nested(RowStatistics, required=True)
    scaled = fields.Nested(RowStatistics, required=True)


class SoftmaxConventions(replies.ShownConventions):
    """What was used, defaults included."""

    scale = Number("What the scores were multiplied by.", required=True)
    scale_rule = Text("1/sqrt(d_k), given, or none.", required=True)
    temperature = Number("What all scores were divided by before softmax.", required=True)


class SoftmaxTrace(replies.Trace):
    """Q, K, scores, scaled, weights_raw, weights, with statistics of each row."""

    conventions = fields.Nested(SoftmaxConventions, required=True)
    statistics = fields.Nested(RawAndScaled, required=True)


def _over(about: str) -> Number:
    return Number(about, required=True)


class DrawStatistics(replies.Reply):
    """Over all scores of all draws, or the mean over the draws of what each row has."""

    mean = _over("Of the scores.")
    predicted_mean = _over("0.")
    variance = _over("Of the scores, population.")
    predicted_variance = _over("d_k for raw scores, scale² · d_k for scaled ones.")
    mean_range = _over("Of the range of a row.")
    mean_standard_deviation = _over("Of the standard deviation of a row.")
    mean_entropy = _over("Of the entropy of a row, in nats.")
    mean_largest_weight = _over("Of the largest weight.")
    mean_gradient_norm = _over("Of the norm of softmax's Jacobian.")
    mean_max_derivative = _over("Of the Jacobian's largest entry.")


class OverDraws(replies.Reply):
    """Many draws of one width."""

    raw = fields.Nested(DrawStatistics, required=True)
    scaled = fields.Nested(DrawStatistics, required=True)


class Experiment(replies.Reply):
    """Softmax of raw and of scaled scores, for one width."""

    d_k = Whole("Numbers in a query and in a key. Left out for scores of no known width.")
    trace = fields.Nested(SoftmaxTrace, required=True)
    over_draws = fields.Nested(
        OverDraws,
        metadata={"description": "Where numbers are drawn; the trace is the first draw."},
    )


class Drawn(replies.Reply):
    """How numbers were drawn."""

    seed = Whole("As asked.", required=True)
    n_keys = Whole("Keys in each draw.", required=True)
    draws = Whole("Draws for each width.", required=True)
    distribution = Text("standard normal.", required=True)
    construction = Text("How to draw the same numbers elsewhere.", required=True)


class SoftmaxReply(replies.Reply):
    """One experiment for numbers that were given, one for each width for numbers drawn."""

    experiments = fields.List(fields.Nested(Experiment), required=True)
    drawn = fields.Nested(Drawn, metadata={"description": "Left out for numbers that were given."})
