"""The table of components: every part of a model's layout with its sizes put in, and counted."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from service.engine.params.configuration import Model
from service.engine.params.layout import (
    LAYOUTS_KEPT,
    ONE,
    Factors,
    Group,
    Kind,
    Layout,
    Part,
    Switches,
    Where,
    layout,
)

Row = dict[str, Any]


class Component(NamedTuple):
    """One kind of matrix, and how many numbers all of them hold."""

    name: str
    stack: Where
    group: Group
    kind: Kind
    total: int


def components(model: Model) -> list[Component]:
    """All components in the order in which a token meets them; shared ones are listed once."""
    found = rows(model, layout_of(model))
    return [Component(*[row[name] for name in Component._fields]) for row in found]


def layout_of(model: Model) -> Layout:
    """What of the components no size decides."""
    return layout(
        Switches(
            architecture=model.architecture,
            tied=model.tied,
            learned_positions=model.positions == "learned",
            attention_biases=model.attention_biases,
            mlp_biases=model.mlp_biases,
            norm=model.norm,
            norm_beta=model.norm_beta,
            final_norm=model.final_norm,
            mlp=model.mlp,
            grouped=model.n_kv_heads != model.n_heads,
            own_d_v=model.d_v != model.d_head,
        )
    )


def rows(model: Model, layout: Layout) -> list[Row]:
    """A row for each part; count × times = total, each factor in symbols and in numbers.

    What the layout says of a row is written once, and the same product is worked out once.
    """
    size = _sizes(model)
    unsized, products = _unsized(layout)
    known = {
        (a, b): ([size[a], size[b]], size[a] * size[b], substituted % size)
        for (a, b), substituted in products.items()
    }
    found = []
    for shape, copies, without_numbers in unsized:
        row = without_numbers.copy()
        row["shape"], count, row["substituted"] = known[shape]
        _, times, row["times_substituted"] = known[copies]
        row["count"], row["times"], row["total"] = count, times, count * times
        found.append(row)
    return found


def _sizes(model: Model) -> dict[str, int]:
    """The sizes by their names in a layout."""
    return {
        ONE: 1,
        "d_model": model.d_model,
        "d_head": model.d_head,
        "d_v": model.d_v,
        "d_ff": model.d_ff,
        "n_heads": model.n_heads,
        "n_kv_heads": model.n_kv_heads,
        "n_vocab": model.vocab_size,
        "n_context": model.context,
        "n_layers": model.n_encoder_layers or model.n_decoder_layers,
        "n_encoder_layers": model.n_encoder_layers,
        "n_decoder_layers": model.n_decoder_layers,
    }


@lru_cache(maxsize=LAYOUTS_KEPT)
def _unsized(layout: Layout) -> tuple[list[tuple[Factors, Factors, Row]], dict[Factors, str]]:
    """The shape, the copies and the row of each part, the row still without numbers; and all
    products that occur, in LaTeX with places for their sizes."""
    factors = {each for part in layout.parts for each in (part.shape, part.copies)}
    return (
        [(part.shape, part.copies, _unsized_row(part)) for part in layout.parts],
        {each: _product(each, "%({})d".format) for each in factors},
    )


def _unsized_row(part: Part) -> Row:
    return {
        "name": part.name,
        "stack": part.stack,
        "group": part.group,
        "kind": part.kind,
        "shape": [],
        "formula": _product(part.shape, _symbol),
        "substituted": "",
        "count": 0,
        "per": part.per,
        "times": 0,
        "times_formula": _product(part.copies, _symbol),
        "times_substituted": "",
        "total": 0,
    }


def _product(factors: Factors, write: Callable[[str], str]) -> str:
    """A product in LaTeX; the empty product is 1."""
    return r" \cdot ".join([write(name) for name in factors if name != ONE]) or ONE


def _symbol(name: str) -> str:
    """d_model is written d_{\\mathrm{model}}."""
    letter, _, index = name.partition("_")
    index = index.replace("_", r"\,")
    return f"{letter}_{{\\mathrm{{{index}}}}}" if len(index) > 1 else f"{letter}_{index}"
