"""Which weight matrices and vectors a model has, and of what shape: all that its switches decide.

Sizes go by their names here; components.py puts the numbers in. Shapes are out × in (W is applied
as W·x), a vector is one row, a table has one row per entry.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from service.engine.params.configuration import Architecture, Mlp, Norm

Group = Literal["embedding", "positions", "attention", "mlp", "norm", "unembedding"]
Kind = Literal["weight", "bias", "norm"]
Per = Literal["head", "layer", "model"]
Where = Literal["encoder", "decoder", "model"]
# Two sizes that are multiplied.
Factors = tuple[str, str]

ONE = "1"
ONCE = (ONE, ONE)
# Of the layouts that were asked for last, with what is derived from them: 40 kB each at most.
LAYOUTS_KEPT = 64


class Switches(NamedTuple):
    """What of a model decides which matrices it has, and which sizes have a name of their own."""

    architecture: Architecture
    tied: bool
    learned_positions: bool
    attention_biases: bool
    mlp_biases: bool
    norm: Norm
    norm_beta: bool
    final_norm: bool
    mlp: Mlp
    grouped: bool  # several heads share keys and values
    own_d_v: bool  # values are not as wide as keys


class Stack(NamedTuple):
    name: Literal["encoder", "decoder"]
    prefix: str
    layers: str
    attentions: tuple[str, ...]


class Part(NamedTuple):
    """One kind of matrix: `shape` is one of them, `copies` the factors that say how many."""

    name: str
    stack: Where
    group: Group
    kind: Kind
    shape: Factors
    per: Per
    copies: Factors


@dataclass(frozen=True, eq=False)
class Layout:
    """The stacks and parts of every model with the same switches.

    A layout is made once and is equal to itself alone, so that what is derived from it can be kept.
    """

    stacks: list[Stack]
    parts: list[Part]


@lru_cache(maxsize=LAYOUTS_KEPT)
def layout(switches: Switches) -> Layout:
    """All parts in the order in which a token meets them; shared ones are listed once."""

    def table(name: str, stack: Where, group: Group, rows: str) -> Part:
        return Part(name, stack, group, "weight", (rows, "d_model"), "model", ONCE)

    present = stacks(switches.architecture)
    found = []
    if switches.tied:
        # One matrix for source, target and output (Vaswani et al. 2017, section 3.4).
        found.append(table("W_E", "model", "embedding", "n_vocab"))
    for stack in present:
        if not switches.tied:
            found.append(table(stack.prefix + "W_E", stack.name, "embedding", "n_vocab"))
        if switches.learned_positions:
            found.append(table(stack.prefix + "W_P", stack.name, "positions", "n_context"))
        for prefix in stack.attentions:
            found += attention(switches, stack, prefix)
        found += [*mlp(switches, stack), *norms(switches, stack)]
    if not switches.tied:
        found.append(table("W_U", "model", "unembedding", "n_vocab"))
    return Layout(present, found)


def stacks(architecture: Architecture) -> list[Stack]:
    """The stacks a model has, encoder first. Only where there are two do names carry a prefix.

    In an encoder-decoder each decoder layer has a second attention, over the encoder's output
    (Vaswani et al. 2017, section 3.1).
    """
    if architecture == "encoder_decoder":
        return [
            Stack("encoder", "encoder.", "n_encoder_layers", ("",)),
            Stack("decoder", "decoder.", "n_decoder_layers", ("", "cross.")),
        ]
    name: Literal["encoder", "decoder"] = "encoder" if architecture == "encoder_only" else "decoder"
    return [Stack(name, "", "n_layers", ("",))]


def attention(switches: Switches, stack: Stack, prefix: str) -> list[Part]:
    """The projections of one attention: 2 n_heads d_head d_model (Q, K) + 2 n_heads d_v d_model
    (V, O) weights where every head has its own keys and values. W_V maps down, W_O back up
    (Vaswani et al. 2017, section 3.2.2; grouped heads: Ainslie et al. 2023, section 2.2)."""
    d_v = "d_v" if switches.own_d_v else "d_head"
    heads = (stack.layers, "n_heads")
    kv_heads = (stack.layers, "n_kv_heads") if switches.grouped else heads
    rows: list[tuple[str, Kind, Factors, Per, Factors]] = [
        ("W_Q", "weight", ("d_head", "d_model"), "head", heads),
        ("W_K", "weight", ("d_head", "d_model"), "head", kv_heads),
        ("W_V", "weight", (d_v, "d_model"), "head", kv_heads),
        ("W_O", "weight", ("d_model", d_v), "head", heads),
    ]
    if switches.attention_biases:
        rows += [
            ("b_Q", "bias", (ONE, "d_head"), "head", heads),
            ("b_K", "bias", (ONE, "d_head"), "head", kv_heads),
            ("b_V", "bias", (ONE, d_v), "head", kv_heads),
            # The heads' updates are added before b_O is, so a layer has one, not one a head.
            ("b_O", "bias", (ONE, "d_model"), "layer", (stack.layers, ONE)),
        ]
    return [
        Part(stack.prefix + prefix + name, stack.name, "attention", kind, shape, per, copies)
        for name, kind, shape, per, copies in rows
    ]


def mlp(switches: Switches, stack: Stack) -> list[Part]:
    """Up and down, 2 d_model d_ff (Vaswani et al. 2017, section 3.3); the gated one has a third
    matrix, 3 d_model d_ff (Shazeer 2020, section 2)."""
    maps = [("up", "d_ff", "d_model"), ("down", "d_model", "d_ff")]
    if switches.mlp == "gated":
        maps.insert(0, ("gate", "d_ff", "d_model"))
    found: list[tuple[str, Kind, Factors]] = [
        (f"W_{name}", "weight", (rows, columns)) for name, rows, columns in maps
    ]
    if switches.mlp_biases:
        found += [(f"b_{name}", "bias", (ONE, rows)) for name, rows, _ in maps]
    return [
        Part(stack.prefix + name, stack.name, "mlp", kind, shape, "layer", (stack.layers, ONE))
        for name, kind, shape in found
    ]


def norms(switches: Switches, stack: Stack) -> list[Part]:
    """One norm for each sub-layer, and the final one: γ and β, d_model each (Ba et al. 2016,
    section 3); RMSNorm has γ alone (Zhang and Sennrich 2019, section 4)."""
    if switches.norm == "none":
        return []
    each = (stack.layers, ONE)
    places: list[tuple[str, Per, Factors]] = [
        *((f"{prefix}attention_norm", "layer", each) for prefix in stack.attentions),
        ("mlp_norm", "layer", each),
    ]
    if switches.final_norm:
        places.append(("final_norm", "model", ONCE))
    vector = (ONE, "d_model")
    return [
        Part(f"{stack.prefix}{place}.{part}", stack.name, "norm", "norm", vector, per, copies)
        for place, per, copies in places
        for part in (("gamma", "beta") if switches.norm_beta else ("gamma",))
    ]
