"""Strict fields: what is not exactly a number, a flag or a name is refused, with its place.

marshmallow's own fields read "1.5" as 1.5, "yes" as true and 2.5 as 2. Ours take JSON types as they
are.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from marshmallow import Schema, ValidationError, fields

from service.schemas.bounds import Length, Range
from service.schemas.cells import NUMBERS

T = TypeVar("T")

STRINGS = frozenset({str})
INTEGERS = frozenset({int})
EXACT_IN_A_DOUBLE = 2**53 - 1
# Of a request in which every member is wrong, a reader needs no more.
MOST_PROBLEMS = 100

_KINDS = {str: "a string", bool: "a boolean", type(None): "null", dict: "an object", list: "a list"}


def kind(value: object) -> str:
    """What a JSON value is, in words."""
    return _KINDS.get(type(value), "a number")


def read_each(value: Any, noun: str, read: Callable[[Any], Any]) -> list[Any]:
    """Each member of a list, or ValidationError with what is wrong, by place."""
    if type(value) is not list:
        raise ValidationError(f"This must be a list of {noun}, not {kind(value)}.")
    loaded, problems = [], {}
    for i, member in enumerate(value):
        try:
            loaded.append(read(member))
        except ValidationError as error:
            problems[i] = error.messages
            if len(problems) == MOST_PROBLEMS:
                break
    if problems:
        raise ValidationError(problems)
    return loaded


def check_length(field: fields.Field[Any], value: Any) -> None:
    """Raise ValidationError for a list that is too long, before a million members are read."""
    if type(value) is list:
        for validator in field.validators:
            if isinstance(validator, Length):
                validator(value)


class Described(fields.Field[T]):
    """A field that says what it is for, and reads a value that is there.

    `spec` is its type in the contract.
    """

    spec: Mapping[str, Any] = {}

    def __init__(self, about: str, **kwargs: Any) -> None:
        super().__init__(metadata={"description": about}, **kwargs)
        self.error_messages["null"] = "This must not be null."

    def read(self, value: Any) -> Any:
        """What a JSON value stands for, or ValidationError."""
        return value

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return self.read(value)


class Labels(Described[list[str]]):
    """A list of strings, taken as they are."""

    spec: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}

    def read(self, value: Any) -> Any:
        if type(value) is list and STRINGS.issuperset(map(type, value)):
            return value
        if type(value) is not list:
            raise ValidationError(f"This must be a list of strings, not {kind(value)}.")
        i = next(i for i, label in enumerate(value) if type(label) is not str)
        raise ValidationError({i: [f"This must be a string, not {kind(value[i])}."]})


class Number(Described[float]):
    """A finite JSON number."""

    spec: Mapping[str, Any] = {"type": "number", "format": "double"}

    def read(self, value: Any) -> Any:
        if type(value) not in NUMBERS:
            raise ValidationError(f"This must be a number, not {kind(value)}.")
        return float(value) + 0.0  # −0.0 is 0.0


class Whole(Described[int]):
    """A whole JSON number; 3.0 is one, 2.5 is not, and beyond 2^53 - 1 nobody can tell."""

    spec: Mapping[str, Any] = {"type": "integer", "format": "int64"}

    def read(self, value: Any) -> Any:
        if type(value) is int or (type(value) is float and value.is_integer()):
            if abs(value) > EXACT_IN_A_DOUBLE:
                raise ValidationError(
                    f"This must be at most {EXACT_IN_A_DOUBLE:,} (2^53 - 1) in size."
                )
            return int(value)
        said = f"{value}" if type(value) is float else kind(value)
        raise ValidationError(f"This must be a whole number, not {said}.")


class Wholes(Described[list[int]]):
    """A list of whole numbers, each within limits."""

    def __init__(self, about: str, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(about, **kwargs)
        self._one = Whole("", validate=Range(least, most))
        self._least, self._most = least, most
        limits = {"minimum": least, "maximum": most}
        self.spec = {"type": "array", "items": {**Whole.spec, **limits}}

    def read(self, value: Any) -> Any:
        check_length(self, value)
        # As it is nearly always: reading each takes ten times as long.
        is_plain = type(value) is list and value and INTEGERS.issuperset(map(type, value))
        if is_plain and self._least <= min(value) and max(value) <= self._most:
            return value
        return read_each(value, "whole numbers", self._one.deserialize)


class Flag(Described[bool]):
    """true or false, and nothing that looks like it."""

    spec: Mapping[str, Any] = {"type": "boolean"}

    def read(self, value: Any) -> Any:
        if type(value) is not bool:
            raise ValidationError(f"This must be true or false, not {kind(value)}.")
        return value


class Text(Described[str]):
    """A string."""

    spec: Mapping[str, Any] = {"type": "string"}

    def read(self, value: Any) -> Any:
        if type(value) is not str:
            raise ValidationError(f"This must be a string, not {kind(value)}.")
        return value


class Choice(Text):
    """One of a few strings."""

    def __init__(self, about: str, choices: Iterable[str], **kwargs: Any) -> None:
        super().__init__(about, **kwargs)
        self.choices = tuple(choices)
        self.spec = {"type": "string", "enum": list(self.choices)}

    def read(self, value: Any) -> Any:
        if value in self.choices if type(value) is str else False:
            return value
        said = f'"{value}"' if type(value) is str else kind(value)
        raise ValidationError(f"This must be one of {', '.join(self.choices)}, not {said}.")


class Object(Described[dict[str, Any]]):
    """An object with a schema of its own."""

    def __init__(self, about: str, schema: Schema, **kwargs: Any) -> None:
        super().__init__(about, **kwargs)
        self.schema = schema
        self.spec = {"$ref": f"#/components/schemas/{type(schema).__name__}"}

    def read(self, value: Any) -> Any:
        return self.schema.load(value)


class Objects(Object):
    """A list of objects with one schema."""

    def __init__(self, about: str, schema: Schema, **kwargs: Any) -> None:
        super().__init__(about, schema, **kwargs)
        self.spec = {"type": "array", "items": self.spec}

    def read(self, value: Any) -> Any:
        check_length(self, value)
        return read_each(value, "objects", self.schema.load)
