"""The matrices of several heads: each head's own, or packed ones cut into heads.

Source: Vaswani et al. 2017, section 3.2.2; grouped heads: Ainslie et al. 2023 (GQA), section 2.2.
"""

from typing import NamedTuple

import numpy as np

from service.engine.errors import EngineError, ShapeError
from service.engine.mask import Mask
from service.engine.projection import OUT_IN
from service.engine.sources import Weights
from service.engine.trace import Array


class Head(NamedTuple):
    """One head: its name, its matrices, and its own mask if it has one."""

    name: str
    weights: Weights
    mask: Mask | None = None


class Cut(NamedTuple):
    """Packed matrices cut into heads: each head's own, and all of them side by side.

    Side by side they have an axis more, the first: W_Q is (n_heads, d_k, d_model), and so on.
    """

    heads: list[Head]
    beside: Weights


def cut(weights: Weights, n_heads: int, n_kv_heads: int | None, layout: str) -> Cut:
    """Packed matrices and biases as heads: contiguous blocks of d_k (or d_v) outputs, in order.

    Query head i uses key/value head i // (n_heads / n_kv_heads).
    Raises EngineError or ShapeError where the matrices cannot be cut that way.
    """
    n_kv = n_heads if n_kv_heads is None else n_kv_heads
    check_groups(n_heads, n_kv)
    for name in ("W_Q", "W_K", "W_V"):
        if getattr(weights, name) is None:
            raise EngineError(name, f"{name} is missing; n_heads needs W_Q, W_K and W_V.")
    outputs, group = 0 if layout == OUT_IN else 1, n_heads // n_kv
    beside = Weights(
        _cut("W_Q", weights.W_Q, n_heads, "n_heads", outputs),
        _grouped(_cut("W_K", weights.W_K, n_kv, "n_kv_heads", outputs), group),
        _grouped(_cut("W_V", weights.W_V, n_kv, "n_kv_heads", outputs), group),
        _cut("W_O", weights.W_O, n_heads, "n_heads", 1 - outputs),
        _cut("b_Q", weights.b_Q, n_heads, "n_heads", 1),
        _grouped(_cut("b_K", weights.b_K, n_kv, "n_kv_heads", 1), group),
        _grouped(_cut("b_V", weights.b_V, n_kv, "n_kv_heads", 1), group),
    )
    if beside.W_V is not None and weights.W_O is not None:
        check_packed_output(weights.W_O, n_heads * beside.W_V.shape[1 + outputs], layout)
    none = [None] * n_heads
    own = zip(*[none if W is None else W for W in beside], strict=True)
    return Cut([Head(f"head {i + 1}", Weights(*W)) for i, W in enumerate(own)], beside)


def check_groups(n_heads: int, n_kv_heads: int) -> None:
    """Raise EngineError unless as many query heads share each key/value head."""
    if n_heads % n_kv_heads:
        raise EngineError(
            "n_heads",
            f"n_heads is {n_heads} and n_kv_heads {n_kv_heads}; n_heads must be a multiple of it.",
        )


def check_packed_output(W_O: Array, width: int, layout: str) -> None:
    """Raise ShapeError unless W_O takes the concatenated heads."""
    if W_O.shape[1 if layout == OUT_IN else 0] != width:
        due = f"d_model × {width}" if layout == OUT_IN else f"{width} × d_model"
        raise ShapeError(
            "W_O",
            f"W_O is {W_O.shape[0]} × {W_O.shape[1]}, but the heads together are {width} wide;"
            f" it must be {due}.",
        )


def _cut(name: str, W: Array | None, n: int, of: str, axis: int) -> Array | None:
    """The parts of a matrix beside each other: (n, …, …)."""
    if W is None:
        return None
    rows, columns = W.shape
    size = W.shape[axis]
    if size % n:
        raise ShapeError(
            name,
            f"{name} is {rows} × {columns}; its {size} {('rows', 'columns')[axis]} cannot"
            f" be cut into {of} = {n} equal parts.",
        )
    if axis == 0:
        return W.reshape(n, rows // n, columns)
    return np.ascontiguousarray(W.reshape(rows, n, columns // n).swapaxes(0, 1))


def _grouped(W: Array | None, group: int) -> Array | None:
    """Each key/value head's part as often as there are query heads that share it."""
    return W if W is None or group == 1 else W.repeat(group, axis=0)


def packed(heads: list[Head], layout: str) -> Array:
    """The heads' W_O as one matrix, which maps the concatenated heads back."""
    return np.concatenate(
        [head.weights.W_O for head in heads if head.weights.W_O is not None],
        axis=1 if layout == OUT_IN else 0,
    )
