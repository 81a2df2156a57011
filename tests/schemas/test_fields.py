"""Each class of field: what it takes and as what, what it refuses, where and with which words."""

from typing import Any

import numpy as np
import pytest
from marshmallow import ValidationError

from service.app import create_app
from service.schemas.base import Request
from service.schemas.bounds import Range
from service.schemas.fields import (
    Choice,
    Described,
    Flag,
    Labels,
    Number,
    Object,
    Objects,
    Text,
    Whole,
    Wholes,
)
from service.schemas.matrices import (
    BooleanMatrix,
    Booleans,
    MaskedMatrix,
    Matrix,
    Vector,
)
from service.schemas.one_of import OneOf
from service.schemas.query import Digits
from service.schemas.quiz.answers import Answer, TypedCells, TypedHeads, TypedSteps
from service.schemas.quiz.number_rules import CellRule, Typed
from service.schemas.quiz.rules import Ranges, Rule
from service.schemas.quiz.tasks import Answers
from service.schemas.trace import Explain, ExplainCell

Path = tuple[str | int, ...]
INF = float("inf")


class Inner(Request):
    """An object inside another."""

    size = Whole("A size.", required=True, validate=Range(min=1))
    name = Text("A name.")


FIELDS: dict[str, Described[Any]] = {
    "labels": Labels(""),
    "number": Number(""),
    "positive": Number("", validate=Range(min=0, min_inclusive=False)),
    "whole": Whole(""),
    "digits": Digits(""),
    "from 1 to 9": Whole("", validate=Range(1, 9)),
    "wholes": Wholes("", least=1, most=9),
    "flag": Flag(""),
    "text": Text(""),
    "choice": Choice("", ("up", "down")),
    "object": Object("", Inner()),
    "objects": Objects("", Inner()),
    "matrix": Matrix(""),
    "masked": MaskedMatrix(""),
    "booleans": BooleanMatrix(""),
    "vector": Vector(""),
    "flags": Booleans(""),
    "explain": Explain("", ExplainCell()),
    "typed": TypedCells(""),
    "heads": TypedHeads(""),
    "steps": TypedSteps(""),
    "answer": Answer(""),
    "answers": Answers(""),
    "typed number": Typed(""),
    "ranges": Ranges(""),
    "rule": Rule(""),
    "rule of cells": CellRule(""),
}

INTEGER = {"kind": "integer", "arithmetic": False}

