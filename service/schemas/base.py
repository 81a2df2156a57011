"""What every request schema shares: unknown members are named, null and [] mean absent."""

from difflib import get_close_matches
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, missing
from marshmallow.fields import Field

from service.schemas.fields import MOST_PROBLEMS, kind

MOST_CHARACTERS = 100


def is_absent(value: object) -> bool:
    """Several generated clients send null or [] for an optional member that nobody set."""
    return value is None or value == []


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
        self._readers = {
            # deserialize() adds null, default and validators to _deserialize(); null and defaults
            # are dealt with here.
            name: (name, field.deserialize if field.validators else field._deserialize)
            for name, field in self.load_fields.items()
        }
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
            loaded = dict(self._defaults)
            for name, value in data.items():
                attribute, read = self._readers[name]
                if value is None or value == []:
                    if name in self._required:
                        raise ValidationError(name)
                else:
                    loaded[attribute] = read(value, name, data)
            if not self._required <= data.keys():
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
