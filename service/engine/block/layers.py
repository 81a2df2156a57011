"""One block: its sublayers, each with its norm and its addition.

post (the original): norm(x + sublayer(x)). pre (GPT-2): x + sublayer(norm(x)).
Sources: Vaswani et al. 2017, section 3.1; Radford et al. 2019, section 2.3.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from service.engine.block.attend import cross_attention, self_attention
from service.engine.block.given import DECODER, POST, Block, Norm, PackedHeads, Shared
from service.engine.block.mlp import mlp
from service.engine.block.norms import NormKind, add_normed, added, normed
from service.engine.block.places import Placed, last, within
from service.engine.errors import EngineError
from service.engine.sources import Tokens
from service.engine.trace import Axis

Document = dict[str, Any]
Axes = dict[str, Axis]


class Sublayer(NamedTuple):
    """What is computed from x, as traces at a path of the reply, and its norm."""

    name: str
    norm: Norm
    traces: Callable[[str, Placed], Any]


def layer(
    i: int, x: Placed, block: Block, shared: Shared, context: Tokens | None, axes: Axes
) -> tuple[Document, Placed]:
    """A block's traces in the order in which they are computed, and what the block comes to.

    Raises EngineError with fields from blocks/i on.
    """
    path, kind = f"blocks/{i}", block.kind or shared.kind
    check_cross(path, kind, block, context)
    placement = shared.placement_of(kind)
    document: Document = {
        "name": block.name or f"block {i + 1}",
        "kind": kind,
        "placement": placement,
    }
    norms = NormKind(shared.norm, shared.eps)
    place = after if placement == POST else before
    for sublayer in sublayers(kind, block, shared, context, axes):
        traces, x = place(path, x, sublayer, norms, axes)
        document |= traces
    return document, x


def sublayers(
    kind: str, block: Block, shared: Shared, context: Tokens | None, axes: Axes
) -> list[Sublayer]:
    """Attention, a decoder's cross-attention, and the MLP."""
    norms, activation = block.norms, block.mlp.activation or shared.activation_of(kind)

    def attend(at: str, x: Placed) -> Any:
        return self_attention(at, x, block.attention, kind, shared, axes)

    def look_across(at: str, x: Placed) -> Any:
        heads = block.cross or PackedHeads()
        return cross_attention(at, x, context or Tokens(), heads, shared, axes)

    def widen(_: str, x: Placed) -> Any:
        return mlp(x, block.mlp, activation, shared.weights_layout, axes)

    found = [Sublayer("attention", norms.attention, attend), Sublayer("mlp", norms.mlp, widen)]
    if kind == DECODER:
        found.insert(1, Sublayer("cross", norms.cross, look_across))
    return found


def after(
    path: str, x: Placed, sublayer: Sublayer, kind: NormKind, axes: Axes
) -> tuple[Document, Placed]:
    """norm(x + sublayer(x))."""
    name, norm, _ = sublayer
    found, delta = _run(path, x, sublayer)
    at = f"add_norm_{name}"
    try:
        trace = add_normed(x, delta, norm, kind, axes)
    except EngineError as error:
        raise within(error, f"{path}/norms/{name}", f"{path}/{at}") from None
    return {name: found, at: trace}, last(f"{path}/{at}", trace)


def before(
    path: str, x: Placed, sublayer: Sublayer, kind: NormKind, axes: Axes
) -> tuple[Document, Placed]:
    """x + sublayer(norm(x))."""
    name, norm, _ = sublayer
    first, at = f"norm_{name}", f"add_{name}"
    try:
        of_norm = normed(x, norm, kind, axes)
    except EngineError as error:
        raise within(error, f"{path}/norms/{name}", f"{path}/{first}") from None
    found, delta = _run(path, last(f"{path}/{first}", of_norm), sublayer)
    try:
        trace = added(x, delta, axes)
    except EngineError as error:
        raise within(error, path, f"{path}/{at}") from None
    return {first: of_norm, name: found, at: trace}, last(f"{path}/{at}", trace)


def _run(path: str, x: Placed, sublayer: Sublayer) -> tuple[Any, Placed]:
    """A sublayer's traces, and what it adds."""
    at = f"{path}/{sublayer.name}"
    try:
        found = sublayer.traces(at, x)
    except EngineError as error:
        # A cross-attention's members stand below cross, all others in the block itself.
        raise within(error, at if sublayer.name == "cross" else path, at) from None
    if isinstance(found, dict):
        return found, last(f"{at}/combined", found["combined"])
    return found, last(at, found)


def check_cross(path: str, kind: str, block: Block, context: Tokens | None) -> None:
    """Raise EngineError unless a decoder, and no other block, has what cross-attention needs."""
    if kind == DECODER:
        if context is None or context.X is None:
            raise EngineError("context/X", "context.X is missing; a decoder looks at it.")
        if block.cross is None:
            raise EngineError(
                f"{path}/cross", "cross is missing: the matrices with which a decoder looks at it."
            )
    elif block.cross is not None:
        raise EngineError(
            f"{path}/cross", f"cross is for a decoder, but this block is of kind {kind}."
        )
