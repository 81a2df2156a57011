"""Rules for one number, which are rules for the cells of a matrix too."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError

from service.schemas.base import Request
from service.schemas.bounds import Length, Range
from service.schemas.cells import NUMBERS
from service.schemas.fields import Choice, Described, Flag, Whole, kind
from service.schemas.one_of import OneOf

MAX_DIGITS = 40
MAX_TYPED = 200
MOST_DECIMALS = 12
_LENGTH = Length(max=MAX_TYPED)


class Typed(Described[str | float]):
    """A number as typed text; a JSON number is taken too, by its shortest decimal digits."""

    spec: Mapping[str, Any] = {"type": "string"}

    def read(self, value: Any) -> Any:
        if type(value) is not str and type(value) not in NUMBERS:
            raise ValidationError(f"This must be typed text or a number, not {kind(value)}.")
        return _LENGTH(value) if type(value) is str else value


class NumberRule(Request):
    """What every rule for one number can have."""

    arithmetic = Flag("Whether simple arithmetic such as 2*3 is read too.", load_default=False)


class IntegerRule(NumberRule):
    """The whole number, exactly."""

    kind = Choice("integer", ("integer",), required=True)


class AbsoluteRule(NumberRule):
    """Within a tolerance, the bounds included."""

    kind = Choice("absolute", ("absolute",), required=True)
    tolerance = Typed(
        "As typed: 0.005, 1/200. A JSON number is taken too, by its shortest decimal.",
        required=True,
    )


class RelativeRule(NumberRule):
    """Within a share of the key, the bounds included."""

    kind = Choice("relative", ("relative",), required=True)
    tolerance = Typed(
        "As typed: 0.01, 1 %. A JSON number is taken too, by its shortest decimal.", required=True
    )


class SignificantFiguresRule(NumberRule):
    """Equal to the key when both are rounded; a half may be rounded either way."""

    kind = Choice("significant_figures", ("significant_figures",), required=True)
    figures = Whole("To how many figures.", required=True, validate=Range(1, MAX_DIGITS))
    written_so = Flag(
        "Whether the answer has to be typed with as many; if it is not, it is half right.",
        load_default=False,
    )


class DecimalPlacesRule(NumberRule):
    """Equal to the key when both are rounded; a half may be rounded either way."""

    kind = Choice("decimal_places", ("decimal_places",), required=True)
    places = Whole("To how many decimals.", required=True, validate=Range(0, MAX_DIGITS))
    written_so = Flag(
        "Whether the answer has to be typed with as many; if it is not, it is half right.",
        load_default=False,
    )


class RangeRule(NumberRule):
    """Anywhere in a range; the key is one number that is right, to be shown."""

    kind = Choice("range", ("range",), required=True)
    lowest = Typed("As typed; the range is open below if left out.")
    highest = Typed("As typed; the range is open above if left out.")
    lowest_included = Flag("Whether lowest itself is right.", load_default=True)
    highest_included = Flag("Whether highest itself is right.", load_default=True)


class DerivedRule(NumberRule):
    """What honest rounding of every intermediate result can lead to; for a computed key only."""

    kind = Choice("derived", ("derived",), required=True)
    decimals = Whole(
        "To how many decimals, or more, each step may be rounded.",
        required=True,
        validate=Range(0, MOST_DECIMALS),
    )


NUMBER_RULES: dict[str, type[NumberRule]] = {
    "integer": IntegerRule,
    "absolute": AbsoluteRule,
    "relative": RelativeRule,
    "significant_figures": SignificantFiguresRule,
    "decimal_places": DecimalPlacesRule,
    "range": RangeRule,
    "derived": DerivedRule,
}


class CellRule(OneOf):
    """A rule for one number, told apart by `kind`."""

    schemas: Mapping[str, Schema] = {name: schema() for name, schema in NUMBER_RULES.items()}
