"""Matrices for a model of given sizes, from a seed: the same on every machine, bit for bit.

Each block has a stream of its own, so that its numbers do not depend on how many blocks there are.
An entry is normal with deviation 1/√d_in, rounded to three decimals: short to read and to send
back, and numbers neither fade nor grow on their way through. Rows of the embedding and of
positions have deviation 1/√d_model. Source of the scale: LeCun et al. 1998, section 4.6.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import Any, NamedTuple

import numpy as np

from service.engine.block.activations import GATED
from service.engine.block.given import DECODER, PRE, Shared
from service.engine.block.rounded import rounded
from service.engine.block.sizes import NAMES, Sizes, sizes_of
from service.engine.errors import EngineError, TooLarge
from service.engine.heads import check_groups
from service.engine.normals import Normals
from service.engine.projection import OUT_IN
from service.engine.trace import Array

Members = dict[str, Any]
Shape = tuple[int, int]
Shapes = dict[str, Shape]

# Each number is part of the reply two or three times.
MAX_DRAWN = 1 << 18
_X, _EMBEDDING, _POSITIONS, _TOKENS, _BLOCKS = range(5)
_POSITIONS_OF_ITS_OWN = {"position_embedding", "sinusoidal", "rotary", "alibi"}


class Wanted(NamedTuple):
    """A matrix to be drawn: from which stream, its shape, and the deviation of its entries."""

    stream: int
    n: int
    m: int
    deviation: float


def draw(seed: int | None = None, **request: Any) -> Members:
    """The members of a request that it lacks, where it has a seed; without one, none.

    Raises EngineError for a size that is missing, or sent without a seed; TooLarge.
    """
    if seed is None:
        for name in NAMES:
            if name in request:
                raise EngineError(
                    name, f"{name} is for a seed to draw from; leave it out, or send a seed."
                )
        return {}
    sizes = sizes_of(request)
    shared = Shared(
        request.get("kind", Shared().kind), request.get("placement"), request.get("activation")
    )
    frame = {} if "X" in request else _frame(sizes, request)
    own, cross = ({}, {}) if "blocks" in request else _shapes(sizes, request, shared)
    weights = _weights(sizes.n_layers, [*own.values(), *cross.values()])
    matrices = _drawn(seed, [*frame.values(), *weights])
    found: Members = {}
    if "X" not in request and sizes.n_vocab is not None and "token_ids" not in request:
        share = Normals(seed, _TOKENS).uniforms(sizes.n)
        found["token_ids"] = np.floor(share * sizes.n_vocab).astype(int).tolist()
    found |= zip(frame, matrices, strict=False)
    if own:
        if request.get("weights_layout", OUT_IN) != OUT_IN:
            matrices = (np.ascontiguousarray(W.T) for W in matrices)
        found["blocks"] = [_block(own, cross, matrices) for _ in range(sizes.n_layers)]
    if "final_norm" not in request and shared.placement_of(shared.kind) == PRE:
        found["final_norm"] = {}
    return found


def _frame(sizes: Sizes, request: Members) -> dict[str, Wanted]:
    """Embedding, and learned positions where there are no others; or X."""
    n, d_model, n_vocab = sizes[:3]
    deviation = 1 / math.sqrt(d_model)
    found = {}
    if n_vocab is None:
        found["X"] = Wanted(_X, n, d_model, 1.0)
    elif "embedding" not in request:
        found["embedding"] = Wanted(_EMBEDDING, n_vocab, d_model, deviation)
    if n_vocab is not None and not _POSITIONS_OF_ITS_OWN & request.keys():
        found["position_embedding"] = Wanted(_POSITIONS, n, d_model, deviation)
    for matrix in found.values():
        _check_count(matrix.n * matrix.m)
    return found


def _weights(n_layers: int, shapes: Sequence[Shape]) -> list[Wanted]:
    """The matrices of all blocks, d_out × d_in."""
    _check_count(n_layers * sum(n * m for n, m in shapes))
    return [
        Wanted(stream, n, m, 1 / math.sqrt(m))
        for stream in range(_BLOCKS, _BLOCKS + n_layers)
        for n, m in shapes
    ]


def _block(own: Shapes, cross: Shapes, matrices: Iterator[Array]) -> Members:
    """A block's matrices, packed: the next ones."""
    block: Members = dict(zip(own, matrices, strict=False))
    if cross:
        block["cross"] = dict(zip(cross, matrices, strict=False))
    return block


def _shapes(sizes: Sizes, request: Members, shared: Shared) -> tuple[Shapes, Shapes]:
    """The shapes of a block's own matrices, and of its cross-attention's, as d_out × d_in."""
    d_model, d_ff = sizes.d_model, sizes.d_ff
    n_heads: int | None = request.get("n_heads")
    if n_heads is None:
        raise EngineError("n_heads", "n_heads is missing; a seed needs it, or blocks.")
    n_kv_heads: int = request.get("n_kv_heads", n_heads)
    check_groups(n_heads, n_kv_heads)
    if d_model % n_heads:
        raise EngineError(
            "n_heads", f"n_heads is {n_heads}, but d_model {d_model}; it must be a multiple of it."
        )
    context = request.get("context", {}).get("X")
    d_kv = d_model // n_heads * n_kv_heads

    def heads(d_in: int) -> Shapes:
        square, narrow = (d_model, d_model), (d_kv, d_in)
        return {"W_Q": square, "W_K": narrow, "W_V": narrow, "W_O": square}

    shapes = heads(d_model) | {"W_up": (d_ff, d_model)}
    if shared.activation_of(shared.kind) in GATED:
        shapes["W_gate"] = (d_ff, d_model)
    shapes["W_down"] = (d_model, d_ff)
    if shared.kind != DECODER:
        return shapes, {}
    return shapes, heads(d_model if context is None else context.shape[1])


def _check_count(count: int) -> None:
    if count > MAX_DRAWN:
        raise TooLarge(
            "seed",
            f"{count:,} numbers would be drawn at once; at most {MAX_DRAWN:,} are. Use smaller"
            " sizes.",
        )


def _drawn(seed: int, wanted: Sequence[Wanted]) -> Iterator[Array]:
    """The matrices, all drawn at once; those of one stream lie in it one after the other."""
    counts = [n * m for _, n, m, _ in wanted]
    shares = [
        Normals(seed, stream).uniforms(sum(n * m for _, n, m, _ in matrices))
        for stream, matrices in groupby(wanted, lambda matrix: matrix.stream)
    ]
    entries = rounded(np.concatenate(shares), counts, [matrix.deviation for matrix in wanted])
    for (_, n, m, _), end in zip(wanted, accumulate(counts), strict=True):
        yield entries[end - n * m : end].reshape(n, m)
