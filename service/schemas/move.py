"""POST /v1/move."""

from marshmallow import fields

from service.schemas import replies
from service.schemas.fields import Flag, Labels, Number, Text, Whole
from service.schemas.matrices import Matrix, Vector
from service.schemas.trace import TraceRequest


class MoveRequest(TraceRequest):
    """An embedding, the values that it is given, and with which weights."""

    x = Vector("The embedding, d numbers.", required=True)
    V = Matrix("The values, n × d: a row for each token that is attended to.", required=True)
    weights = Vector("A weight for each value, n numbers; any numbers are taken.", required=True)
    target = Vector("Where it should come to, d numbers.")
    tokens = Labels("A label for each value.")
    features = Labels("A label for each of the d numbers.")


class AttentionWeights(replies.Reply):
    """Whether numbers can be attention weights: each at least 0, the sum at most 1."""

    holds = Flag("Whether they can.", required=True)
    sum = Number("Their sum.", required=True)
    rest = Number("1 less their sum: what stays with the token itself.", required=True)
    failing = fields.List(
        fields.Nested(replies.Warning),
        required=True,
        metadata={"description": "negative_weight, sum_above_1: each condition that fails."},
    )


class Towards(replies.Reply):
    """How near the embedding is to the target, before it moves and after."""

    distance_before = Number("‖x − target‖.", required=True)
    distance_after = Number("‖moved − target‖.", required=True)
    angle_before = Number("Between x and target, in degrees; left out for a zero vector.")
    angle_after = Number("Between moved and target, in degrees; left out for a zero vector.")


class Reaching(replies.Reply):
    """The weights that bring the embedding nearest to the target: least squares."""

    weights = fields.List(Number("A weight for each value."), required=True)
    lands_on = fields.List(Number("Where they bring it."), required=True)
    distance = Number("From there to the target.", required=True)
    exact = Flag("Whether it is the target, but for rounding.", required=True)
    unique = Flag(
        "Whether no other weights come as near; else those with the least sum of squares are"
        " given.",
        required=True,
    )
    rank = Whole("In how many independent directions the values point.", required=True)
    attention_weights = fields.Nested(AttentionWeights, required=True)


class MoveConventions(replies.ShownConventions):
    """How things were measured."""

    angle = Text("degrees.", required=True)
    tolerance = Number("By how much rounding may break a condition.", required=True)


class MoveTrace(replies.Trace):
    """x, V, weights, contributions, update, moved, and the way to the target."""

    conventions = fields.Nested(MoveConventions, required=True)
    attention_weights = fields.Nested(AttentionWeights, required=True)
    towards = fields.Nested(Towards, metadata={"description": "Where there is a target."})
    reaching = fields.Nested(Reaching, metadata={"description": "Where there is a target."})