TAKEN: list[tuple[str, Any, Any]] = [
    ("labels", ["a", "", "a", "ü"], ["a", "", "a", "ü"]),
    ("number", 3, 3.0),
    ("number", -2.5, -2.5),
    ("number", 5e-324, 5e-324),
    ("number", 1.7976931348623157e308, 1.7976931348623157e308),
    ("number", 2**63, 9.223372036854776e18),
    ("number", -0.0, 0.0),
    ("positive", 5e-324, 5e-324),
    ("whole", 0, 0),
    ("digits", "0", 0),
    ("digits", "9007199254740991", 2**53 - 1),
    ("whole", -7, -7),
    ("whole", 3.0, 3),
    ("whole", 1e3, 1000),
    ("whole", 2**53 - 1, 2**53 - 1),
    ("whole", -(2**53) + 1, -(2**53) + 1),
    ("from 1 to 9", 1, 1),
    ("from 1 to 9", 9.0, 9),
    ("wholes", [1, 9.0, 1], [1, 9, 1]),
    ("wholes", [9, 1], [9, 1]),
    ("wholes", [], []),
    ("flag", True, True),
    ("flag", False, False),
    ("text", "", ""),
    ("text", "9,216", "9,216"),
    ("choice", "down", "down"),
    ("object", {"size": 3.0}, {"size": 3}),
    ("object", {"size": 3, "name": None}, {"size": 3}),
    ("object", {"name": "x", "size": 3}, {"size": 3, "name": "x"}),
    ("objects", [{"size": 1}, {"size": 2, "name": []}], [{"size": 1}, {"size": 2}]),
    ("explain", "all", [{"step": "*"}]),
    ("explain", [{"step": "Q", "row": 0}], [{"step": "Q", "row": 0}]),
    ("explain", [{"step": "Q", "row": None}], [{"step": "Q"}]),
    ("explain", [{"step": "Q", "trace": "heads/0"}], [{"step": "Q", "trace": "heads/0"}]),
    ("typed", [["1/2", 0.5], [1]], [["1/2", 0.5], [1]]),
    ("typed", [], []),
    ("typed", [["1"] * 4096], [["1"] * 4096]),
    ("answer", {"kind": "text", "text": ""}, {"kind": "text", "text": ""}),
    ("answer", {"kind": "number", "number": 4}, {"kind": "number", "number": 4.0}),
    ("answer", {"kind": "choice", "choices": ["b"]}, {"kind": "choice", "choices": ["b"]}),
    ("answer", {"kind": "matrix", "matrix": [[1]]}, {"kind": "matrix", "matrix": [[1]]}),
    (
        "answer",
        {"kind": "steps", "steps": {"weights": [["1"]]}},
        {"kind": "steps", "steps": {"weights": [["1"]]}},
    ),
    ("steps", {"Q": [["1/2", 1]]}, {"Q": [["1/2", 1]]}),
    ("heads", [[["1/2"]], [[1, 0.5]]], [[["1/2"]], [[1, 0.5]]]),
    ("heads", [[["1"] * 2048]] * 2, [[["1"] * 2048]] * 2),
    ("answers", [{"kind": "text", "text": "1"}], [{"kind": "text", "text": "1"}]),
    ("typed number", "1/200", "1/200"),
    ("typed number", 0.005, 0.005),
    ("typed number", 2, 2),
    ("typed number", "1" * 200, "1" * 200),
    ("ranges", {"q": [-1, 2.5]}, {"q": [-1.0, 2.5]}),
    ("ranges", {}, {}),
    ("rule", {"kind": "integer"}, INTEGER),
    ("rule", {"kind": "choice"}, {"kind": "choice", "several": False, "partial": False}),
    ("rule of cells", {"kind": "integer", "arithmetic": None}, INTEGER),
]

CELL_RULES = (
    "This must be one of integer, absolute, relative, significant_figures, decimal_places, range,"
    " derived."
)

ARRAYS: list[tuple[str, Any, list[Any], str]] = [
    ("matrix", [[1]], [[1.0]], "float64"),
    ("matrix", [[1, 2.5], [-3, 5e-324]], [[1.0, 2.5], [-3.0, 5e-324]], "float64"),
    ("matrix", [[2**53, 10**18]], [[9007199254740992.0, 1e18]], "float64"),
    ("masked", [[1, None], [None, 2.5]], [[1.0, -INF], [-INF, 2.5]], "float64"),
    ("booleans", [[True, False]], [[True, False]], "bool"),
    ("vector", [1, 2.5], [[1.0, 2.5]], "float64"),
    ("flags", [True, False], [[True, False]], "bool"),
]

LIST_OF_STRINGS = "This must be a list of strings, not {}."
A_WHOLE = "This must be a whole number, not {}."
TOO_LARGE = "This must be at most 9,007,199,254,740,991 (2^53 - 1) in size."
A_CELL = "A cell must be {}, not {}."
ROWS = "A matrix is a list of rows, not {}."
A_ROW = "A row is a list of numbers, not {}."

