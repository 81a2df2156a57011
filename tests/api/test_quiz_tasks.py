"""A teacher's own question: exact numbers, a key for each rule, the place of what is wrong."""

from fractions import Fraction
from typing import Any

import pytest
from marshmallow import ValidationError

from service.api.quiz.tasks import task_of
from service.engine.errors import EngineError
from service.engine.grading.marking import rules
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.task import Task
from service.schemas.quiz import tasks as quiz_tasks

SCHEMA = quiz_tasks.Task()
OFFERED = [{"id": id, "text": id.upper()} for id in "abc"]
INTEGER = {"kind": "integer"}


def text(typed: str) -> dict[str, Any]:
    return {"kind": "text", "text": typed}


def chosen(*ids: str) -> dict[str, Any]:
    return {"kind": "choice", "choices": list(ids)}


def matrix(*rows: list[Any]) -> dict[str, Any]:
    return {"kind": "matrix", "matrix": list(rows)}


def heads(*matrices: list[Any]) -> dict[str, Any]:
    return {"kind": "tensor", "heads": list(matrices)}


def made(rule: dict[str, Any], key: dict[str, Any], locale: str | None = None, **more: Any) -> Task:
    return task_of(SCHEMA.load({"rule": rule, "key": key, **more}), locale)


def formula(**more: Any) -> dict[str, Any]:
    return {"kind": "expression", "variables": {"q": [-3, 3], "d_k": [1, 64]}, **more}


F = Fraction
RULES: list[tuple[dict[str, Any], rules.Rule]] = [
    (INTEGER, rules.Integer()),
    ({"kind": "integer", "arithmetic": True}, rules.Integer(True)),
    ({"kind": "absolute", "tolerance": 0.2}, rules.Absolute(F(1, 5))),
    ({"kind": "absolute", "tolerance": "1/200"}, rules.Absolute(F(1, 200))),
    ({"kind": "absolute", "tolerance": 0}, rules.Absolute(F(0))),
    ({"kind": "absolute", "tolerance": 1e-9}, rules.Absolute(F(1, 10**9))),
    ({"kind": "relative", "tolerance": "5 %"}, rules.Relative(F(1, 20))),
    ({"kind": "relative", "tolerance": "0.1 %"}, rules.Relative(F(1, 1000))),
    ({"kind": "significant_figures", "figures": 3}, rules.SignificantFigures(3)),
    (
        {"kind": "significant_figures", "figures": 3, "written_so": True},
        rules.SignificantFigures(3, True),
    ),
    ({"kind": "decimal_places", "places": 0}, rules.DecimalPlaces(0)),
    ({"kind": "range", "lowest": "1/3", "highest": 0.5}, rules.Range(F(1, 3), F(1, 2))),
    ({"kind": "range", "lowest": 0}, rules.Range(F(0))),
    (
        {"kind": "range", "highest": 9300, "highest_included": False},
        rules.Range(None, F(9300), True, False),
    ),
]


@pytest.mark.parametrize(("rule", "made_of_it"), RULES)
def test_a_rule_for_one_number_is_taken_exactly_as_it_is_typed(
    rule: dict[str, Any], made_of_it: rules.Rule
) -> None:
    task = made(rule, text("9216"))
    assert (task.rule, task.key) == (made_of_it, F(9216))


def test_a_rule_for_one_number_serves_cells_and_heads() -> None:
    each = {"kind": "absolute", "tolerance": "1/200"}
    near = rules.Absolute(F(1, 200))
    flags = {"rows_sum_to_one": True, "blocked_are_zero": True}
    task = made({"kind": "cells", "each": each}, matrix(["1/2", 0.5], ["0", "−∞"]))
    assert task.rule == rules.Cells(near)
    assert task.key == ((F(1, 2), F(1, 2)), (F(0), float("-inf")))
    task = made({"kind": "tensor", "each": each, **flags}, heads([[1, "2"]], [["3"], [4]]))
    assert task.rule == rules.Tensor(rules.Cells(near, True, True))
    assert task.key == (((F(1), F(2)),), ((F(3),), (F(4),)))


