"""POST /v1/layernorm."""

from marshmallow import fields

from service.schemas import replies
from service.schemas.bounds import Range
from service.schemas.fields import Choice, Labels, Number, Text
from service.schemas.matrices import Matrix, Vector
from service.schemas.trace import TraceRequest


class LayerNormRequest(TraceRequest):
    """x, what a sublayer adds to it, and how the result is normalised."""

    x = Matrix("n × d: a row for each token, one row for a single vector.", required=True)
    delta = Matrix("What the sublayer adds, n × d; without it there is only the norm.")
    delta_factor = Number("Multiplies delta. Default 1.")
    gamma = Vector("The gain, d numbers; all 1 if left out.")
    beta = Vector("The bias, d numbers; all 0 if left out.")
    eps = Number(
        "Inside the root, greater than 0. Default 1e-5.", validate=Range(min=0, min_inclusive=False)
    )
    norm = Choice("LayerNorm or RMSNorm. Default layer.", ("layer", "rms"))
    placement = Choice(
        "post: the norm of x + delta, as in the paper. pre: x + delta, where the sublayer was"
        " given the norm of x, as in GPT-2. Default post.",
        ("post", "pre"),
    )
    tokens = Labels("A label for each row.")
    features = Labels("A label for each column.")


class StageStatistics(replies.Reply):
    """Of each row at one stage."""

    mean = fields.List(Number("Of one row."), required=True)
    variance = fields.List(Number("Population variance of one row."), required=True)


class LayerNormConventions(replies.ShownConventions):
    """What was used, defaults included."""

    norm = Text("layer or rms.", required=True)
    placement = Text("post or pre.", required=True)
    eps = Number("What was added inside the root.", required=True)
    delta_factor = Number("What delta was multiplied by.", required=True)
    variance = Text("population: the mean of the squares, over d and not d - 1.", required=True)


class LayerNormTrace(replies.Trace):
    """x, delta, sum, mean, variance, normalised, output, and the statistics of the stages."""

    conventions = fields.Nested(LayerNormConventions, required=True)
    statistics = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(StageStatistics),
        required=True,
        metadata={"description": "By stage: x, sum, normalised, output."},
    )
