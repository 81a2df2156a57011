"""Parameters, scores, FLOPs and cache of a transformer, counted from its sizes."""

from typing import Any

from service.engine.params.components import layout_of, rows
from service.engine.params.configuration import Configuration, Model
from service.engine.params.costs import flops, kv_cache, scores
from service.engine.params.presets import PRESETS, Preset, Published
from service.engine.params.resolve import resolve
from service.engine.params.totals import totals

__all__ = ["PRESETS", "Configuration", "Preset", "Published", "count", "count_preset"]

READING = {
    "flop_per_multiply_add": 2,
    "weights_layout": "out_in",
    "unembedding_bias": False,
}


def count(configuration: Configuration, published: Published | None = None) -> dict[str, Any]:
    """Every component with its formula, the subtotals, and the costs at n = context.

    Raises ShapeError if the sizes do not fit together.
    """
    model = resolve(configuration)
    layout = layout_of(model)
    found = rows(model, layout)
    sums = totals(model, layout, found)
    return {
        "components": found,
        "totals": sums,
        "published": vars(published) if published else None,
        "scores": scores(model),
        "flops": flops(model, sums["groups"]),
        "kv_cache": kv_cache(model),
        "warnings": _inner_width(model),
        "conventions": {**model._asdict(), **READING},
    }


def count_preset(name: str, **switches: Any) -> dict[str, Any]:
    """A preset with some of its switches changed; the published number stays beside it."""
    preset = PRESETS[name]
    return count(preset.configuration._replace(**switches), preset.published)


def _inner_width(model: Model) -> list[str]:
    """Published models break d_model = n_heads · d_head (GPT-3 XL and 13B), so it is no error."""
    inner = model.n_heads * model.d_head
    if inner == model.d_model:
        return []
    return [
        f"n_heads · d_head is {model.n_heads} · {model.d_head} = {inner}, but d_model is "
        f"{model.d_model}. The heads are counted as given: each W_Q and W_K is "
        f"{model.d_head} × {model.d_model}."
    ]
