"""The drawings with the numbers of published models put in; every count is that of the params."""

from dataclasses import asdict
from typing import Any, Literal, NamedTuple

from service.engine.architecture.counts import count, held, users_of_the_table
from service.engine.architecture.decoder_only import DECODER_ONLY
from service.engine.architecture.figure import FIGURE_1
from service.engine.architecture.graph import Block, Drawing, Group
from service.engine.architecture.symbols import sizes
from service.engine.params import PRESETS
from service.engine.params.components import Component, components
from service.engine.params.configuration import Model
from service.engine.params.resolve import resolve


class Facts(NamedTuple):
    """What the sizes of a model do not say."""

    title: str
    drawing: Drawing
    norm_placement: Literal["pre", "post"]
    activation: Literal["relu", "gelu"]
    reference: str


_VASWANI = "Vaswani et al. 2017, Table 3"
MODELS = {
    "transformer-base": Facts("Transformer, base", FIGURE_1, "post", "relu", _VASWANI),
    "transformer-big": Facts("Transformer, big", FIGURE_1, "post", "relu", _VASWANI),
    "gpt3": Facts("GPT-3 175B", DECODER_ONLY, "pre", "gelu", "Brown et al. 2020, Table 2.1"),
}


def model(id: str) -> dict[str, Any]:
    """A model: its sizes, and every block and group of its drawing in numbers."""
    facts, preset = MODELS[id], PRESETS[id]
    resolved = resolve(preset.configuration)
    found = components(resolved)
    own = held(facts.drawing, found)
    values = sizes(resolved)
    return {
        "id": id,
        "title": facts.title,
        "reference": facts.reference,
        "drawing": facts.drawing.id,
        "architecture": resolved.architecture,
        "norm_placement": facts.norm_placement,
        "final_norm": resolved.final_norm,
        "positions": resolved.positions,
        "activation": facts.activation,
        "sizes": values,
        "blocks": [
            _block(one, facts.drawing, resolved, values, own) for one in facts.drawing.blocks
        ],
        "groups": [_group(one, facts.drawing, values, own) for one in facts.drawing.groups],
        "parameters": count(found),
        "published": asdict(preset.published),
    }


def _block(
    block: Block,
    drawing: Drawing,
    resolved: Model,
    values: dict[str, int],
    own: dict[str, list[Component]],
) -> dict[str, Any]:
    table, *sharers = users_of_the_table(drawing)
    (group,) = [group for group in drawing.groups if group.id == block.group]
    repeats = values["n_layers"] if group.repeat_symbol else 1
    parts = own[table] if block.id in sharers else own[block.id]
    found: dict[str, Any] = {
        "id": block.id,
        "inputs": [
            {"name": name, "shape": [values[size] for size in shape]}
            for name, shape in block.inputs
        ],
        "output": [values[size] for size in block.output],
        "components": [part.name for part in parts],
        "one": count(parts, repeats),
        "repeats": repeats,
        "in_all": count(own[block.id]),
    }
    if block.id in sharers:
        found["shared_with"] = table
    if block.kind in ("attention", "masked_attention", "cross_attention"):
        found["n_heads"] = resolved.n_heads
    return found


def _group(
    group: Group, drawing: Drawing, values: dict[str, int], own: dict[str, list[Component]]
) -> dict[str, Any]:
    repeats = values["n_layers"] if group.repeat_symbol else 1
    parts = [part for block in drawing.members(group.id) for part in own[block.id]]
    return {
        "id": group.id,
        "repeats": repeats,
        "one": count(parts, repeats),
        "in_all": count(parts),
    }
