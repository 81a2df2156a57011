"""What a caller gives of a block and of the model around it; all that is None is left out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.engine.fully_masked import ZEROS
from service.engine.layernorm import EPS
from service.engine.mask import Mask
from service.engine.positions.alibi import Slopes
from service.engine.positions.rotary import BASE, Rotary
from service.engine.projection import OUT_IN
from service.engine.trace import Array

ENCODER, DECODER, GPT = "encoder", "decoder", "gpt"
POST, PRE = "post", "pre"


class Norm(NamedTuple):
    """Gain and bias of a norm, each 1 × d_model."""

    gamma: Array | None = None
    beta: Array | None = None


class Norms(NamedTuple):
    """The norm of each sublayer."""

    attention: Norm = Norm()
    cross: Norm = Norm()
    mlp: Norm = Norm()


class PackedHeads(NamedTuple):
    """The heads of one attention sublayer, packed; `mask` holds the members of a Mask."""

    n_heads: int | None = None
    n_kv_heads: int | None = None
    W_Q: Array | None = None
    W_K: Array | None = None
    W_V: Array | None = None
    W_O: Array | None = None
    b_Q: Array | None = None
    b_K: Array | None = None
    b_V: Array | None = None
    b_O: Array | None = None
    mask: Mapping[str, Any] | None = None


class Mlp(NamedTuple):
    """The matrices on both sides of the hidden layer; W_gate for a gated activation."""

    W_up: Array | None = None
    b_up: Array | None = None
    W_gate: Array | None = None
    b_gate: Array | None = None
    W_down: Array | None = None
    b_down: Array | None = None
    activation: str | None = None


class Block(NamedTuple):
    """One block. `cross` is a decoder's attention to the context."""

    attention: PackedHeads
    mlp: Mlp
    cross: PackedHeads | None = None
    norms: Norms = Norms()
    kind: str | None = None
    name: str | None = None


class Shared(NamedTuple):
    """What holds for every block that does not say otherwise.

    placement and activation, if left out, are those of the model that the kind stands for: pre
    and gelu_tanh for gpt (GPT-2), post and relu for the others (the original transformer).
    """

    kind: str = GPT
    placement: str | None = None
    activation: str | None = None
    norm: str = "layer"
    eps: float = EPS
    weights_layout: str = OUT_IN
    n_heads: int | None = None
    n_kv_heads: int | None = None
    mask: Mapping[str, Any] | None = None
    scale: float | None = None
    softcap: float | None = None
    rotary: Rotary | None = None
    alibi: Slopes | None = None
    fully_masked_rows: str = ZEROS

    def placement_of(self, kind: str) -> str:
        """Where the norm stands in a block of this kind."""
        return self.placement or (PRE if kind == GPT else POST)

    def activation_of(self, kind: str) -> str:
        """The activation of a block of this kind."""
        return self.activation or ("gelu_tanh" if kind == GPT else "relu")

    def self_mask(self, kind: str, heads: PackedHeads) -> Mask | None:
        """The mask of a self-attention: the block's own or the shared one.

        In a decoder and in gpt it is causal unless it says `causal` itself.
        """
        members = self.mask if heads.mask is None else heads.mask
        if kind == ENCODER:
            return None if members is None else Mask(**members)
        return Mask(**{"causal": True, **(members or {})})


class Sinusoidal(NamedTuple):
    """The paper's positions; offset is the position of the first token."""

    base: float = BASE
    offset: int = 0


class Frame(NamedTuple):
    """What stands before the first block and after the last one.

    token_ids index the rows of `embedding`; positions are learned (a row of position_embedding
    for each token) or sinusoidal. Without `unembedding`, logits are made with the embedding.
    """

    token_ids: list[int] | None = None
    embedding: Array | None = None
    position_embedding: Array | None = None
    sinusoidal: Sinusoidal | None = None
    final_norm: Norm | None = None
    unembedding: Array | None = None
    vocabulary: list[str] | None = None
