"""Matrices as JSON text, a block of rows at a time."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from service.api.rounding import round_significant
from service.engine.blocks import CELLS_A_BLOCK, Blocked, rows_a_block, whole
from service.engine.trace import Value

# Up to here a search of the text for "-0.0" is cheaper than adding 0.0 to the array.
FEW_CELLS = 256

Part = bytes | Iterator[bytes]


def matrix_text(value: Value, digits: int | None, turn: bool) -> Part:
    if turn:
        value = np.ascontiguousarray(whole(value).T)
    if isinstance(value, Blocked):
        return _joined(_text(block, digits) for block in value)
    if value.size > CELLS_A_BLOCK:
        rows = rows_a_block(value.shape[1])
        blocks = (value[i : i + rows] for i in range(0, len(value), rows))
        return _joined(_text(block, digits) for block in blocks)
    return _text(value, digits)


def _joined(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Matrices below each other as one matrix."""
    opening = b"["
    for text in blocks:
        yield opening
        yield text[1:-1]
        opening = b","
    yield b"]"


def _text(block: NDArray[Any], digits: int | None) -> bytes:
    if digits is not None and block.dtype == np.float64:
        block = round_significant(block, digits)
    if block.size > FEW_CELLS:
        block = block + 0.0 if block.dtype == np.float64 else block  # −0.0 is written as 0.0
    text: bytes = orjson.dumps(block, None, orjson.OPT_SERIALIZE_NUMPY)
    if block.size <= FEW_CELLS and (b"-0.0," in text or b"-0.0]" in text):
        text = orjson.dumps(block + 0.0, None, orjson.OPT_SERIALIZE_NUMPY)
    return text
