"""The rules of a teacher's own question: each has a kind, and members of its own beside it."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError

from service.schemas.base import Request
from service.schemas.bounds import Length
from service.schemas.fields import Choice, Described, Flag, Labels, Number, kind
from service.schemas.one_of import OneOf
from service.schemas.quiz.number_rules import NUMBER_RULES, CellRule, Typed

MAX_ACCEPTED = 100
MAX_VARIABLES = 8
_LENGTH = Length(max=MAX_VARIABLES, noun="variables")


class Ranges(Described[dict[str, list[float]]]):
    """Two numbers for each name: the lowest and the highest value that it is tried with."""

    _bound = Number("")
    spec: Mapping[str, Any] = {
        "type": "object",
        "additionalProperties": {
            "type": "array",
            "items": Number.spec,
            "minItems": 2,
            "maxItems": 2,
        },
        "maxProperties": MAX_VARIABLES,
    }

    def read(self, value: Any) -> Any:
        if type(value) is not dict:
            raise ValidationError(f"This must be an object, not {kind(value)}.")
        _LENGTH(value)
        return {name: self._pair(name, pair) for name, pair in value.items()}

    def _pair(self, name: str, pair: Any) -> list[float]:
        if type(pair) is not list or len(pair) != 2:
            raise ValidationError(
                {name: ["This must be a list of two numbers, lowest and highest."]}
            )
        found = []
        for i, bound in enumerate(pair):
            try:
                found.append(self._bound.deserialize(bound))
            except ValidationError as error:
                raise ValidationError({name: {i: error.messages}}) from None
        return found


class MatrixRule(Request):
    """What a matrix and a tensor share."""

    each = CellRule("The rule of every cell.", required=True)
    rows_sum_to_one = Flag(
        "Whether a row in which a number other than 0 is right, and others are wrong, gets back a"
        " quarter of what it lost if none of its cells is negative and they sum to 1.",
        load_default=False,
    )
    blocked_are_zero = Flag(
        "Whether a cell whose key is 0 is blocked: it has to be exactly 0, and the share of those"
        " that are right in a row is multiplied by that of the others. If all of them are 0, and a"
        " number other than 0 is right, the row gets back a quarter of what it lost; with"
        " rows_sum_to_one it takes both.",
        load_default=False,
    )


class CellsRule(MatrixRule):
    """A vector (one row) or a matrix, cell by cell; the score is the share of right cells."""

    kind = Choice("cells", ("cells",), required=True)


class TensorRule(MatrixRule):
    """A matrix for each head, cell by cell; the score is the mean of the heads' scores."""

    kind = Choice("tensor", ("tensor",), required=True)


class ChoiceRule(Request):
    """The right one, or the right ones, of the task's choices."""

    kind = Choice("choice", ("choice",), required=True)
    several = Flag("Whether more than one may be chosen.", load_default=False)
    partial = Flag(  # type: ignore[assignment]  # marshmallow has an option of this name
        "Whether some of several score too: right minus wrong, divided by all that are right.",
        load_default=False,
    )


class OrderingRule(Request):
    """The task's choices, in order."""

    kind = Choice("ordering", ("ordering",), required=True)
    partial = Flag(  # type: ignore[assignment]  # marshmallow has an option of this name
        "Whether an order that is not all right scores too: of its pairs, those in the right order"
        " minus those in the wrong one, divided by all.",
        load_default=False,
    )


class ShortTextRule(Request):
    """The key's words; spaces, hyphens and compatible characters do not matter, accents do."""

    kind = Choice("short_text", ("short_text",), required=True)
    accepted = Labels("Other words that are as right.", validate=Length(max=MAX_ACCEPTED))
    case_matters = Flag("Whether capitals matter.", load_default=False)


class ExpressionRule(Request):
    """A formula with the key's values wherever both are tried."""

    kind = Choice("expression", ("expression",), required=True)
    variables = Ranges("For each letter of the formula, from where to where it is tried.")
    tolerance = Typed("How far from the key's value, as a share of it. 0.000000001 if left out.")


RULES: dict[str, type[Request]] = {
    **NUMBER_RULES,
    "cells": CellsRule,
    "tensor": TensorRule,
    "choice": ChoiceRule,
    "ordering": OrderingRule,
    "short_text": ShortTextRule,
    "expression": ExpressionRule,
}


class Rule(OneOf):
    """How an answer is compared with the key, told apart by `kind`."""

    schemas: Mapping[str, Schema] = {name: schema() for name, schema in RULES.items()}
