"""The named schemas of the contract, from marshmallow's.

apispec reads marshmallow's own fields; ours say their type themselves (`spec`), and the docstring
of a schema is its description.
"""

from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, missing
from marshmallow.fields import Field

from service.api.openapi_text import paragraphs
from service.schemas.fields import Described, Object
from service.schemas.one_of import OneOf

_NUMBER = {"type": "number", "format": "double"}


def _matrix(cell: dict[str, Any], about: str) -> dict[str, Any]:
    return {
        "type": "array",
        "description": about,
        "items": {"type": "array", "minItems": 1, "items": cell},
    }


# A cell is written where it is used: behind a reference, many generators lose its null.
MATRICES = {
    "Matrix": _matrix(_NUMBER, "A list of rows, all of one length."),
    "MaskedMatrix": _matrix(
        _NUMBER | {"type": ["number", "null"]},
        "A list of rows, all of one length, in which null stands for −∞: a blocked cell.",
    ),
    "BooleanMatrix": _matrix({"type": "boolean"}, "A list of rows, all of one length."),
}


class Converter(OpenAPIConverter):
    """apispec's converter, with what our fields and schemas say of themselves."""

    def init_attribute_functions(self) -> None:
        """Our types come first, so that ranges and nulls build on them."""
        super().init_attribute_functions()  # type: ignore[no-untyped-call]
        self.attribute_functions.insert(1, self.described2type)

    def described2type(self, field: Field[Any], **_: Any) -> dict[str, Any]:
        """The type of one of our own fields."""
        if not isinstance(field, Described):
            return {}
        if isinstance(field, OneOf):
            self._one_of(field)
        if isinstance(field, Object):
            self.resolve_nested_schema(field.schema)  # type: ignore[no-untyped-call]
        return dict(field.spec)

    def _one_of(self, field: OneOf) -> None:
        """A component for a field that takes one of several schemas, told apart by kind."""
        name = type(field).__name__
        if name in self.spec.components.schemas:
            return
        of = {kind: self.resolve_nested_schema(schema) for kind, schema in field.schemas.items()}  # type: ignore[no-untyped-call]
        mapping = {kind: reference["$ref"] for kind, reference in of.items()}
        one_of = {
            "description": "\n\n".join(paragraphs(type(field).__doc__)),
            "oneOf": list(of.values()),
            "discriminator": {"propertyName": "kind", "mapping": mapping},
        }
        self.spec.components.schema(name, one_of)

    def field2default(self, field: Field[Any], **_: Any) -> dict[str, Any]:
        """Nothing: see metadata2properties.

        `default` says that a member may be left out, but openapi-typescript takes it to say
        that the member is always there, and then wants it in each request.
        """
        return {}

    def metadata2properties(self, field: Field[Any], **kwargs: Any) -> dict[str, Any]:
        """The description, which names the default."""
        found = dict(super().metadata2properties(field, **kwargs))
        if field.load_default not in (missing, None):
            found["description"] = f"{found['description']} Default {field.load_default}."
        return found

    def list2properties(self, field: Field[Any], **_: Any) -> dict[str, Any]:
        """What a list holds; what is said of its members is said of the list."""
        found = dict(super().list2properties(field))
        if "items" in found and "$ref" not in found["items"] and "description" in found["items"]:
            found["description"] = found["items"].pop("description")
        return found

    def field2length(self, field: Field[Any], **kwargs: Any) -> dict[str, Any]:
        """How long a text may be, or a list, which apispec takes for a text if it is ours."""
        found: dict[str, Any] = super().field2length(field, **kwargs)
        if kwargs["ret"].get("type") == "array":
            return {name.replace("Length", "Items"): limit for name, limit in found.items()}
        return found

    def field2range(self, field: Field[Any], ret: dict[str, Any]) -> dict[str, Any]:
        """Limits, open ones included, which apispec takes for closed."""
        found: dict[str, Any] = super().field2range(field, ret)
        for validator in field.validators:
            if getattr(validator, "min_inclusive", True) is False:
                found["exclusiveMinimum"] = found.pop("minimum")
            if getattr(validator, "max_inclusive", True) is False:
                found["exclusiveMaximum"] = found.pop("maximum")
        return found

    def schema2jsonschema(self, schema: Schema) -> dict[str, Any]:
        """A schema with its docstring, its own members before those that it shares."""
        found: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        kin = [base for base in type(schema).__mro__ if issubclass(base, Schema)]

        def sharers(name: str) -> int:
            return sum(name in base._declared_fields for base in kin)

        properties = found.pop("properties")
        ordered = {name: properties[name] for name in sorted(properties, key=sharers)}
        about = {"description": "\n\n".join(paragraphs(type(schema).__doc__))}
        if "required" in found:
            found["required"].sort(key=list(ordered).index)
        return about | found | {"properties": ordered}


class Plugin(MarshmallowPlugin):
    """apispec's marshmallow plugin with our converter."""

    Converter = Converter

    def __init__(self) -> None:
        super().__init__(schema_name_resolver=_name)


def _name(schema: Any) -> str:
    return (schema if isinstance(schema, type) else type(schema)).__name__


def reference(spec: APISpec, schema: type[Schema]) -> dict[str, Any]:
    """A reference to a schema, which becomes one of the contract's."""
    found = _converter(spec).resolve_nested_schema(schema)  # type: ignore[no-untyped-call]
    return dict(found)


def query_parameters(spec: APISpec, schema: type[Schema]) -> list[dict[str, Any]]:
    """The members of a schema as parameters of a query."""
    found: list[dict[str, Any]] = _converter(spec).schema2parameters(schema, location="query")
    return found


def _converter(spec: APISpec) -> Converter:
    (plugin,) = spec.plugins
    assert isinstance(plugin, Plugin)
    assert isinstance(plugin.converter, Converter)
    return plugin.converter
