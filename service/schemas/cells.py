"""Rows of JSON values as arrays; None for whatever is no such matrix.

A row of numbers is packed by one call, which refuses what is none, and the rows joined are the
array: nested marshmallow lists cost 20 to 100 times as much. An array that stands on such bytes
cannot be written to.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import chain, starmap
from struct import Struct
from struct import error as StructError
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

NUMBERS = frozenset({int, float})
NUMBERS_AND_NULL = NUMBERS | {type(None)}
BOOLEANS = frozenset({bool})

_LIST = frozenset({list})
_DOUBLE = np.dtype(np.float64)
# In fewer cells, to look for those that are 0 or 1 costs more than it saves.
_FEW = 200
# bytes are searched for an int at once, for other bytes only after a failed conversion to one.
_U, _S = b"us"


@lru_cache(1024)
def _packer(width: int) -> Callable[..., bytes]:
    return Struct(f"{width}d").pack


def numbers(rows: Any) -> NDArray[np.float64] | None:
    """The float64 matrix of rows of numbers.

    Packing refuses what is ragged or no number, all but true and false, which it takes for 1 and
    0. So what may be one is written as JSON again, where numbers have neither a u nor an s: a third
    of the time of asking each cell for its type.
    """
    try:
        width = len(rows[0])
        text = b"".join(starmap(_packer(width), rows))
        array: NDArray[np.float64] = np.ndarray((len(rows), width), _DOUBLE, text)
        said = orjson.dumps(rows if array.size < _FEW else _doubtful(array, rows))
    except (LookupError, TypeError, StructError):
        return None
    return array if width and _U not in said and _S not in said else None


def _doubtful(array: NDArray[np.float64], rows: list[list[Any]]) -> list[Any]:
    """The cells that are 0 or 1, and may be false or true; all of them where many are."""
    cells, width = array.ravel(), array.shape[1]
    places = ((cells == 0.0) | (cells == 1.0)).nonzero()[0]
    if len(places) > len(cells) // 8:
        return rows
    return [rows[place // width][place % width] for place in places.tolist()]


def numbers_and_null(rows: Any) -> NDArray[np.float64] | None:
    """The same for a matrix in which null stands for −∞."""
    array = numbers(rows)
    if array is None and (cells := _all(rows, NUMBERS_AND_NULL)):
        filled = [-np.inf if cell is None else cell for cell in cells]
        array = np.array(filled, np.float64).reshape(len(rows), -1)
    return array


def booleans(rows: Any) -> NDArray[np.bool_] | None:
    """The boolean matrix of rows of true and false."""
    if not (cells := _all(rows, BOOLEANS)):
        return None
    # True and False are the bytes 1 and 0.
    return np.ndarray((len(rows), len(rows[0])), np.bool_, bytes(cells))


def _all(rows: Any, types: frozenset[type]) -> list[Any] | None:
    """All cells of a rectangular, non-empty list of rows, if they are of these types."""
    if type(rows) is not list or not _LIST.issuperset(map(type, rows)):
        return None
    cells = [*chain.from_iterable(rows)]
    is_matrix = cells and len(set(map(len, rows))) == 1 and types.issuperset(map(type, cells))
    return cells if is_matrix else None
