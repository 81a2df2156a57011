"""What to count: the switches as asked, and the model they describe once every default is known."""

from typing import Literal, NamedTuple

Architecture = Literal["decoder_only", "encoder_only", "encoder_decoder"]
Norm = Literal["layer", "rms", "none"]
Positions = Literal["learned", "sinusoidal", "rotary", "alibi", "none"]
Mlp = Literal["plain", "gated"]


class Configuration(NamedTuple):
    """The switches of a transformer. None means: follow from the others, as `resolve` says.

    The defaults are the GPT-2 layout: tied, biases everywhere, LayerNorm with γ and β, a final
    norm and learned positions. `biases` sets both kinds; `attention_biases` and `mlp_biases` set
    one. `norm_beta` false gives a LayerNorm without β.
    """

    d_model: int
    n_heads: int
    vocab_size: int
    context: int
    architecture: Architecture = "decoder_only"
    n_layers: int | None = None
    n_encoder_layers: int | None = None
    n_decoder_layers: int | None = None
    n_kv_heads: int | None = None
    d_head: int | None = None
    d_v: int | None = None
    d_ff: int | None = None
    tied: bool = True
    biases: bool = True
    attention_biases: bool | None = None
    mlp_biases: bool | None = None
    norm: Norm = "layer"
    norm_beta: bool | None = None
    final_norm: bool = True
    positions: Positions = "learned"
    mlp: Mlp = "plain"
    bytes_per_value: int = 2


class Model(NamedTuple):
    """A configuration with nothing left open; an absent stack has 0 layers."""

    architecture: Architecture
    d_model: int
    n_encoder_layers: int
    n_decoder_layers: int
    n_heads: int
    n_kv_heads: int
    d_head: int
    d_v: int
    d_ff: int
    vocab_size: int
    context: int
    tied: bool
    attention_biases: bool
    mlp_biases: bool
    norm: Norm
    norm_beta: bool
    final_norm: bool
    positions: Positions
    mlp: Mlp
    bytes_per_value: int
