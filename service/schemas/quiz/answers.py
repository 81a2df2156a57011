"""What is answered: an answer has a kind, and each kind a member of its own."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError

from service.schemas.base import Request
from service.schemas.bounds import Length
from service.schemas.fields import Choice, Described, Labels, Number, Text, kind, read_each
from service.schemas.one_of import OneOf

MAX_CELLS = 4_096
MAX_TEXT = 10_000


class TypedCells(Described[list[list[Any]]]):
    """A list of rows of typed text or numbers, which may be ragged: the grader says so."""

    spec: Mapping[str, Any] = {
        "type": "array",
        "items": {"type": "array", "items": {"type": "string"}},
    }

    def read(self, value: Any) -> Any:
        if type(value) is not list:
            raise ValidationError(f"A matrix is a list of rows, not {kind(value)}.")
        cells = 0
        for i, row in enumerate(value):
            if type(row) is not list:
                raise ValidationError({i: [f"A row is a list of cells, not {kind(row)}."]})
            for j, cell in enumerate(row):
                if type(cell) not in (str, int, float):
                    raise ValidationError(
                        {i: {j: [f"A cell is text or a number, not {kind(cell)}."]}}
                    )
            cells += len(row)
        if cells > MAX_CELLS:
            raise ValidationError(
                f"The matrix has {cells:,} cells; at most {MAX_CELLS:,} are read."
            )
        return value


class TextAnswer(Request):
    """What a student typed."""

    kind = Choice("text", ("text",), required=True)
    text = Text(
        "As typed: 9,216, 1/2, −0.5, 58 billion.", required=True, validate=Length(max=MAX_TEXT)
    )


class NumberAnswer(Request):
    """A JSON number, read by its shortest decimal digits."""

    kind = Choice("number", ("number",), required=True)
    number = Number("The number.", required=True)


class ChoiceAnswer(Request):
    """The options that were chosen; where an order is asked for, all of them in order."""

    kind = Choice("choice", ("choice",), required=True)
    choices = Labels("Their ids.", required=True)


class MatrixAnswer(Request):
    """A vector (one row) or a matrix, its cells as they were typed."""

    kind = Choice("matrix", ("matrix",), required=True)
    matrix = TypedCells("Rows of cells as typed; JSON numbers are taken too.", required=True)


class TypedHeads(Described[list[list[list[Any]]]]):
    """A list of matrices of typed text or numbers, one for each head."""

    spec: Mapping[str, Any] = {"type": "array", "items": TypedCells.spec}
    _one = TypedCells("")

    def read(self, value: Any) -> Any:
        heads = read_each(value, "matrices", self._one.deserialize)
        cells = sum(len(row) for head in heads for row in head)
        if cells > MAX_CELLS:
            raise ValidationError(
                f"The heads have {cells:,} cells; at most {MAX_CELLS:,} are read."
            )
        return heads


class TensorAnswer(Request):
    """A matrix for each head, their cells as they were typed."""

    kind = Choice("tensor", ("tensor",), required=True)
    heads = TypedHeads("A matrix for each head, as rows of cells.", required=True)


class TypedSteps(Described[dict[str, list[list[Any]]]]):
    """A matrix of typed text or numbers for each name."""

    spec: Mapping[str, Any] = {"type": "object", "additionalProperties": TypedCells.spec}
    _one = TypedCells("")

    def read(self, value: Any) -> Any:
        if type(value) is not dict:
            raise ValidationError(f"This must be an object, not {kind(value)}.")
        loaded, problems = {}, {}
        for name, rows in value.items():
            try:
                loaded[name] = self._one.deserialize(rows)
            except ValidationError as error:
                # A plain Dict would say key or value in between, which the body has not.
                problems[name] = error.messages
        if problems:
            raise ValidationError(problems)
        return loaded


class StepsAnswer(Request):
    """Matrices by the name of the step, for exercises in several steps."""

    kind = Choice("steps", ("steps",), required=True)
    steps = TypedSteps("For each step that was worked out, its matrix.", required=True)


ANSWERS: dict[str, type[Request]] = {
    "text": TextAnswer,
    "number": NumberAnswer,
    "choice": ChoiceAnswer,
    "matrix": MatrixAnswer,
    "tensor": TensorAnswer,
    "steps": StepsAnswer,
}


class Answer(OneOf):
    """One of the kinds of answer, told apart by `kind`."""

    schemas: Mapping[str, Schema] = {name: schema() for name, schema in ANSWERS.items()}
