"""How many parameters each block has: those of the components that it holds."""

from collections.abc import Iterable

from service.engine.architecture.graph import Drawing
from service.engine.params.components import Component
from service.engine.params.totals import split

# By the stack of a component, and its place there.
HOLDERS = {
    ("encoder", "attention"): "encoder_attention",
    ("encoder", "attention_norm"): "encoder_attention_norm",
    ("encoder", "mlp"): "encoder_feed_forward",
    ("encoder", "mlp_norm"): "encoder_feed_forward_norm",
    ("decoder", "positions"): "decoder_positions",
    ("decoder", "attention"): "decoder_attention",
    ("decoder", "attention_norm"): "decoder_attention_norm",
    ("decoder", "cross.attention"): "cross_attention",
    ("decoder", "cross.attention_norm"): "cross_attention_norm",
    ("decoder", "mlp"): "decoder_feed_forward",
    ("decoder", "mlp_norm"): "decoder_feed_forward_norm",
    ("decoder", "final_norm"): "final_norm",
}


def users_of_the_table(drawing: Drawing) -> list[str]:
    """The blocks that read the one embedding table, the one that it is counted for first.

    Vaswani et al. 2017, section 3.4: both embeddings and the linear map share one matrix.
    """
    return [block.id for block in drawing.blocks if block.kind in ("embedding", "linear")]


def held(drawing: Drawing, found: Iterable[Component]) -> dict[str, list[Component]]:
    """The components that each block has for itself, each of them in one block."""
    of: dict[str, list[Component]] = {block.id: [] for block in drawing.blocks}
    for part in found:
        if part.group == "embedding":
            of[users_of_the_table(drawing)[0]].append(part)
        else:
            of[HOLDERS[part.stack, _place(part)]].append(part)
    return of


def count(parts: Iterable[Component], repeats: int = 1) -> dict[str, int]:
    """The parameters of components by kind; of one of `repeats` equal layers, if that is given."""
    return split((part.kind, part.total // repeats) for part in parts)


def _place(part: Component) -> str:
    name = part.name.removeprefix(f"{part.stack}.")
    if part.group == "norm":
        return name.rpartition(".")[0]
    return f"cross.{part.group}" if name.startswith("cross.") else part.group
