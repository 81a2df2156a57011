"""Sums over components, each split into weights, biases and norms."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from service.engine.params.components import Row
from service.engine.params.configuration import Model
from service.engine.params.layout import LAYOUTS_KEPT, Layout

Rows = list[int]


class Held(NamedTuple):
    """What the layers of a stack hold in all."""

    attention: int
    attention_biases: int
    mlp: int
    mlp_biases: int
    norms: int


class Summed(NamedTuple):
    """Which rows of the table each sum is over."""

    stacks: list[list[Rows]]  # for each of them those of Held
    apart: list[Rows]  # the tables of each group, and the final norms
    one_head: list[Rows]  # its weights and its biases


def split(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """{"weights", "biases", "norms", "total"} from (kind, count) pairs."""
    sums = {"weight": 0, "bias": 0, "norm": 0}
    for kind, count in counts:
        sums[kind] += count
    return _split(*sums.values())


def totals(model: Model, layout: Layout, rows: list[Row]) -> dict[str, Any]:
    """Subtotals by head, by layer of each stack and by group, then the whole.

    `per_head` is one query head with keys and values of its own; `non_embedding` leaves out the
    embedding, position and unembedding tables.
    """
    summed = _summed(layout)
    in_all, in_one = [row["total"] for row in rows], [row["count"] for row in rows]
    stacks = [Held(*_sums(in_all, own)) for own in summed.stacks]
    held = Held(*map(sum, zip(*stacks, strict=True)))
    embedding, positions, unembedding, final_norms = _sums(in_all, summed.apart)
    layers = _layers(held)
    depths = [depth for depth in (model.n_encoder_layers, model.n_decoder_layers) if depth]
    weights = embedding + positions + layers["weights"] + unembedding
    return {
        "n_heads_total": model.n_heads * n_attentions(model),
        "per_head": _split(*_sums(in_one, summed.one_head)),
        "per_layer": [
            {"stack": stack.name, "n_layers": depth, **_one_layer(own, depth)}
            for stack, own, depth in zip(layout.stacks, stacks, depths, strict=True)
        ],
        "layers": layers,
        "groups": {
            "embedding": _split(embedding),
            "positions": _split(positions),
            "attention": _split(held.attention, held.attention_biases),
            "mlp": _split(held.mlp, held.mlp_biases),
            "norm": _split(norms=held.norms + final_norms),
            "unembedding": _split(unembedding),
        },
        "non_embedding": layers["total"] + final_norms,
        **_split(weights, layers["biases"], layers["norms"] + final_norms),
    }


def n_attentions(model: Model) -> int:
    """Attentions in the whole model; a decoder layer with cross-attention holds two."""
    in_a_decoder = 2 if model.architecture == "encoder_decoder" else 1
    return model.n_encoder_layers + in_a_decoder * model.n_decoder_layers


@lru_cache(maxsize=LAYOUTS_KEPT)
def _summed(layout: Layout) -> Summed:
    places = [
        ("apart" if part.per == "model" else part.stack, part.group, part.kind)
        for part in layout.parts
    ]

    def rows(*place: str) -> Rows:
        return [i for i, own in enumerate(places) if own == place]

    first = layout.stacks[0].name
    return Summed(
        stacks=[
            [
                rows(stack.name, "attention", "weight"),
                rows(stack.name, "attention", "bias"),
                rows(stack.name, "mlp", "weight"),
                rows(stack.name, "mlp", "bias"),
                rows(stack.name, "norm", "norm"),
            ]
            for stack in layout.stacks
        ],
        apart=[
            rows("apart", "embedding", "weight"),
            rows("apart", "positions", "weight"),
            rows("apart", "unembedding", "weight"),
            rows("apart", "norm", "norm"),
        ],
        one_head=[
            [i for i in rows(first, "attention", kind) if layout.parts[i].per == "head"]
            for kind in ("weight", "bias")
        ],
    )


def _sums(numbers: list[int], summed: list[Rows]) -> list[int]:
    return [sum([numbers[i] for i in rows]) for rows in summed]


def _split(weights: int = 0, biases: int = 0, norms: int = 0) -> dict[str, int]:
    return {"weights": weights, "biases": biases, "norms": norms, "total": weights + biases + norms}


def _layers(held: Held) -> dict[str, int]:
    return _split(held.attention + held.mlp, held.attention_biases + held.mlp_biases, held.norms)


def _one_layer(held: Held, n_layers: int) -> dict[str, dict[str, int]]:
    # Exact: the number of layers is a factor of every `times` in a layer.
    one = Held(*[number // n_layers for number in held])
    return {
        "attention": _split(one.attention, one.attention_biases),
        "mlp": _split(one.mlp, one.mlp_biases),
        "norm": _split(norms=one.norms),
        "layer": _layers(one),
    }
