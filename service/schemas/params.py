"""GET and POST /v1/params: what is asked."""

from service.schemas.base import Request
from service.schemas.bounds import Range
from service.schemas.fields import Choice, Flag, Text, Whole

PRESETS = (
    "transformer-base, transformer-big, gpt2, gpt2-medium, gpt2-large, gpt2-xl, gpt3-small,"
    " gpt3-medium, gpt3-large, gpt3-xl, gpt3-2.7b, gpt3-6.7b, gpt3-13b, gpt3, llama2-7b, llama2-70b"
)
MAX_SIZE = 10**9
_SIZE = Range(1, MAX_SIZE)


class PresetQuery(Request):
    """A preset by name."""

    preset = Text(
        f"One of {PRESETS}.",
        required=True,
        error_messages={"required": f"Which preset? ?preset=gpt3 is one. Known: {PRESETS}."},
    )


class ParamsRequest(Request):
    """A configuration, or a preset with some of its switches changed."""

    preset = Text(f"A preset to start from; the members beside it change it. One of {PRESETS}.")
    architecture = Choice(
        "Default decoder_only.", ("decoder_only", "encoder_only", "encoder_decoder")
    )
    d_model = Whole("Numbers in an embedding. Needed without a preset.", validate=_SIZE)
    n_layers = Whole("Layers of the one stack, or of each of two.", validate=_SIZE)
    n_encoder_layers = Whole("n_layers if left out.", validate=_SIZE)
    n_decoder_layers = Whole("n_layers if left out.", validate=_SIZE)
    n_heads = Whole("Heads a layer. Needed without a preset.", validate=_SIZE)
    n_kv_heads = Whole("Key/value heads a layer; n_heads if left out.", validate=_SIZE)
    d_head = Whole("Width of a head; d_model / n_heads if left out.", validate=_SIZE)
    d_v = Whole("Width of a value; d_head if left out.", validate=_SIZE)
    d_ff = Whole("Hidden width of the MLP; 4 · d_model if left out.", validate=_SIZE)
    vocab_size = Whole("Tokens in the vocabulary. Needed without a preset.", validate=_SIZE)
    context = Whole("Tokens in a context. Needed without a preset.", validate=_SIZE)
    tied = Flag("Whether the unembedding is the embedding. Default true.")
    biases = Flag("Biases everywhere, or nowhere. Default true.")
    attention_biases = Flag("biases if left out.")
    mlp_biases = Flag("biases if left out.")
    norm = Choice("Default layer.", ("layer", "rms", "none"))
    norm_beta = Flag("Whether a norm has a bias; LayerNorm has, RMSNorm has not.")
    final_norm = Flag("A norm after the last layer. Default true.")
    positions = Choice(
        "Only learned positions have weights. Default learned.",
        ("learned", "sinusoidal", "rotary", "alibi", "none"),
    )
    mlp = Choice("gated has three matrices, as SwiGLU. Default plain.", ("plain", "gated"))
    bytes_per_value = Whole("For the sizes in bytes. Default 2.", validate=Range(1, 64))
