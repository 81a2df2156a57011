"""What every request schema shares: unknown members are named, null and [] mean absent."""

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, missing
from marshmallow.fields import Field

from service.schemas.fields import MOST_PROBLEMS, Described, kind

MOST_CHARACTERS = 100


def is_absent(value: object) -> bool:
    """Several generated clients send null or [] for an optional member that nobody set."""
    return value is None or value == []


def _reader(field: Field[Any]) -> Callable[[Any], Any]:
    """What the field makes of a value that is there: its deserialize() without null and defaults.

    Whatever it refuses is put to deserialize() as well, which has the messages.
    """
    if isinstance(field, Described):
        read = field.read
    else:
        read = partial(field._deserialize, attr=None, data=None)
    if not field.validators:
        return read

    def validated(value: Any) -> Any:
        loaded = read(value)
        for validate in field.validators:
            validate(loaded)
        return loaded

    return validated


class Request(Schema):
    """A schema that loads a valid request in one pass over its members.

    marshmallow visits every declared field; with some twenty optional ones that costs more than
    the attention itself. So the members that are there are read by their fields, and only if one
    of them is refused does marshmallow load it all, for all messages at once.
    """

    class Meta:
        unknown = RAISE

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._readers = {name: _reader(field) for name, field in self.load_fields.items()}
        for name, field in self.load_fields.items():
            if field.error_messages["required"] == Field.default_error_messages["required"]:
                said = {"required": f"{name} is missing."}
                field.error_messages = field.error_messages | said
        self._required = {name for name, field in self.load_fields.items() if field.required}
        self._defaults = {
            name: field.load_default
            for name, field in self.load_fields.items()
            if field.load_default is not missing
        }

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The members of a valid request; ValidationError, nested by place, for any other."""
        if type(data) is not dict:
            raise ValidationError(f"This must be an object, not {kind(data)}.")
        try:
            loaded = self._defaults.copy()
            for name, value in data.items():
                read = self._readers[name]
                if value or not is_absent(value):
                    loaded[name] = read(value)
            if not self._required <= loaded.keys():
                raise ValidationError("required")
            return loaded
        except (KeyError, ValidationError):
            return self._load_all(data)

    def _load_all(self, data: dict[str, Any]) -> Any:
        optional = self.load_fields.keys() - self._required
        return super().load(
            {k: v for k, v in data.items() if k not in optional or not is_absent(v)}
        )

    def handle_error(self, error: ValidationError, data: Any, **kwargs: Any) -> None:
        """Name the nearest known member beside each unknown one, in the order of the request."""
        messages = error.messages
        assert isinstance(messages, dict)
        unknown = [name for name in data if name not in self.load_fields]
        for name in unknown:
            messages.pop(name, None)
        for name in unknown[:MOST_PROBLEMS]:
            said = name[:MOST_CHARACTERS]
            by_lower = {known.lower(): known for known in self.load_fields}
            near = get_close_matches(said.lower(), by_lower, n=1)
            known = (
                f"Did you mean {by_lower[near[0]]}?"
                if near
                else f"Known: {', '.join(self.load_fields)}."
            )
            messages[name] = [f"Unknown field {said}. {known}"]
