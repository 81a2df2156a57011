"""Fields of a query string, where all values are text."""

from typing import Any

from marshmallow import ValidationError

from service.schemas.fields import Whole


class Digits(Whole):
    """A whole number in digits."""

    def read(self, value: Any) -> Any:
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 20:
            return super().read(int(value))
        raise ValidationError(f'This must be a whole number in digits, not "{value}".')
