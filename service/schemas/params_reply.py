"""GET and POST /v1/params: what is replied. All counts are exact integers."""

from typing import Any

from marshmallow import fields

from service.schemas.exact import Exact
from service.schemas.fields import Flag, Labels, Number, Text, Whole
from service.schemas.replies import Reply


def _count(about: str, **kwargs: Any) -> Whole:
    return Whole(about, required=True, **kwargs)


def _cost(about: str) -> Number:
    return Number(f"{about} A whole number; beyond 2^63 rounded, see exact.", required=True)


class Split(Exact):
    """A sum, and its parts by kind."""

    weights = _count("Weights.")
    biases = _count("Biases.")
    norms = _count("Gains and biases of norms.")
    total = _count("All of them.")


class Component(Exact):
    """One kind of matrix; count × times = total."""

    name = Text("W_Q, W_up, attention_norm.gamma and others.", required=True)
    stack = Text("model, encoder or decoder.", required=True)
    group = Text("embedding, positions, attention, mlp, norm or unembedding.", required=True)
    kind = Text("weight, bias or norm.", required=True)
    shape = fields.List(Whole("Rows, then columns."), required=True)
    formula = Text("The count of one, in LaTeX.", required=True)
    substituted = Text("The same with numbers.", required=True)
    count = _count("The numbers in one.")
    per = Text("What one is for: head, layer or model.", required=True)
    times = _count("How many there are.")
    times_formula = Text("How many there are, in LaTeX.", required=True)
    times_substituted = Text("The same with numbers.", required=True)
    total = _count("count × times.")


class LayerTotals(Reply):
    """One layer of a stack."""

    stack = Text("encoder or decoder.", required=True)
    n_layers = _count("How many layers the stack has.")
    attention = fields.Nested(Split, required=True)
    mlp = fields.Nested(Split, required=True)
    norm = fields.Nested(Split, required=True)
    layer = fields.Nested(Split, required=True)


class Totals(Split):
    """Subtotals, then the whole model."""

    n_heads_total = _count("Heads in the whole model.")
    per_head = fields.Nested(Split, required=True)
    per_layer = fields.List(fields.Nested(LayerTotals), required=True)
    layers = fields.Nested(Split, required=True)
    groups = fields.Dict(keys=fields.String(), values=fields.Nested(Split), required=True)
    non_embedding = _count("Without the embedding, position and unembedding tables.")


class Published(Reply):
    """What a paper prints. It is never an input: the two may differ."""

    value = _count("The number.")
    text = Text("As printed.", required=True)
    source = Text("Where.", required=True)
    remark = Text("What to know when comparing.", required=True)


class Scores(Exact):
    """Attention scores for a full context."""

    n = _cost("Tokens.")
    n_attentions = _cost("Attentions in the model: one a layer, two where there is a cross one.")
    per_head = _cost("n².")
    per_layer = _cost("All heads of one attention.")
    total = _cost("The whole model.")
    causal_visible_per_head = _cost("n (n + 1) / 2: the pairs that a causal mask shows.")
    causal_visible_per_layer = _cost("All heads of one attention.")
    causal_visible_total = _cost("The whole model; only masked attentions are halved.")
    bytes_per_head = _cost("For a table of all scores of a head.")
    bytes_total = _cost("For all tables at once.")


class Flops(Exact):
    """A forward pass over a full context; a multiply-add counts as two."""

    n = _cost("Tokens.")
    attention_projections = _cost("Q, K, V and output.")
    scores = _cost("Q Kᵀ.")
    weighted_sum = _cost("A V.")
    mlp = _cost("The MLPs.")
    logits = _cost("The unembedding.")
    total = _cost("All of them.")


class KvCache(Exact):
    """Keys and values kept while tokens are generated."""

    bytes_per_value = _cost("As asked.")
    values_per_token = _cost("Numbers for one token.")
    bytes_per_token = _cost("For one token.")
    bytes_per_source_token = _cost("For one token of the source, with cross-attention.")
    bytes_at_context = _cost("For a full context.")


class ParamsConventions(Reply):
    """The configuration with every default filled in, and how things are counted."""

    architecture = Text("decoder_only, encoder_only or encoder_decoder.", required=True)
    d_model = _count("Numbers in an embedding.")
    n_encoder_layers = _count("0 without an encoder.")
    n_decoder_layers = _count("0 without a decoder.")
    n_heads = _count("Heads a layer.")
    n_kv_heads = _count("Key/value heads a layer.")
    d_head = _count("Width of a query and a key.")
    d_v = _count("Width of a value.")
    d_ff = _count("Hidden width of the MLP.")
    vocab_size = _count("Tokens in the vocabulary.")
    context = _count("Tokens in a context.")
    tied = Flag("Whether the unembedding is the embedding.", required=True)
    attention_biases = Flag("Biases of attention.", required=True)
    mlp_biases = Flag("Biases of the MLP.", required=True)
    norm = Text("layer, rms or none.", required=True)
    norm_beta = Flag("Whether a norm has a bias.", required=True)
    final_norm = Flag("A norm after the last layer.", required=True)
    positions = Text("learned, sinusoidal, rotary, alibi or none.", required=True)
    mlp = Text("plain or gated.", required=True)
    bytes_per_value = _count("For the sizes in bytes.")
    flop_per_multiply_add = _count("2.")
    weights_layout = Text("Of the shapes.", required=True)
    unembedding_bias = Flag("Whether it is counted.", required=True)


class ParamsReply(Reply):
    """Components, totals and costs."""

    components = fields.List(fields.Nested(Component), required=True)
    totals = fields.Nested(Totals, required=True)
    published = fields.Nested(Published, metadata={"description": "Left out for no preset."})
    scores = fields.Nested(Scores, required=True)
    flops = fields.Nested(Flops, required=True)
    kv_cache = fields.Nested(KvCache, required=True)
    warnings = Labels("What is lawful but worth knowing.", required=True)
    conventions = fields.Nested(ParamsConventions, required=True)
