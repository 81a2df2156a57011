"""Matrices for a model of given sizes, from a seed: the same on every machine, bit for bit.

Each block has a stream of its own, so that its numbers do not depend on how many blocks there are.
An entry is normal with deviation 1/√d_in, rounded to three decimals: short to read and to send
back, and numbers neither fade nor grow on their way through. Rows of the embedding and of
positions have deviation 1/√d_model. Source of the scale: LeCun et al. 1998, section 4.6.
"""

import math
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np

from service.engine.block.activations import GATED
from service.engine.block.given import DECODER, PRE, Shared
from service.engine.block.sizes import NAMES, Sizes, sizes_of
from service.engine.errors import EngineError, TooLarge
from service.engine.heads import check_groups
from service.engine.normals import Normals
from service.engine.projection import OUT_IN
from service.engine.trace import Array

Members = dict[str, Any]
Shapes = dict[str, tuple[int, int]]

# Each number is part of the reply two or three times.
MAX_DRAWN = 1 << 18
_X, _EMBEDDING, _POSITIONS, _TOKENS, _BLOCKS = range(5)
_POSITIONS_OF_ITS_OWN = {"position_embedding", "sinusoidal", "rotary", "alibi"}


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
    found: Members = {}
    if "X" not in request:
        found |= _frame(seed, sizes, request)
    if "blocks" not in request:
        found["blocks"] = list(_blocks(seed, sizes, request, shared))
    if "final_norm" not in request and shared.placement_of(shared.kind) == PRE:
        found["final_norm"] = {}
    return found


def _frame(seed: int, sizes: Sizes, request: Members) -> Members:
    """Embedding, learned positions where there are no others, and tokens; or X."""
    n, d_model, n_vocab = sizes[:3]
    if n_vocab is None:
        return {"X": _matrix(seed, _X, n, d_model, 1.0)}
    found: Members = {}
    if "token_ids" not in request:
        share = Normals(seed, _TOKENS).uniforms(n)
        found["token_ids"] = np.floor(share * n_vocab).astype(int).tolist()
    deviation = 1 / math.sqrt(d_model)
    if "embedding" not in request:
        found["embedding"] = _matrix(seed, _EMBEDDING, n_vocab, d_model, deviation)
    if not _POSITIONS_OF_ITS_OWN & request.keys():
        found["position_embedding"] = _matrix(seed, _POSITIONS, n, d_model, deviation)
    return found


def _blocks(seed: int, sizes: Sizes, request: Members, shared: Shared) -> Iterator[Members]:
    """Each block's matrices, packed."""
    shapes, cross = _shapes(sizes, request, shared)
    _check_count(sizes.n_layers * sum(n * m for n, m in [*shapes.values(), *cross.values()]))
    turned = request.get("weights_layout", OUT_IN) != OUT_IN
    for i in range(sizes.n_layers):
        drawn = _weights(seed, _BLOCKS + i, [*shapes.values(), *cross.values()], turned)
        block: Members = dict(zip(shapes, drawn, strict=False))
        if cross:
            block["cross"] = dict(zip(cross, drawn[len(shapes) :], strict=True))
        yield block


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


def _weights(seed: int, stream: int, shapes: list[tuple[int, int]], turned: bool) -> list[Array]:
    """Matrices d_out × d_in one after the other from one stream, or their transposes."""
    ends = list(accumulate([n * m for n, m in shapes]))
    normals = Normals(seed, stream).next(ends[-1])
    drawn = [
        _rounded(normals[end - n * m : end], 1 / math.sqrt(m)).reshape(n, m)
        for end, (n, m) in zip(ends, shapes, strict=True)
    ]
    return [np.ascontiguousarray(W.T) for W in drawn] if turned else drawn


def _matrix(seed: int, stream: int, n: int, m: int, deviation: float) -> Array:
    _check_count(n * m)
    return _rounded(Normals(seed, stream).next(n * m), deviation).reshape(n, m)


def _rounded(normals: Array, deviation: float) -> Array:
    """Normal numbers of this deviation, to three decimals."""
    return np.rint(normals * (deviation * 1000.0)) / 1000.0 + 0.0
