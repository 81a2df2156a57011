"""Every weight matrix and vector of a model, with its shape and how often it occurs.

Shapes are out × in (W is applied as W·x), a vector is one row, a table has one row per entry.
"""

from functools import cache
from math import prod
from typing import Literal, NamedTuple

from service.engine.params.configuration import Model

Group = Literal["embedding", "positions", "attention", "mlp", "norm", "unembedding"]
Kind = Literal["weight", "bias", "norm"]
Per = Literal["head", "layer", "model"]
Where = Literal["encoder", "decoder", "model"]


class Dim(NamedTuple):
    """A size under the name it has in formulas (LaTeX)."""

    symbol: str
    size: int


ONE = Dim("1", 1)


class Stack(NamedTuple):
    name: Literal["encoder", "decoder"]
    prefix: str
    layers: Dim
    attentions: tuple[str, ...]


class Component(NamedTuple):
    """One kind of matrix: `shape` is one of them, `copies` the factors that say how many.

    One holds `size` numbers, there are `times` of them, and all hold `total`.
    """

    name: str
    stack: Where
    group: Group
    kind: Kind
    shape: tuple[Dim, Dim]
    per: Per
    copies: tuple[Dim, ...]
    size: int
    times: int
    total: int


def component(
    name: str,
    stack: Where,
    group: Group,
    kind: Kind,
    shape: tuple[Dim, Dim],
    per: Per,
    copies: tuple[Dim, ...] = (),
) -> Component:
    """A component, counted."""
    size, times = shape[0].size * shape[1].size, prod([factor.size for factor in copies])
    return Component(name, stack, group, kind, shape, per, copies, size, times, size * times)


def dim(name: str, size: int) -> Dim:
    """dim("d_model", 512) is written d_{\\mathrm{model}}."""
    return Dim(_symbol(name), size)


@cache
def _symbol(name: str) -> str:
    letter, _, index = name.partition("_")
    index = index.replace("_", r"\,")
    return f"{letter}_{{\\mathrm{{{index}}}}}" if len(index) > 1 else f"{letter}_{index}"


def stacks(model: Model) -> list[Stack]:
    """The stacks a model has, encoder first. Only where there are two do names carry a prefix.

    In an encoder-decoder each decoder layer has a second attention, over the encoder's output
    (Vaswani et al. 2017, section 3.1).
    """
    if model.architecture == "encoder_decoder":
        encoder = dim("n_encoder_layers", model.n_encoder_layers)
        decoder = dim("n_decoder_layers", model.n_decoder_layers)
        return [
            Stack("encoder", "encoder.", encoder, ("",)),
            Stack("decoder", "decoder.", decoder, ("", "cross.")),
        ]
    if model.architecture == "encoder_only":
        return [Stack("encoder", "", dim("n_layers", model.n_encoder_layers), ("",))]
    return [Stack("decoder", "", dim("n_layers", model.n_decoder_layers), ("",))]


def attention(model: Model, stack: Stack, prefix: str = "") -> list[Component]:
    """The projections of one attention: 2 n_heads d_head d_model (Q, K) + 2 n_heads d_v d_model
    (V, O) weights where every head has its own keys and values. W_V maps down, W_O back up
    (Vaswani et al. 2017, section 3.2.2; grouped heads: Ainslie et al. 2023, section 2.2)."""
    d_model = dim("d_model", model.d_model)
    d_head = dim("d_head", model.d_head)
    d_v = d_head if model.d_v == model.d_head else dim("d_v", model.d_v)
    heads = dim("n_heads", model.n_heads)
    own_keys = model.n_kv_heads == model.n_heads
    kv_heads = heads if own_keys else dim("n_kv_heads", model.n_kv_heads)
    rows: list[tuple[str, Kind, tuple[Dim, Dim], Per, tuple[Dim, ...]]] = [
        ("W_Q", "weight", (d_head, d_model), "head", (stack.layers, heads)),
        ("W_K", "weight", (d_head, d_model), "head", (stack.layers, kv_heads)),
        ("W_V", "weight", (d_v, d_model), "head", (stack.layers, kv_heads)),
        ("W_O", "weight", (d_model, d_v), "head", (stack.layers, heads)),
    ]
    if model.attention_biases:
        rows += [
            ("b_Q", "bias", (ONE, d_head), "head", (stack.layers, heads)),
            ("b_K", "bias", (ONE, d_head), "head", (stack.layers, kv_heads)),
            ("b_V", "bias", (ONE, d_v), "head", (stack.layers, kv_heads)),
            # The heads' updates are added before b_O is, so a layer has one, not one a head.
            ("b_O", "bias", (ONE, d_model), "layer", (stack.layers,)),
        ]
    return [
        component(stack.prefix + prefix + name, stack.name, "attention", kind, shape, per, copies)
        for name, kind, shape, per, copies in rows
    ]