REFUSED: list[tuple[str, Any, Path, str]] = [
    ("labels", "a", (), LIST_OF_STRINGS.format("a string")),
    ("labels", {"a": 1}, (), LIST_OF_STRINGS.format("an object")),
    ("labels", ["a", 1], (1,), "This must be a string, not a number."),
    ("labels", ["a", None], (1,), "This must be a string, not null."),
    ("labels", [["a"]], (0,), "This must be a string, not a list."),
    ("number", "1.5", (), "This must be a number, not a string."),
    ("number", "1_0", (), "This must be a number, not a string."),
    ("number", True, (), "This must be a number, not a boolean."),
    ("number", [1], (), "This must be a number, not a list."),
    ("number", {}, (), "This must be a number, not an object."),
    ("positive", 0, (), "This must be greater than 0."),
    ("positive", -0.0, (), "This must be greater than 0."),
    ("positive", -5e-324, (), "This must be greater than 0."),
    ("whole", 2.5, (), A_WHOLE.format("2.5")),
    ("digits", "-1", (), 'This must be a whole number in digits, not "-1".'),
    ("digits", "٣", (), 'This must be a whole number in digits, not "٣".'),
    ("digits", "1e3", (), 'This must be a whole number in digits, not "1e3".'),
    ("digits", "9" * 20, (), f'This must be a whole number in digits, not "{"9" * 20}".'),
    ("whole", "3", (), A_WHOLE.format("a string")),
    ("whole", True, (), A_WHOLE.format("a boolean")),
    ("whole", [3], (), A_WHOLE.format("a list")),
    ("whole", 2**53, (), TOO_LARGE),
    ("whole", -(2**53), (), TOO_LARGE),
    ("whole", 2**64, (), TOO_LARGE),
    ("whole", 1e300, (), TOO_LARGE),
    ("from 1 to 9", 0, (), "This must be from 1 to 9."),
    ("from 1 to 9", 10, (), "This must be from 1 to 9."),
    ("wholes", 3, (), "This must be a list of whole numbers, not a number."),
    ("wholes", "12", (), "This must be a list of whole numbers, not a string."),
    ("wholes", [1, 2.5], (1,), A_WHOLE.format("2.5")),
    ("wholes", [1, True], (1,), A_WHOLE.format("a boolean")),
    ("wholes", [1, None], (1,), "This must not be null."),
    ("wholes", [9, 0], (1,), "This must be from 1 to 9."),
    ("wholes", [1, 10], (1,), "This must be from 1 to 9."),
    ("flag", 1, (), "This must be true or false, not a number."),
    ("flag", 0, (), "This must be true or false, not a number."),
    ("flag", "true", (), "This must be true or false, not a string."),
    ("flag", [True], (), "This must be true or false, not a list."),
    ("text", 1, (), "This must be a string, not a number."),
    ("text", True, (), "This must be a string, not a boolean."),
    ("text", ["a"], (), "This must be a string, not a list."),
    ("choice", "left", (), 'This must be one of up, down, not "left".'),
    ("choice", "Up", (), 'This must be one of up, down, not "Up".'),
    ("choice", "", (), 'This must be one of up, down, not "".'),
    ("choice", True, (), "This must be one of up, down, not a boolean."),
    ("choice", ["up"], (), "This must be one of up, down, not a list."),
    ("object", [], (), "This must be an object, not a list."),
    ("object", "x", (), "This must be an object, not a string."),
    ("object", {}, ("size",), "size is missing."),
    ("object", {"size": None}, ("size",), "This must not be null."),
    ("object", {"size": 0}, ("size",), "This must be at least 1."),
    ("object", {"size": 1, "nam": 1}, ("nam",), "Unknown field nam. Did you mean name?"),
    ("object", {"size": 1, "zz": 1}, ("zz",), "Unknown field zz. Known: size, name."),
    ("objects", {}, (), "This must be a list of objects, not an object."),
    ("objects", [{"size": 1}, 3], (1,), "This must be an object, not a number."),
    ("objects", [{"size": 1}, {}], (1, "size"), "size is missing."),
    ("matrix", 1, (), ROWS.format("a number")),
    ("matrix", "[[1]]", (), ROWS.format("a string")),
    ("matrix", {"0": [1]}, (), ROWS.format("an object")),
    ("matrix", [], (), "The matrix is empty; it needs at least one row."),
    ("matrix", [[]], (0,), "The row is empty; a matrix needs at least one column."),
    ("matrix", [[1], []], (1,), "The row is empty; a matrix needs at least one column."),
    ("matrix", [1, 2], (0,), A_ROW.format("a number")),
    ("matrix", [[1], 2], (1,), A_ROW.format("a number")),
    ("matrix", [[1], None], (1,), A_ROW.format("null")),
    ("matrix", ["12"], (0,), A_ROW.format("a string")),
    ("matrix", [{"a": 1}], (0,), A_ROW.format("an object")),
    ("matrix", [[1, 2], [3]], (1,), "Row 1 has 1 cell, but row 0 has 2; all need as many."),
    ("matrix", [[1], [2, 3]], (1,), "Row 1 has 2 cells, but row 0 has 1; all need as many."),
    ("matrix", [[1, "2"]], (0, 1), A_CELL.format("a number", "a string")),
    ("matrix", [[1, True]], (0, 1), A_CELL.format("a number", "a boolean")),
    ("matrix", [[1], [None]], (1, 0), A_CELL.format("a number", "null")),
    ("matrix", [[[1]]], (0, 0), A_CELL.format("a number", "a list")),
    ("matrix", [[{}]], (0, 0), A_CELL.format("a number", "an object")),
    ("masked", [[None, "-inf"]], (0, 1), A_CELL.format("a number or null", "a string")),
    ("masked", [[None, False]], (0, 1), A_CELL.format("a number or null", "a boolean")),
    ("masked", [], (), "The matrix is empty; it needs at least one row."),
    ("booleans", [[True, 1]], (0, 1), A_CELL.format("true or false", "a number")),
    ("booleans", [[True, None]], (0, 1), A_CELL.format("true or false", "null")),
    (
        "booleans",
        [[True], [False, True]],
        (1,),
        "Row 1 has 2 cells, but row 0 has 1; all need as many.",
    ),
    ("vector", 1, (), "This must be a list of numbers, not a number."),
    ("vector", [], (), "The list is empty."),
    ("vector", [1, "2"], (1,), "This must be a number, not a string."),
    ("vector", [[1]], (0,), "This must be a number, not a list."),
    ("vector", [1, True], (1,), "This must be a number, not a boolean."),
    ("flags", [True, 0], (1,), "This must be true or false, not a number."),
    ("flags", "true", (), "This must be a list of booleans, not a string."),
    ("explain", "some", (), 'This must be "all" or a list of cells such as {"step": "scores"}.'),
    ("explain", True, (), 'This must be "all" or a list of cells such as {"step": "scores"}.'),
    ("explain", ["Q"], (0,), "This must be an object, not a string."),
    ("explain", [{"step": 1}], (0, "step"), "This must be a string, not a number."),
    ("explain", [{"step": "Q", "row": -1}], (0, "row"), "This must be at least 0."),
    ("explain", [{"step": "Q", "col": 1}], (0, "col"), "Unknown field col. Did you mean column?"),
    ("typed", "1", (), "A matrix is a list of rows, not a string."),
    ("typed", ["1"], (0,), "A row is a list of cells, not a string."),
    ("typed", [["1"], [None]], (1, 0), "A cell is text or a number, not null."),
    ("typed", [["1"], [True]], (1, 0), "A cell is text or a number, not a boolean."),
    ("typed", [["1"] * 4097], (), "The matrix has 4,097 cells; at most 4,096 are read."),
    ("answer", "1", (), "This must be an object, not a string."),
    ("answer", {}, ("kind",), "This must be one of text, number, choice, matrix, tensor, steps."),
    (
        "answer",
        {"kind": ["text"]},
        ("kind",),
        "This must be one of text, number, choice, matrix, tensor, steps.",
    ),
    ("answer", {"kind": "text"}, ("text",), "text is missing."),
    (
        "answer",
        {"kind": "number", "number": "1"},
        ("number",),
        "This must be a number, not a string.",
    ),
    (
        "answer",
        {"kind": "choice", "choices": [1]},
        ("choices", 0),
        "This must be a string, not a number.",
    ),
    ("heads", [["1"]], (0, 0), "A row is a list of cells, not a string."),
    ("heads", [[["1"]], [["1", True]]], (1, 0, 1), "A cell is text or a number, not a boolean."),
    ("heads", {}, (), "This must be a list of matrices, not an object."),
    ("heads", [[["1"] * 2049]] * 2, (), "The heads have 4,098 cells; at most 4,096 are read."),
    ("steps", [], (), "This must be an object, not a list."),
    ("steps", {"Q": 1}, ("Q",), "A matrix is a list of rows, not a number."),
    ("answers", "1", (), "This must be a list of answers, not a string."),
    ("answers", [{"kind": "text"}], (0, "text"), "text is missing."),
    ("typed number", True, (), "This must be typed text or a number, not a boolean."),
    ("typed number", [1], (), "This must be typed text or a number, not a list."),
    ("typed number", "1" * 201, (), "This must have at most 200 characters, not 201."),
    ("ranges", [], (), "This must be an object, not a list."),
    ("ranges", {"q": 1}, ("q",), "This must be a list of two numbers, lowest and highest."),
    ("ranges", {"q": [1, None]}, ("q", 1), "This must not be null."),
    (
        "ranges",
        {letter: [0, 1] for letter in "abcdefghi"},
        (),
        "This must have at most 8 variables, not 9.",
    ),
    ("rule", "integer", (), "This must be an object, not a string."),
    (
        "rule",
        {"kind": "integer", "each": 1},
        ("each",),
        "Unknown field each. Known: arithmetic, kind.",
    ),
    ("rule of cells", {"kind": "ordering"}, ("kind",), CELL_RULES),
]


