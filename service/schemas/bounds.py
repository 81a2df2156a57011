"""Bounds of a value or of a length, and what is said of one that is out of them."""

from typing import Any

from marshmallow import ValidationError, validate


def _within(least: float | None, most: float | None) -> str:
    """ "from 1 to 1,000", "at least 1", "at most 96"."""
    if least is None:
        return f"at most {most:,}"
    return f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"


class Range(validate.Range):
    """A number from min to max; without min_inclusive, greater than min."""

    def __init__(
        self, min: float | None = None, max: float | None = None, *, min_inclusive: bool = True
    ) -> None:
        said = _within(min, max) if min_inclusive else f"greater than {min:,}"
        super().__init__(min, max, min_inclusive=min_inclusive, error=f"This must be {said}.")


class Length(validate.Length):
    """From min to max characters of a text, or members of a list; a list may have a noun."""

    def __init__(
        self, min: int | None = None, max: int | None = None, *, noun: str = "members"
    ) -> None:
        super().__init__(min, max)
        self.noun = noun

    def __call__(self, value: Any) -> Any:
        length = len(value)
        if length < (self.min or 0) or (self.max is not None and length > self.max):
            noun = "characters" if type(value) is str else self.noun
            raise ValidationError(
                f"This must have {_within(self.min, self.max)} {noun}, not {length:,}."
            )
        return value
