"""A field that takes one of several objects, told apart by their `kind`."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError

from service.schemas.fields import Described, kind


class OneOf(Described[dict[str, Any]]):
    """A subclass names a component of the contract: its docstring, and its schemas by kind.

    Each schema has a required member `kind` whose one value is its name here, and members of its
    own beside it; that is what generated clients need to tell them apart.
    """

    schemas: Mapping[str, Schema] = {}

    def __init__(self, about: str, **kwargs: Any) -> None:
        super().__init__(about, **kwargs)
        self.spec = {"$ref": f"#/components/schemas/{type(self).__name__}"}

    def read(self, value: Any) -> Any:
        if type(value) is not dict:
            raise ValidationError(f"This must be an object, not {kind(value)}.")
        schema = self.schemas.get(value["kind"]) if isinstance(value.get("kind"), str) else None
        if schema is None:
            raise ValidationError({"kind": [f"This must be one of {', '.join(self.schemas)}."]})
        return schema.load(value)
