"""Sums over components, each split into weights, biases and norms."""

from collections.abc import Iterable
from typing import Any, get_args

from service.engine.params.components import Component, Group, Stack, attention, stacks
from service.engine.params.configuration import Model


def split(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """{"weights", "biases", "norms", "total"} from (kind, count) pairs."""
    sums = {"weight": 0, "bias": 0, "norm": 0}
    for kind, count in counts:
        sums[kind] += count
    return {
        "weights": sums["weight"],
        "biases": sums["bias"],
        "norms": sums["norm"],
        "total": sum(sums.values()),
    }


def totals(model: Model, found: list[Component]) -> dict[str, Any]:
    """Subtotals by head, by layer of each stack and by group, then the whole.

    `per_head` is one query head with keys and values of its own; `non_embedding` leaves out the
    embedding, position and unembedding tables.
    """
    whole = split([(part.kind, part.total) for part in found])
    in_layers = [part for part in found if part.per != "model"]
    groups = {
        group: split([(part.kind, part.total) for part in found if part.group == group])
        for group in get_args(Group)
    }
    tables = sum(groups[name]["total"] for name in ("embedding", "positions", "unembedding"))
    one_head = [part for part in attention(model, stacks(model)[0]) if part.per == "head"]
    return {
        "n_heads_total": model.n_heads * n_attentions(model),
        "per_head": split([(part.kind, part.size) for part in one_head]),
        "per_layer": [_one_layer(stack, in_layers) for stack in stacks(model)],
        "layers": split([(part.kind, part.total) for part in in_layers]),
        "groups": groups,
        "non_embedding": whole["total"] - tables,
        **whole,
    }


def n_attentions(model: Model) -> int:
    """Attentions in the whole model; a decoder layer with cross-attention holds two."""
    return sum(stack.layers.size * len(stack.attentions) for stack in stacks(model))


def _one_layer(stack: Stack, in_layers: list[Component]) -> dict[str, Any]:
    own = [part for part in in_layers if part.stack == stack.name]

    def share(*groups: str) -> dict[str, int]:
        # Exact: the number of layers is a factor of every `times` in a layer.
        return split(
            [(part.kind, part.total // stack.layers.size) for part in own if part.group in groups]
        )

    return {
        "stack": stack.name,
        "n_layers": stack.layers.size,
        "attention": share("attention"),
        "mlp": share("mlp"),
        "norm": share("norm"),
        "layer": share("attention", "mlp", "norm"),
    }
