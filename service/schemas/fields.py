"""Strict fields: what is not exactly a number, a flag or a name is refused, with its place.

marshmallow's own fields read "1.5" as 1.5, "yes" as true and 2.5 as 2. Ours take JSON types as they
are. A matrix is checked by a few calls over all its cells; only a refused one is walked through,
to find the first bad cell.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from marshmallow import Schema, ValidationError, fields
from numpy.typing import NDArray

T = TypeVar("T")

NUMBERS = frozenset({int, float})
BOOLEANS = frozenset({bool})
_LIST = frozenset({list})

_KINDS = {str: "a string", bool: "a boolean", type(None): "null", dict: "an object", list: "a list"}


def kind(value: object) -> str:
    """What a JSON value is, in words."""
    return _KINDS.get(type(value), "a number")


class Described(fields.Field[T]):
    """A field that says what it is for; `spec` is its type in the contract."""

    spec: Mapping[str, Any] = {}

    def __init__(self, about: str, **kwargs: Any) -> None:
        super().__init__(metadata={"description": about}, **kwargs)


class Matrix(Described[NDArray[np.float64]]):
    """A rectangular, non-empty list of rows of finite numbers, as a float64 array."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/Matrix"}
    cells: frozenset[type] = NUMBERS
    dtype: Any = np.float64
    noun = "numbers"

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
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
        return np.array(value, dtype=self.dtype)

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
                    return {i: {j: [f"A cell here is one of {self.noun}, not {kind(cell)}."]}}
            if len(row) != width:
                return {
                    i: [f"Row {i} has {len(row)} cells, but row 0 has {width}; all need the same."]
                }
        return "This is not a matrix."


class MaskedMatrix(Matrix):
    """A matrix in which null stands for −∞."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/MaskedMatrix"}
    cells = NUMBERS | {type(None)}
    noun = "numbers and null"

    def _array(self, value: Any) -> Any:
        array = np.array(value, dtype=np.float64)
        return np.where(np.isnan(array), -np.inf, array)


class BooleanMatrix(Matrix):
    """A rectangular, non-empty list of rows of true and false."""

    spec: Mapping[str, Any] = {"$ref": "#/components/schemas/BooleanMatrix"}
    cells = BOOLEANS
    dtype = np.bool_
    noun = "booleans"


class Vector(Matrix):
    """A non-empty list of finite numbers, as a 1 × n array."""

    spec: Mapping[str, Any] = {
        "type": "array",
        "items": {"type": "number", "format": "double"},
    }

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is not list:
            raise ValidationError(f"This is a list of {self.noun}, not {kind(value)}.")
        for i, cell in enumerate(value):
            if type(cell) not in self.cells:
                raise ValidationError({i: [f"This is one of {self.noun}, not {kind(cell)}."]})
        if not value:
            raise ValidationError("The list is empty.")
        return self._array([value])


class Booleans(Vector):
    """A non-empty list of true and false, as a 1 × n array."""

    spec: Mapping[str, Any] = {"type": "array", "items": {"type": "boolean"}}
    cells = BOOLEANS
    dtype = np.bool_
    noun = "booleans"


class Labels(Described[list[str]]):
    """A list of strings, taken as they are."""

    spec: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is list and {str}.issuperset(map(type, value)):
            return value
        if type(value) is not list:
            raise ValidationError(f"This is a list of strings, not {kind(value)}.")
        i = next(i for i, label in enumerate(value) if type(label) is not str)
        raise ValidationError({i: [f"This is a string, not {kind(value[i])}."]})


class Number(Described[float]):
    """A finite JSON number."""

    spec: Mapping[str, Any] = {"type": "number", "format": "double"}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) not in NUMBERS:
            raise ValidationError(f"This is a number, not {kind(value)}.")
        return float(value)


class Whole(Described[int]):
    """A whole JSON number; 3.0 is one, 2.5 is not."""

    spec: Mapping[str, Any] = {"type": "integer", "format": "int64"}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is int:
            return value
        if type(value) is float and value.is_integer():
            return int(value)
        said = f"{value}" if type(value) is float else kind(value)
        raise ValidationError(f"This is a whole number, not {said}.")


class Flag(Described[bool]):
    """true or false, and nothing that looks like it."""

    spec: Mapping[str, Any] = {"type": "boolean"}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is not bool:
            raise ValidationError(f"This is true or false, not {kind(value)}.")
        return value


class Text(Described[str]):
    """A string."""

    spec: Mapping[str, Any] = {"type": "string"}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is not str:
            raise ValidationError(f"This is a string, not {kind(value)}.")
        return value


class Choice(Text):
    """One of a few strings."""

    def __init__(self, about: str, choices: Iterable[str], **kwargs: Any) -> None:
        super().__init__(about, **kwargs)
        self.choices = tuple(choices)
        self.spec = {"type": "string", "enum": list(self.choices)}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if value in self.choices if type(value) is str else False:
            return value
        said = f'"{value}"' if type(value) is str else kind(value)
        raise ValidationError(f"This is one of {', '.join(self.choices)}, not {said}.")


class Object(Described[dict[str, Any]]):
    """An object with a schema of its own."""

    def __init__(self, about: str, schema: Schema, **kwargs: Any) -> None:
        super().__init__(about, **kwargs)
        self.schema = schema
        self.spec = {"$ref": f"#/components/schemas/{type(schema).__name__}"}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return self.schema.load(value)


class Objects(Object):
    """A list of objects with one schema."""

    def __init__(self, about: str, schema: Schema, **kwargs: Any) -> None:
        super().__init__(about, schema, **kwargs)
        self.spec = {"type": "array", "items": self.spec}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is not list:
            raise ValidationError(f"This is a list of objects, not {kind(value)}.")
        loaded, problems = [], {}
        for i, member in enumerate(value):
            try:
                loaded.append(self.schema.load(member))
            except ValidationError as error:
                problems[i] = error.messages
        if problems:
            raise ValidationError(problems)
        return loaded