def mlp(model: Model, stack: Stack) -> list[Component]:
    """Up and down, 2 d_model d_ff (Vaswani et al. 2017, section 3.3); the gated one has a third
    matrix, 3 d_model d_ff (Shazeer 2020, section 2)."""
    d_model, d_ff = dim("d_model", model.d_model), dim("d_ff", model.d_ff)
    maps = [("up", d_ff, d_model), ("down", d_model, d_ff)]
    if model.mlp == "gated":
        maps.insert(0, ("gate", d_ff, d_model))
    kinds: list[tuple[str, Kind]] = [("W", "weight")]
    if model.mlp_biases:
        kinds.append(("b", "bias"))
    return [
        component(
            f"{stack.prefix}{letter}_{name}",
            stack.name,
            "mlp",
            kind,
            (rows if kind == "weight" else ONE, columns if kind == "weight" else rows),
            "layer",
            (stack.layers,),
        )
        for letter, kind in kinds
        for name, rows, columns in maps
    ]


def norms(model: Model, stack: Stack) -> list[Component]:
    """One norm for each sub-layer, and the final one: γ and β, d_model each (Ba et al. 2016,
    section 3); RMSNorm has γ alone (Zhang and Sennrich 2019, section 4)."""
    if model.norm == "none":
        return []
    places: list[tuple[str, Per, tuple[Dim, ...]]] = [
        *((f"{prefix}attention_norm", "layer", (stack.layers,)) for prefix in stack.attentions),
        ("mlp_norm", "layer", (stack.layers,)),
    ]
    if model.final_norm:
        places.append(("final_norm", "model", ()))
    vector = (ONE, dim("d_model", model.d_model))
    return [
        component(f"{stack.prefix}{place}.{part}", stack.name, "norm", "norm", vector, per, copies)
        for place, per, copies in places
        for part in (("gamma", "beta") if model.norm_beta else ("gamma",))
    ]


def components(model: Model) -> list[Component]:
    """All components in the order in which a token meets them; shared ones are listed once."""
    present = stacks(model)
    table = (dim("n_vocab", model.vocab_size), dim("d_model", model.d_model))
    places = (dim("n_context", model.context), dim("d_model", model.d_model))
    found = []
    if model.tied:
        # One matrix for source, target and output (Vaswani et al. 2017, section 3.4).
        found.append(component("W_E", "model", "embedding", "weight", table, "model"))
    for stack in present:
        if not model.tied:
            name = stack.prefix + "W_E"
            found.append(component(name, stack.name, "embedding", "weight", table, "model"))
        if model.positions == "learned":
            name = stack.prefix + "W_P"
            found.append(component(name, stack.name, "positions", "weight", places, "model"))
        for prefix in stack.attentions:
            found += attention(model, stack, prefix)
        found += [*mlp(model, stack), *norms(model, stack)]
    if not model.tied:
        found.append(component("W_U", "model", "unembedding", "weight", table, "model"))
    return found
