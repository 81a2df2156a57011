"""Parameters, scores, FLOPs and cache of a transformer, counted from its sizes."""

from dataclasses import replace
from typing import Any

from service.engine.params.components import ONE, Component, Dim, components
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
    found = components(model)
    return {
        "components": [_described(part) for part in found],
        "totals": totals(model, found),
        "published": vars(published) if published else None,
        "scores": scores(model),
        "flops": flops(model, found),
        "kv_cache": kv_cache(model),
        "warnings": _inner_width(model),
        "conventions": {**vars(model), **READING},
    }


def count_preset(name: str, **switches: Any) -> dict[str, Any]:
    """A preset with some of its switches changed; the published number stays beside it."""
    preset = PRESETS[name]
    return count(replace(preset.configuration, **switches), preset.published)


def _described(part: Component) -> dict[str, Any]:
    """One row of the table; count × times = total, each factor in symbols and in numbers."""
    formula, substituted = _product(part.shape)
    times_formula, times_substituted = _product(part.copies)
    return {
        "name": part.name,
        "stack": part.stack,
        "group": part.group,
        "kind": part.kind,
        "shape": [dim.size for dim in part.shape],
        "formula": formula,
        "substituted": substituted,
        "count": part.size,
        "per": part.per,
        "times": part.times,
        "times_formula": times_formula,
        "times_substituted": times_substituted,
        "total": part.total,
    }


def _product(factors: tuple[Dim, ...]) -> tuple[str, str]:
    """The product in LaTeX, with symbols and with numbers; the empty product is 1."""
    shown = [factor for factor in factors if factor is not ONE] or [ONE]
    return (
        r" \cdot ".join([factor.symbol for factor in shown]),
        r" \cdot ".join([str(factor.size) for factor in shown]),
    )


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