def name(value: Any) -> str:
    return str(value)[:40]


def problem(field: Described[Any], value: Any) -> tuple[Path, str]:
    """Where a value is refused, and what is said."""
    with pytest.raises(ValidationError) as caught:
        field.deserialize(value)
    place: Path = ()
    node: Any = caught.value.messages
    while isinstance(node, dict):
        (key, node), *_ = node.items()
        place += (key,)
    (sentence,) = node
    return place, sentence


@pytest.mark.parametrize(("field", "value", "loaded"), TAKEN, ids=name)
def test_a_value_is_taken_as_it_is(field: str, value: Any, loaded: Any) -> None:
    found = FIELDS[field].deserialize(value)
    assert found == loaded
    assert type(found) is type(loaded)


@pytest.mark.parametrize(("field", "value", "loaded", "dtype"), ARRAYS, ids=name)
def test_a_matrix_is_loaded_as_an_array(
    field: str, value: Any, loaded: list[Any], dtype: str
) -> None:
    found = FIELDS[field].deserialize(value)
    np.testing.assert_array_equal(found, np.array(loaded), strict=True)
    assert str(found.dtype) == dtype


@pytest.mark.parametrize(("field", "value", "place", "sentence"), REFUSED, ids=name)
def test_a_value_is_refused_at_its_place_with_a_sentence(
    field: str, value: Any, place: Path, sentence: str
) -> None:
    assert problem(FIELDS[field], value) == (place, sentence)


def kinds(field: Any) -> set[Any]:
    return {field}.union(*map(kinds, field.__subclasses__()))


def test_every_class_of_field_that_reads_is_tried_with_good_and_bad_values() -> None:
    create_app({})  # imports every schema
    every = {kind for kind in kinds(Described) if kind.read != Described.read}
    every -= {OneOf}  # which has no schemas of its own
    assert {type(FIELDS[field]) for field, *_ in REFUSED} == every
    assert {type(FIELDS[field]) for field, *_ in [*TAKEN, *ARRAYS]} == every


@pytest.mark.parametrize("field", FIELDS)
def test_null_is_refused_where_a_member_is_read(field: str) -> None:
    assert problem(FIELDS[field], None) == ((), "This must not be null.")


def test_of_very_many_bad_members_a_hundred_are_said() -> None:
    for field in ("objects", "wholes"):
        with pytest.raises(ValidationError) as caught:
            FIELDS[field].deserialize(["x"] * 1_000)
        assert isinstance(caught.value.messages, dict)
        assert list(caught.value.messages) == list(range(100))