def test_choices_are_keyed_by_their_ids() -> None:
    task = made(
        {"kind": "choice", "several": True, "partial": True}, chosen("c", "a"), choices=OFFERED
    )
    assert task.rule == rules.Choice(several=True, partial=True)
    assert task.key == frozenset("ac")
    assert [option.id for option in task.choices] == ["a", "b", "c"]
    task = made({"kind": "ordering"}, chosen("c", "a", "b"), choices=OFFERED)
    assert (task.rule, task.key) == (rules.Ordering(), ("c", "a", "b"))


def test_words_and_formulas_are_keyed_by_text() -> None:
    task = made({"kind": "short_text", "accepted": ["intra-attention"]}, text("Self-attention"))
    assert task.rule == rules.ShortText(("intra-attention",))
    assert graded(task, text("intra attention")).mark.verdict == "correct"
    task = made(formula(), text("q/√d_k"))
    assert graded(task, text("q d_k^(-1/2)")).mark.verdict == "correct"
    assert graded(task, text("q/d_k")).mark.verdict == "incorrect"


def test_a_key_is_read_as_an_answer_in_this_locale_would_be() -> None:
    assert made(INTEGER, text("9.216"), "de").key == F(9216)
    assert made(INTEGER, text("9,216"), "en").key == F(9216)
    assert made({"kind": "absolute", "tolerance": "0,5"}, text("1"), "de").rule == rules.Absolute(
        F(1, 2)
    )


def test_a_formula_that_was_keyed_in_one_locale_is_the_same_in_any_other() -> None:
    task = made(formula(), text("1.500 q"), "de")
    assert graded(task, text("1500q"), "en").mark.verdict == "correct"
    assert graded(task, text("1.5q"), "en").mark.verdict == "incorrect"


def test_other_keys_are_as_right() -> None:
    task = made(INTEGER, text("1"), also=[text("2"), {"kind": "number", "number": 3}])
    assert task.also == (F(2), F(3))


def test_misconceptions_come_with_their_answers() -> None:
    one = {"code": "one_layer_only", "message": "Count all layers.", "answer": text("96")}
    task = made(INTEGER, text("9216"), misconceptions=[one])
    assert [tuple(one) for one in task.misconceptions()] == [
        ("one_layer_only", "Count all layers.", F(96))
    ]
    told = graded(task, text("96")).misconception
    assert told is not None
    assert told.code == "one_layer_only"


