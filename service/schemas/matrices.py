"""Matrices and vectors of the wire as arrays.

One call over all cells checks a matrix: nested marshmallow lists cost a hundred times as much. Only
a refused one is walked through, to find the first bad cell.
"""

from collections.abc import Mapping
from itertools import chain
from struct import Struct
from struct import error as StructError
from typing import Any

import numpy as np
from marshmallow import ValidationError
from numpy.typing import NDArray

from service.schemas.fields import NUMBERS, Described, kind

BOOLEANS = frozenset({bool})
_LIST = frozenset({list})
_MANY_ROWS = 64


def _packed(value: list[Any]) -> NDArray[np.float64] | None:
    """A large matrix of numbers, or None if that takes a closer look.

    Packing refuses what is ragged or no number, all but true and false, which it takes for 1 and
    0. So only a matrix that holds a 1 or a 0 is looked at cell by cell: a third of the time.
    """
    try:
        pack = Struct(f"{len(value[0])}d").pack
        text = b"".join([pack(*row) for row in value])
    except (TypeError, StructError):
        return None
    cells = np.frombuffer(text, np.float64).reshape(len(value), -1)
    suspect = cells.size == 0 or ((cells == 0.0) | (cells == 1.0)).any()
    return None if suspect else cells


class Matrix(Described[NDArray[np.float64]]):
    """A rectangular, non-empty list of rows of finite numbers, as a float64 array."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/Matrix"}
    cells: frozenset[type] = NUMBERS
    noun = "numbers"
    one = "a number"

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if self.cells is NUMBERS and type(value) is list and len(value) >= _MANY_ROWS:
            packed = _packed(value)
            if packed is not None:
                return packed
        try:
            is_matrix = (
                _LIST.issuperset(map(type, value))
                and len(set(map(len, value))) == 1
                and value[0]
                and self.cells.issuperset(map(type, chain.from_iterable(value)))
            )
        except TypeError:  # not even a list; said below
            is_matrix = False
        if is_matrix:
            return self._array(value)
        raise ValidationError(self._problem(value))

    def _array(self, value: Any) -> Any:
        return np.array(value, np.float64)

    def _problem(self, value: Any) -> Any:
        """The first thing that is wrong, nested by its place."""
        if type(value) is not list:
            return f"A matrix is a list of rows, not {kind(value)}."
        if not value:
            return "The matrix is empty; it needs at least one row."
        width = len(value[0]) if type(value[0]) is list else 0
        for i, row in enumerate(value):
            if type(row) is not list:
                return {i: [f"A row is a list of {self.noun}, not {kind(row)}."]}
            if not row:
                return {i: ["The row is empty; a matrix needs at least one column."]}
            for j, cell in enumerate(row):
                if type(cell) not in self.cells:
                    return {i: {j: [f"A cell must be {self.one}, not {kind(cell)}."]}}
            if len(row) != width:
                cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
                return {i: [f"Row {i} has {cells}, but row 0 has {width}; all need as many."]}
        return "This is not a matrix."


class MaskedMatrix(Matrix):
    """A matrix in which null stands for −∞."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/MaskedMatrix"}
    cells = NUMBERS | {type(None)}
    noun = "numbers and null"
    one = "a number or null"

    def _array(self, value: Any) -> Any:
        array = np.array(value, dtype=np.float64)
        return np.where(np.isnan(array), -np.inf, array)


class BooleanMatrix(Matrix):
    """A rectangular, non-empty list of rows of true and false."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/BooleanMatrix"}
    cells = BOOLEANS
    noun = "booleans"
    one = "true or false"

    def _array(self, value: Any) -> Any:
        return np.array(value, dtype=np.bool_)


class Vector(Matrix):
    """A non-empty list of finite numbers, as a 1 × n array."""

    spec: Mapping[str, Any] = {
        "type": "array",
        "items": {"type": "number", "format": "double"},
    }

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is not list:
            raise ValidationError(f"This must be a list of {self.noun}, not {kind(value)}.")
        for i, cell in enumerate(value):
            if type(cell) not in self.cells:
                raise ValidationError({i: [f"This must be {self.one}, not {kind(cell)}."]})
        if not value:
            raise ValidationError("The list is empty.")
        return self._array([value])


class Booleans(Vector):
    """A non-empty list of true and false, as a 1 × n array."""

    spec: Mapping[str, Any] = {"type": "array", "items": {"type": "boolean"}}
    cells = BOOLEANS
    noun = "booleans"
    one = "true or false"

    def _array(self, value: Any) -> Any:
        return np.array(value, dtype=np.bool_)
