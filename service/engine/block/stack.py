"""Blocks in a row, from embeddings to the next word, as one document of traces."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from service.engine.block.frame import (
    check_frame,
    embedded,
    shape_of,
    unembedded,
)
from service.engine.block.given import DECODER, Block, Frame, Shared
from service.engine.block.layers import layer
from service.engine.block.norms import NormKind, normed
from service.engine.block.places import last, within
from service.engine.errors import EngineError, TooLarge
from service.engine.labels import labels_for
from service.engine.limits import check_cells, check_repeated
from service.engine.sources import Tokens
from service.engine.trace import UNIT, Array, Axis, Trace, find

Document = dict[str, Any]

MAX_BLOCKS = 96
MAX_HEADS = 512
# Tokens · width · blocks. A block holds some twenty such matrices until its reply is sent.
MAX_NUMBERS = 1 << 20
# Beside those of heads, what a decoder's block has: three each of norm, addition and sum, an MLP.
MOST_TRACES = 10


@np.errstate(over="ignore", invalid="ignore")
def stack(
    blocks: Sequence[Block],
    shared: Shared,
    X: Array | None = None,
    frame: Frame | None = None,
    context: Tokens | None = None,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Document:
    """{"embedding", "blocks", ["final_norm"], ["unembedding", "next_token"], "output", …}.

    X (n, d_model), or token_ids and an embedding in `frame`. Every step is in one of the traces;
    those of another trace are read by path, such as blocks/0/mlp/update. `output` is the path of
    the last one. Members stand in the order in which they are computed.
    Raises EngineError with the field by path, ShapeError, TooLarge before any work,
    OverflowingStep with the step.
    """
    frame = frame or Frame()
    check_frame(X, frame)
    n, d_model = shape_of(X, frame)
    n_k = n if context is None or context.X is None else max(n, len(context.X))
    heads = check_size(n, n_k, d_model, blocks, shared)
    if context is not None and all((block.kind or shared.kind) != DECODER for block in blocks):
        raise EngineError("context", "context is for blocks of kind decoder; there is none.")
    axes = _axes(n, d_model, frame, tokens, features)
    labels = (axes["token"].labels, axes["d_model"].labels, context and context.tokens)
    repeated = [label for some in labels for label in some or ()]
    check_repeated(repeated, heads + MOST_TRACES * len(blocks))
    document: Document = {"embedding": embedded(X, frame, axes), "blocks": []}
    x = last("embedding", document["embedding"])
    for i, block in enumerate(blocks):
        found, x = layer(i, x, block, shared, context, axes)
        document["blocks"].append(found)
    if frame.final_norm is not None:
        norms = NormKind(shared.norm, shared.eps)
        try:
            document["final_norm"] = normed(x, frame.final_norm, norms, axes)
        except EngineError as error:
            raise within(error, "final_norm", "final_norm") from None
        x = last("final_norm", document["final_norm"])
    document["output"] = x.name
    if frame.unembedding is not None or frame.embedding is not None:
        document["unembedding"] = unembedded(x, frame, axes)
        document["next_token"] = _next_token(document["unembedding"], frame)
    document["conventions"] = {
        "kind": shared.kind,
        "norm": shared.norm,
        "eps": shared.eps,
        "weights_layout": shared.weights_layout,
        "dropout": "none",
    }
    return document


def _axes(
    n: int, d_model: int, frame: Frame, tokens: list[str] | None, features: list[str] | None
) -> dict[str, Axis]:
    """The axes that all traces share; a token of the vocabulary is its own label."""
    words = frame.vocabulary
    if tokens is None and frame.token_ids is not None and words is not None:
        tokens = [words[token] for token in frame.token_ids]
    return {
        "token": Axis(n, labels_for("tokens", tokens, n, "tokens")),
        "d_model": Axis(d_model, labels_for("features", features, d_model, "columns of X")),
        UNIT: Axis(1),
    }


def _next_token(unembedding: Trace, frame: Frame) -> Document:
    """The likeliest word after the last token; of several, the first."""
    p = np.asarray(find(unembedding.steps, "probabilities").value)[-1]
    choice = int(np.argmax(p))
    found = {"id": choice, "probability": float(p[choice])}
    return found if frame.vocabulary is None else {**found, "label": frame.vocabulary[choice]}


def check_size(n: int, n_k: int, d_model: int, blocks: Sequence[Block], shared: Shared) -> int:
    """How many heads there are in all; TooLarge if these, the blocks or a step are too many."""
    if not blocks:
        raise EngineError("blocks", "blocks is missing; send at least one block, or a seed.")
    if len(blocks) > MAX_BLOCKS:
        raise TooLarge("blocks", f"There are {len(blocks)} blocks; at most {MAX_BLOCKS} are taken.")
    heads, width = 0, max(d_model, 1)
    for block in blocks:
        for part in (block.attention, block.cross):
            if part is not None:
                heads += part.n_heads or shared.n_heads or 1
        if block.mlp.W_up is not None:
            width = max(width, *block.mlp.W_up.shape)
    if heads > MAX_HEADS:
        raise TooLarge("blocks", f"There are {heads} heads in all; at most {MAX_HEADS} are taken.")
    check_cells("blocks", n, n_k, heads)
    if n * width * len(blocks) > MAX_NUMBERS:
        raise TooLarge(
            "blocks",
            f"Tokens · width · blocks is {n:,} · {width:,} · {len(blocks)} ="
            f" {n * width * len(blocks):,}; at most {MAX_NUMBERS:,} numbers are held. Send fewer"
            " tokens or narrower matrices.",
        )
    return heads