ABSOLUTE = {"kind": "absolute", "tolerance": "0.2"}
CELLS = {"kind": "cells", "each": ABSOLUTE}
TENSOR = {"kind": "tensor", "each": ABSOLUTE}
REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a tolerance that is none": (
        {"rule": {"kind": "absolute", "tolerance": "wide"}, "key": text("1")},
        "rule/tolerance",
        "could not be read",
    ),
    "a negative tolerance": (
        {"rule": {"kind": "relative", "tolerance": "-1 %"}, "key": text("1")},
        "rule/tolerance",
        "A tolerance is not negative.",
    ),
    "an infinite tolerance": (
        {"rule": {"kind": "absolute", "tolerance": "∞"}, "key": text("1")},
        "rule/tolerance",
        "finite",
    ),
    "an ambiguous tolerance": (
        {"rule": {"kind": "absolute", "tolerance": "1,234"}, "key": text("1")},
        "rule/tolerance",
        "more than one way",
    ),
    "a tolerance of cells": (
        {"rule": {"kind": "cells", "each": {**ABSOLUTE, "tolerance": -1}}, "key": matrix([1])},
        "rule/each/tolerance",
        "A tolerance is not negative.",
    ),
    "a range without bounds": (
        {"rule": {"kind": "range"}, "key": text("1")},
        "rule/lowest",
        "A range has a lowest or a highest number, or both.",
    ),
    "a range upside down": (
        {"rule": {"kind": "range", "lowest": 2, "highest": 1}, "key": text("1")},
        "rule/highest",
        "The range is empty: highest is below lowest.",
    ),
    "a range of nothing": (
        {
            "rule": {"kind": "range", "lowest": 1, "highest": 1, "lowest_included": False},
            "key": text("1"),
        },
        "rule/highest",
        "The range is empty: its only number is not included.",
    ),
    "a key of another kind": (
        {"rule": INTEGER, "key": chosen("a")},
        "key/kind",
        "This rule takes an answer of kind text or number, not choice.",
    ),
    "steps": (
        {"rule": INTEGER, "key": {"kind": "steps", "steps": {"X": [["1"]]}}},
        "key/kind",
        "This rule takes an answer of kind text or number, not steps.",
    ),
    "a key that cannot be read": ({"rule": INTEGER, "key": text("many")}, "key/text", "read"),
    "an ambiguous key": ({"rule": INTEGER, "key": text("9,216")}, "key/text", "more than one way"),
    "arithmetic where it is not allowed": (
        {"rule": INTEGER, "key": text("96*96")},
        "key/text",
        "calculation",
    ),
    "a cell that cannot be read": (
        {"rule": CELLS, "key": matrix(["1"], ["?"])},
        "key/matrix/1/0",
        "could not be read",
    ),
    "a ragged key": (
        {"rule": CELLS, "key": matrix(["1", "2"], ["3"])},
        "key/matrix",
        "A key is a matrix whose rows have equally many cells.",
    ),
    "an empty key": ({"rule": CELLS, "key": matrix([])}, "key/matrix", "equally many cells"),
    "a ragged head": (
        {"rule": TENSOR, "key": heads([["1"]], [["1", "2"], ["3"]])},
        "key/heads/1",
        "equally many cells",
    ),
    "a cell of a head": (
        {"rule": TENSOR, "key": heads([["1"]], [["?"]])},
        "key/heads/1/0/0",
        "could not be read",
    ),
    "a choice that is not offered": (
        {"rule": {"kind": "choice"}, "key": chosen("d"), "choices": OFFERED},
        "key/choices/0",
        "There is no choice 'd'; there are a, b, c.",
    ),
    "two right choices where one may be chosen": (
        {"rule": {"kind": "choice"}, "key": chosen("a", "b"), "choices": OFFERED},
        "key/choices",
        "The key of this rule names exactly one.",
    ),
    "a choice twice": (
        {"rule": {"kind": "choice", "several": True}, "key": chosen("a", "a"), "choices": OFFERED},
        "key/choices/1",
        "a is here twice.",
    ),
    "an order of a part": (
        {"rule": {"kind": "ordering"}, "key": chosen("a", "b"), "choices": OFFERED},
        "key/choices",
        "The key of this rule names all choices.",
    ),
    "no choices": (
        {"rule": {"kind": "choice"}, "key": chosen("a")},
        "choices",
        "There are at least two things to choose from.",
    ),
    "choices for a number": (
        {"rule": INTEGER, "key": text("1"), "choices": OFFERED},
        "choices",
        "Only a choice and an ordering have something to choose.",
    ),
    "two choices of one id": (
        {"rule": {"kind": "choice"}, "key": chosen("a"), "choices": [*OFFERED, OFFERED[0]]},
        "choices/3/id",
        "a is the id of another choice.",
    ),
    "several keys for a matrix": (
        {"rule": CELLS, "key": matrix(["1"]), "also": [matrix(["2"])]},
        "also/0/kind",
        "Only a rule of one number takes several keys.",
    ),
    "another key that cannot be read": (
        {"rule": INTEGER, "key": text("1"), "also": [text("2"), text("?")]},
        "also/1/text",
        "could not be read",
    ),
    "a misconception of another kind": (
        {
            "rule": INTEGER,
            "key": text("1"),
            "misconceptions": [{"code": "c", "message": "m", "answer": chosen("a")}],
        },
        "misconceptions/0/answer/kind",
        "This rule takes an answer of kind text or number, not choice.",
    ),
    "blank words": ({"rule": {"kind": "short_text"}, "key": text(" ")}, "key/text", "entered"),
    "blank words that are accepted": (
        {"rule": {"kind": "short_text", "accepted": ["a", "\u200b"]}, "key": text("b")},
        "rule/accepted/1",
        "entered",
    ),
    "a formula without variables": (
        {"rule": {"kind": "expression"}, "key": text("1")},
        "rule/variables",
        "A formula has at least one variable.",
    ),
    "a variable of a constant's name": (
        {"rule": formula(variables={"e": [1, 2]}), "key": text("1")},
        "rule/variables",
        "'e' is no name of a variable, which is a letter",
    ),
    "a path for a variable": (
        {"rule": formula(variables={"/" * 50: [1, 2]}), "key": text("1")},
        "rule/variables",
        f"{'/' * 40!r} is no name of a variable",
    ),
    "a variable without room": (
        {"rule": formula(variables={"q": [2, 2]}), "key": text("q")},
        "rule/variables/q",
        "The highest value is above the lowest.",
    ),
    "a tolerance closer than floats": (
        {"rule": formula(tolerance="1e-15"), "key": text("q")},
        "rule/tolerance",
        "The values of formulas are told apart down to 1e-12.",
    ),
    "a formula that cannot be read": (
        {"rule": formula(), "key": text("q/")},
        "key/text",
        "Something is missing in this formula.",
    ),
    "a formula of other letters": (
        {"rule": formula(), "key": text("q k")},
        "key/text",
        "k is not known here; there are q, d_k, e and pi.",
    ),
    "a formula without values": (
        {"rule": formula(), "key": text("ln(-d_k)")},
        "key/text",
        "This has too few values where its variables are tried.",
    ),
}


