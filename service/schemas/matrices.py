"""Matrices and vectors of the wire: their fields, and what is said of one that is refused.

Only a refused matrix is walked through, to find the first bad cell.
"""

from collections.abc import Callable, Mapping
from typing import Any

from marshmallow import ValidationError
from numpy.typing import NDArray

from service.schemas.cells import (
    BOOLEANS,
    NUMBERS,
    NUMBERS_AND_NULL,
    booleans,
    numbers,
    numbers_and_null,
)
from service.schemas.fields import Described, kind


class Matrix(Described[NDArray[Any]]):
    """A rectangular, non-empty list of rows of finite numbers, as a float64 array."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/Matrix"}
    array: Callable[[Any], NDArray[Any] | None] = staticmethod(numbers)
    cells: frozenset[type] = NUMBERS
    noun = "numbers"
    one = "a number"

    def read(self, value: Any) -> NDArray[Any]:
        array = self.array(value)
        if array is None:
            raise ValidationError(self._problem(value))
        return array

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
    array = staticmethod(numbers_and_null)
    cells = NUMBERS_AND_NULL
    noun = "numbers and null"
    one = "a number or null"


class BooleanMatrix(Matrix):
    """A rectangular, non-empty list of rows of true and false."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/BooleanMatrix"}
    array = staticmethod(booleans)
    cells = BOOLEANS
    noun = "booleans"
    one = "true or false"


class Vector(Matrix):
    """A non-empty list of finite numbers, as a 1 × n array."""

    spec: Mapping[str, Any] = {
        "type": "array",
        "items": {"type": "number", "format": "double"},
    }
    array: Callable[[Any], NDArray[Any] | None] = staticmethod(lambda row: numbers([row]))

    def _problem(self, value: Any) -> Any:
        if type(value) is not list:
            return f"This must be a list of {self.noun}, not {kind(value)}."
        for i, cell in enumerate(value):
            if type(cell) not in self.cells:
                return {i: [f"This must be {self.one}, not {kind(cell)}."]}
        return "The list is empty."


class Booleans(Vector):
    """A non-empty list of true and false, as a 1 × n array."""

    spec: Mapping[str, Any] = {"type": "array", "items": {"type": "boolean"}}
    array = staticmethod(lambda row: booleans([row]))
    cells = BOOLEANS
    noun = "booleans"
    one = "true or false"
