"""Matrices for a model of given sizes, from a seed: the same on every machine, bit for bit.

Each matrix has a stream of its own, so that a block's numbers do not depend on how many blocks
there are. An entry is normal with deviation 1/√d_in, rounded to three decimals: short to read and
to send back, and in that range layers neither fade nor grow. Embeddings and positions, whose rows
also make logits, have deviation 1/√d_model. Source of the scale: LeCun et al. 1998, section 4.6.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from service.engine.block.activations import GATED
from service.engine.block.given import DECODER, PRE, Shared
from service.engine.errors import EngineError, TooLarge
from service.engine.normals import Normals
from service.engine.projection import OUT_IN
from service.engine.trace import Array

Members = dict[str, Any]

# Three decimals each, and each is part of the reply two or three times.
MAX_DRAWN = 1 << 18
_X, _EMBEDDING, _POSITIONS, _TOKENS, _BLOCKS, _A_BLOCK = 0, 1, 2, 3, 16, 16
_SIZES = ("n_layers", "d_model", "d_ff", "vocab_size", "n_tokens")


class Sizes(NamedTuple):
    """What is drawn; n_vocab 0: X in place of an embedding, and no next word."""

    n: int
    d_model: int
    n_vocab: int
    d_ff: int
    n_layers: int


def draw(seed: int | None = None, **request: Any) -> Members:
    """The members of a request that it lacks, where it has a seed; without one, none.

    Raises EngineError for a size that is missing, or sent without a seed; TooLarge.
    """
    if seed is None:
        for name in _SIZES:
            if name in request:
                raise EngineError(name, f"{name} goes with a seed; without one, sizes are seen.")
        return {}
    sizes, shared = _sizes(request), Shared(kind=request.get("kind", Shared().kind))
    found: Members = {}
    if "X" not in request and not sizes.n_vocab:
        found["X"] = matrix(seed, _X, sizes.n, sizes.d_model, 1.0)
    elif "X" not in request:
        found |= _frame(seed, sizes, request)
    if (
        "final_norm" not in request
        and request.get("placement", shared.placement_of(shared.kind)) == PRE
    ):
        found["final_norm"] = {}
    if "blocks" not in request:
        found["blocks"] = list(_blocks(seed, sizes, request, shared))
    return found


def matrix(seed: int, stream: int, n: int, m: int, deviation: float) -> Array:
    """n × m numbers with three decimals."""
    thousandths = np.rint(Normals(seed, stream).next(n * m) * (deviation * 1000.0))
    return (thousandths / 1000.0 + 0.0).reshape(n, m)


def _sizes(request: Members) -> Sizes:
    """The sizes that are sent, or seen in what is sent."""
    X, E = request.get("X"), request.get("embedding")
    of = X if X is not None else E
    d_model = request.get("d_model") if of is None else of.shape[1]
    seen = len(X) if X is not None else len(request.get("token_ids") or request.get("tokens") or ())
    n = seen or request.get("n_tokens")
    words = len(E) if E is not None else len(request.get("vocabulary") or ())
    n_vocab = words or request.get("vocab_size", 0)
    if X is not None:
        n_vocab = 0
    if d_model is None or n is None:
        name = "d_model" if d_model is None else "n_tokens"
        raise EngineError(name, f"{name} is missing; a seed needs it.")
    for name, due, where in (
        ("d_model", d_model, "X" if X is not None else "embedding"),
        ("n_tokens", n, "X, token_ids or tokens"),
        ("vocab_size", n_vocab, "embedding or vocabulary"),
    ):
        if request.get(name, due) != due:
            raise EngineError(name, f"{name} is {request[name]}, but {where} has {due}.")
    d_ff, n_layers = request.get("d_ff", 4 * d_model), request.get("n_layers", 1)
    cells = d_model * (n + n_vocab + n_layers * (4 * d_model + 3 * d_ff))
    if cells > MAX_DRAWN:
        raise TooLarge(
            "d_model", f"About {cells:,} numbers would be drawn; at most {MAX_DRAWN:,} are."
        )
    return Sizes(n, d_model, n_vocab, d_ff, n_layers)


def _frame(seed: int, sizes: Sizes, request: Members) -> Members:
    """Embedding, learned positions where there are no others, and tokens."""
    n, d_model, n_vocab = sizes[:3]
    deviation = 1 / math.sqrt(d_model)
    found: Members = {}
    if "token_ids" not in request:
        share = Normals(seed, _TOKENS).uniforms(n)
        found["token_ids"] = np.floor(share * n_vocab).astype(int).tolist()
    if "embedding" not in request:
        found["embedding"] = matrix(seed, _EMBEDDING, n_vocab, d_model, deviation)
    if not {"position_embedding", "sinusoidal", "rotary", "alibi"} & request.keys():
        found["position_embedding"] = matrix(seed, _POSITIONS, n, d_model, deviation)
    return found


def _blocks(seed: int, sizes: Sizes, request: Members, shared: Shared) -> Iterator[Members]:
    """Each block's matrices, packed."""
    d_model, d_ff = sizes.d_model, sizes.d_ff
    n_heads = request.get("n_heads")
    if n_heads is None:
        raise EngineError("n_heads", "n_heads is missing; a seed needs it, or blocks.")
    n_kv_heads = request.get("n_kv_heads", n_heads)
    if d_model % n_heads:
        raise EngineError(
            "n_heads", f"n_heads is {n_heads}, but d_model {d_model}; it must be a multiple of it."
        )
    d_kv = d_model // n_heads * n_kv_heads
    context = request.get("context", {}).get("X")
    d_context = d_model if context is None else context.shape[1]
    gated = request.get("activation", shared.activation_of(shared.kind)) in GATED
    turned = request.get("weights_layout", OUT_IN) != OUT_IN

    def weight(stream: int, d_out: int, d_in: int) -> Array:
        W = matrix(seed, stream, d_out, d_in, 1 / math.sqrt(d_in))
        return np.ascontiguousarray(W.T) if turned else W

    def heads(stream: int, d_in: int) -> Members:
        return {
            "W_Q": weight(stream, d_model, d_model),
            "W_K": weight(stream + 1, d_kv, d_in),
            "W_V": weight(stream + 2, d_kv, d_in),
            "W_O": weight(stream + 3, d_model, d_model),
        }

    for i in range(sizes.n_layers):
        stream = _BLOCKS + i * _A_BLOCK
        block = heads(stream, d_model)
        if shared.kind == DECODER:
            block["cross"] = heads(stream + 4, d_context)
        block["W_up"] = weight(stream + 8, d_ff, d_model)
        if gated:
            block["W_gate"] = weight(stream + 9, d_ff, d_model)
        block["W_down"] = weight(stream + 10, d_model, d_ff)
        yield block
