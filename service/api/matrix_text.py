"""Matrices as JSON text, a block of rows at a time."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from service.api.rounding import round_significant
from service.engine.blocks import CELLS_A_BLOCK, Blocked
from service.engine.trace import Value

CELLS_A_TEXT = 1 << 13

Fragment = bytes | memoryview
Part = bytes | Iterator[Fragment]


def matrix_text(value: Value, digits: int | None, turn: bool) -> Part:
    """The JSON text of a matrix: at once if it is small, else an iterator that computes it.

    `digits` rounds it, `turn` transposes it.
    """
    if isinstance(value, Blocked):
        blocks = _turned(value) if turn else value
        return _joined(_text(rows, digits) for block in blocks for rows in _slices(block))
    if turn:
        value = np.ascontiguousarray(value.T)
    if value.size > CELLS_A_BLOCK:
        return _joined(_text(rows, digits) for rows in _slices(value))
    return _text(value, digits)


def _turned(value: Blocked) -> Iterator[NDArray[Any]]:
    """All of it, transposed, once it is its turn to be written: one whole matrix at a time."""
    yield np.ascontiguousarray(value.whole().T)


def _slices(block: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Some rows at a time, so that their text stays in the cache on its way out."""
    rows = max(1, CELLS_A_TEXT // block.shape[1])
    return (block[start : start + rows] for start in range(0, len(block), rows))


def _joined(blocks: Iterable[bytes]) -> Iterator[Fragment]:
    """Matrices below each other as one matrix."""
    opening = b"["
    for text in blocks:
        yield opening
        yield memoryview(text)[1:-1]  # cut without a copy
        opening = b","
    yield b"]"


def _text(block: NDArray[Any], digits: int | None) -> bytes:
    if block.dtype == np.uint8:
        return _flags(block)
    if digits is not None:
        block = round_significant(block, digits)
    # −0.0 is written as 0.0.
    text: bytes = orjson.dumps(block + 0.0, None, orjson.OPT_SERIALIZE_NUMPY)
    return text


def _flags(block: NDArray[np.uint8]) -> bytes:
    """A matrix of 0 and 1: each cell is one digit, so that its text is a matrix of bytes."""
    n, m = block.shape
    text = np.full((n, 2 * m + 2), ord(","), np.uint8)
    text[:, 0] = ord("[")
    np.add(block, ord("0"), out=text[:, 1 : 2 * m : 2])
    text[:, 2 * m] = ord("]")
    return b"[" + text.tobytes()[:-1] + b"]"
