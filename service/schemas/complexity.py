"""POST /v1/complexity."""

from marshmallow import fields

from service.schemas.base import Request
from service.schemas.bounds import Range
from service.schemas.exact import Exact
from service.schemas.fields import Flag, Labels, Number, Text, Whole
from service.schemas.replies import Reply

MAX_SIZE = 10**9
_SIZE = Range(1, MAX_SIZE)


class ComplexityRequest(Request):
    """A text of n tokens of width d."""

    n = Whole("Tokens in the text.", required=True, validate=_SIZE)
    d = Whole("Width of a token's vector, the d of table 1.", required=True, validate=_SIZE)
    k = Whole("Width of a convolution's kernel. Default 3.", validate=Range(2, MAX_SIZE))
    r = Whole(
        "How many neighbours restricted self-attention sees, at most n. Default 16, or n if that"
        " is less.",
        validate=_SIZE,
    )
    n_other = Whole("Another length, whose scores are put beside. Default 2 n.", validate=_SIZE)
    n_heads = Whole("Heads a layer. Default 96, as in GPT-3.", validate=_SIZE)
    n_layers = Whole("Layers. Default 96, as in GPT-3.", validate=_SIZE)
    bytes_per_value = Whole("For the sizes in bytes. Default 2.", validate=Range(1, 64))
    from_word = Whole("One of two words, counted from 1. Default 1.", validate=_SIZE)
    to_word = Whole("The other word. Default n.", validate=_SIZE)


class Term(Exact):
    """A leading term, without constant factors."""

    formula = Text("In LaTeX.", required=True)
    substituted = Text("The same with numbers.", required=True)
    value = Number("What it comes to. Beyond 2^63 rounded, see exact.", required=True)
    layers = Whole("A path in whole layers, where the term is not always whole.")


class Layer(Reply):
    """A row of table 1."""

    name = Text(
        "self_attention, recurrent, convolutional, convolutional_contiguous,"
        " convolutional_separable or self_attention_restricted.",
        required=True,
    )
    title = Text("In words.", required=True)
    work = fields.Nested(Term, required=True)
    sequential = fields.Nested(Term, required=True)
    path = fields.Nested(Term, required=True)
    remark = Text("What to know.", required=True)


class Crossover(Exact):
    """Where the work of two layers is equal, and which does less now."""

    layers = Labels(
        "The one that does less work where the condition holds; the other.", required=True
    )
    condition = Text("In LaTeX.", required=True)
    substituted = Text("The same with numbers, and the sign that is true of them.", required=True)
    holds = Flag("Whether the condition holds.", required=True)
    variable = Text("What is compared: n or r.", required=True)
    turns_at = Number("The value of it at which both do the same work.", required=True)
    less_work = Text("The layer that does less work; left out where they are equal.")


class ScoreCounts(Exact):
    """The n² price: a score for each pair of tokens."""

    n = Whole("Tokens.", required=True)
    per_head = Number("n².", required=True)
    per_layer = Number("All heads of a layer.", required=True)
    total = Number("All heads of all layers.", required=True)
    bytes_per_head = Number("For the scores of a head.", required=True)
    bytes_total = Number("For all scores at once.", required=True)


class WordsApart(Reply):
    """How many steps it takes from one word to another."""

    from_word = Whole("Counted from 1.", required=True)
    to_word = Whole("Counted from 1.", required=True)
    recurrent = Whole("One word after the other.", required=True)
    self_attention = Whole("1: all words at once.", required=True)
    convolutional = Whole("Layers of a dilated convolution that span both.", required=True)


class ComplexityConventions(Reply):
    """What was used, defaults included, and what is counted."""

    n = Whole("Tokens.", required=True)
    d = Whole("Width.", required=True)
    k = Whole("Kernel.", required=True)
    r = Whole("Neighbours.", required=True)
    n_other = Whole("The other length.", required=True)
    n_heads = Whole("Heads a layer.", required=True)
    n_layers = Whole("Layers.", required=True)
    bytes_per_value = Whole("For the sizes in bytes.", required=True)
    counts = Text("What the terms are, and are not.", required=True)
    source = Text("Where the table is from.", required=True)


class ComplexityReply(Reply):
    """Table 1 with numbers put in."""

    layers = fields.List(fields.Nested(Layer), required=True)
    crossovers = fields.List(fields.Nested(Crossover), required=True)
    scores = fields.Nested(ScoreCounts, required=True)
    scores_other = fields.Nested(ScoreCounts, required=True)
    factor = fields.Nested(Term, required=True)
    words_apart = fields.Nested(WordsApart, required=True)
    conventions = fields.Nested(ComplexityConventions, required=True)