@pytest.mark.parametrize(("task", "place", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused_with_its_place(
    task: dict[str, Any], place: str, sentence: str
) -> None:
    with pytest.raises(EngineError) as refused:
        task_of(SCHEMA.load(task))
    assert refused.value.field == place
    assert sentence in refused.value.message


MALFORMED: dict[str, tuple[dict[str, Any], tuple[str | int, ...], str]] = {
    "no rule": ({"key": text("1")}, ("rule",), "rule is missing."),
    "a kind that is none": (
        {"rule": {"kind": "feeling"}, "key": text("1")},
        ("rule", "kind"),
        "This must be one of integer, absolute, relative,",
    ),
    "a kind of cell that is none": (
        {"rule": {"kind": "cells", "each": {"kind": "cells"}}, "key": matrix(["1"])},
        ("rule", "each", "kind"),
        "This must be one of integer, absolute, relative,",
    ),
    "a member of another rule": (
        {"rule": {"kind": "integer", "tolerance": 1}, "key": text("1")},
        ("rule", "tolerance"),
        "Unknown field tolerance. Known: ",
    ),
    "a true tolerance": (
        {"rule": {"kind": "absolute", "tolerance": True}, "key": text("1")},
        ("rule", "tolerance"),
        "This must be typed text or a number, not a boolean.",
    ),
    "no significant figure": (
        {"rule": {"kind": "significant_figures", "figures": 0}, "key": text("1")},
        ("rule", "figures"),
        "This must be from 1 to 40.",
    ),
    "half a decimal place": (
        {"rule": {"kind": "decimal_places", "places": 0.5}, "key": text("1")},
        ("rule", "places"),
        "This must be a whole number, not 0.5.",
    ),
    "a bound that is text": (
        {"rule": formula(variables={"q": ["1", 2]}), "key": text("q")},
        ("rule", "variables", "q", 0),
        "This must be a number, not a string.",
    ),
    "one bound": (
        {"rule": formula(variables={"q": [1]}), "key": text("q")},
        ("rule", "variables", "q"),
        "This must be a list of two numbers, lowest and highest.",
    ),
    "too many variables": (
        {"rule": formula(variables={letter: [0, 1] for letter in "abcdfghij"}), "key": text("1")},
        ("rule", "variables"),
        "This must have at most 8 variables, not 9.",
    ),
}


@pytest.mark.parametrize(("task", "place", "sentence"), MALFORMED.values(), ids=MALFORMED)
def test_what_is_malformed_is_refused_by_the_schema(
    task: dict[str, Any], place: tuple[str | int, ...], sentence: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        SCHEMA.load(task)
    found: Any = refused.value.messages
    for part in place:
        found = found[part]
    assert found[0].startswith(sentence)


def test_null_and_an_empty_list_count_as_left_out() -> None:
    task = made(INTEGER, text("1"), also=[], choices=None, misconceptions=[], title=None)
    assert task.also == task.choices == task.misconceptions() == ()
