"""One block: its sublayers, each with its norm and its addition.

post (the original): norm(x + sublayer(x)). pre (GPT-2): x + sublayer(norm(x)).
Sources: Vaswani et al. 2017, section 3.1; Radford et al. 2019, section 2.3.
"""

from collections.abc import Callable
from typing import Any

from service.engine.block.attend import cross_attention, self_attention
from service.engine.block.given import DECODER, POST, Block, Norm, Shared
from service.engine.block.mlp import mlp
from service.engine.block.norms import NormKind, add_normed, added, normed
from service.engine.block.places import Placed, last, within
from service.engine.errors import EngineError
from service.engine.sources import Tokens
from service.engine.trace import Axis

Document = dict[str, Any]
Sublayer = Callable[[str, Placed], tuple[Any, Placed]]


def layer(
    i: int, x: Placed, block: Block, shared: Shared, context: Tokens | None, axes: dict[str, Axis]
) -> tuple[Document, Placed]:
    """A block's traces in the order in which they are computed, and what the block comes to.

    Raises EngineError with fields from blocks/i on.
    """
    path = f"blocks/{i}"
    kind = block.kind or shared.kind
    placement = shared.placement_of(kind)
    activation = block.mlp.activation or shared.activation_of(kind)
    norms = NormKind(shared.norm, shared.eps)
    document: Document = {
        "name": block.name or f"block {i + 1}",
        "kind": kind,
        "placement": placement,
    }

    def sublayer(name: str, x: Placed, norm: Norm, run: Sublayer) -> Placed:
        def norm_trace(of: str, trace: Callable[[], Any]) -> Placed:
            with within(f"{path}/norms/{name}", f"{path}/{of}"):
                document[of] = trace()
            return last(f"{path}/{of}", document[of])

        def delta(fed: Placed) -> Placed:
            with within(path if name != "cross" else f"{path}/cross", f"{path}/{name}"):
                document[name], placed = run(f"{path}/{name}", fed)
            return placed

        if placement == POST:
            Δ = delta(x)
            of = f"add_norm_{name}"
            return norm_trace(of, lambda: add_normed(x, Δ, norm, norms, axes))
        fed = norm_trace(f"norm_{name}", lambda: normed(x, norm, norms, axes))
        Δ = delta(fed)
        return norm_trace(f"add_{name}", lambda: added(x, Δ, axes))

    def attend(at: str, x: Placed) -> tuple[Any, Placed]:
        found = self_attention(at, x, block.attention, kind, shared, axes)
        return found, last(f"{at}/combined", found["combined"])

    def look_across(at: str, x: Placed) -> tuple[Any, Placed]:
        assert context is not None
        assert block.cross is not None
        found = cross_attention(at, x, context, block.cross, shared, axes)
        return found, last(f"{at}/combined", found["combined"])

    def think(at: str, x: Placed) -> tuple[Any, Placed]:
        trace = mlp(x, block.mlp, activation, shared.weights_layout, axes)
        return trace, last(at, trace)

    check_cross(path, kind, block, context)
    x = sublayer("attention", x, block.norms.attention, attend)
    if kind == DECODER:
        x = sublayer("cross", x, block.norms.cross, look_across)
    return document, sublayer("mlp", x, block.norms.mlp, think)


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
