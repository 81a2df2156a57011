"""A teacher's own question as the engine's task; what does not fit together is refused by place."""

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from service.api.quiz.computed import computed_key
from service.api.quiz.rules import rule_of
from service.engine.errors import EngineError
from service.engine.grading.formulas.formula import Formula
from service.engine.grading.marking.expressions import is_comparable, read_formula
from service.engine.grading.marking.rules import (
    Cells,
    Choice,
    Derived,
    Expression,
    Ordering,
    Rule,
    ShortText,
    Tensor,
)
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.marking.short_texts import read_words
from service.engine.grading.marking.task import (
    ANSWER_KINDS,
    Key,
    Misconception,
    Option,
    Task,
    input_of,
)
from service.engine.grading.reading.read import read, read_cell, read_number
from service.engine.grading.reading.values import Number, Problem

Loaded = Mapping[str, Any]

P = ParamSpec("P")
T = TypeVar("T")


def task_of(loaded: Loaded, locale: str | None = None) -> Task:
    """The engine's task. Numbers of rule and key are read as an answer in this locale would be.

    Raises EngineError whose field is the place of the fault: "rule/tolerance", "key/matrix/0/1".
    """
    rule = _at("rule", rule_of, loaded["rule"], locale)
    choices = _choices(rule, loaded.get("choices", ()))
    offered = [choice.id for choice in choices]
    key = _own_key(loaded, rule, offered, locale)
    also = tuple(
        _at(f"also/{i}", _one_number, one, rule, locale)
        for i, one in enumerate(loaded.get("also", ()))
    )
    misconceptions = tuple(
        Misconception(
            one["code"],
            one["message"],
            _at(f"misconceptions/{i}/answer", key_of, one["answer"], rule, offered, locale),
        )
        for i, one in enumerate(loaded.get("misconceptions", ()))
    )
    return Task(rule, key, choices, lambda: misconceptions, also)


def _own_key(loaded: Loaded, rule: Rule, offered: list[str], locale: str | None) -> Key:
    """The key that is given, or the one that the service computes."""
    if ("key" in loaded) == ("computed" in loaded):
        raise EngineError("", "A task has one of key and computed.")
    if "computed" in loaded:
        return _at("computed", computed_key, loaded["computed"], rule)
    if isinstance(rule.each if isinstance(rule, Cells) else rule, Derived):
        raise EngineError("rule", "A derived tolerance takes a computed key, whose steps it knows.")
    return _at("key", key_of, loaded["key"], rule, offered, locale)


def key_of(answer: Loaded, rule: Rule, offered: list[str], locale: str | None = None) -> Key:
    """An answer as a key of this rule."""
    kinds = ANSWER_KINDS[input_of(rule)]
    if answer["kind"] not in kinds:
        message = f"This rule takes an answer of kind {' or '.join(kinds)}, not {answer['kind']}."
        raise EngineError("kind", message)
    match rule:
        case Cells():
            return _at("matrix", _matrix, answer["matrix"], locale)
        case Tensor():
            return _heads(answer["heads"], locale)
        case Choice(several):
            return frozenset(_chosen(answer["choices"], offered, 1, len(offered) if several else 1))
        case Ordering():
            return tuple(_chosen(answer["choices"], offered, len(offered), len(offered)))
        case ShortText():
            _refuse("text", read_words(rule, answer["text"]).problem)
            return str(answer["text"])
        case Expression():
            return _formula(answer["text"], rule, locale)
        case _:
            return _number(answer, rule.arithmetic, locale)


def _one_number(answer: Loaded, rule: Rule, locale: str | None) -> Number:
    if input_of(rule) != "text":
        raise EngineError("kind", "Only a rule of one number takes several keys.")
    found = key_of(answer, rule, [], locale)
    assert not isinstance(found, str | tuple | frozenset | Formula)
    return found


def _number(answer: Loaded, arithmetic: bool, locale: str | None) -> Number:
    kind = answer["kind"]
    typed = answer[kind]
    is_text = kind == "text"
    reading = read(typed, locale, arithmetic=arithmetic) if is_text else read_number(typed)
    _refuse(kind, reading.problem)
    assert reading.value is not None
    return reading.value


def _formula(text: str, rule: Expression, locale: str | None) -> Formula:
    reading, formula = read_formula(rule, text, locale)
    _refuse("text", reading.problem)
    assert formula is not None
    if not is_comparable(rule, formula):
        raise EngineError("text", "This has too few values where its variables are tried.")
    return formula


def _matrix(rows: list[list[object]], locale: str | None) -> MatrixKey:
    widths = {len(row) for row in rows}
    if len(widths) != 1 or widths == {0}:
        raise EngineError("", "A key is a matrix whose rows have equally many cells.")
    return tuple(
        tuple(_at(f"{i}/{j}", _cell, cell, locale) for j, cell in enumerate(row))
        for i, row in enumerate(rows)
    )


def _cell(cell: object, locale: str | None) -> Number:
    reading = read_cell(cell, locale)
    _refuse("", reading.problem)
    assert reading.value is not None
    return reading.value


def _heads(heads: list[list[list[object]]], locale: str | None) -> tuple[MatrixKey, ...]:
    if not heads:
        raise EngineError("heads", "A key has at least one head.")
    return tuple(_at(f"heads/{i}", _matrix, head, locale) for i, head in enumerate(heads))


def _choices(rule: Rule, given: list[Loaded]) -> tuple[Option, ...]:
    choices = tuple(Option(one["id"], one["text"]) for one in given)
    if not isinstance(rule, Choice | Ordering):
        if choices:
            raise EngineError("choices", "Only a choice and an ordering have something to choose.")
        return ()
    if len(choices) < 2:
        raise EngineError("choices", "There are at least two things to choose from.")
    ids = [choice.id for choice in choices]
    for i, id in enumerate(ids):
        if id in ids[:i]:
            raise EngineError(f"choices/{i}/id", f"{id} is the id of another choice.")
    return choices


def _chosen(chosen: list[str], offered: list[str], least: int, most: int) -> list[str]:
    for i, id in enumerate(chosen):
        if id not in offered:
            raise EngineError(
                f"choices/{i}", f"There is no choice {id[:100]!r}; there are {', '.join(offered)}."
            )
        if id in chosen[:i]:
            raise EngineError(f"choices/{i}", f"{id} is here twice.")
    if not least <= len(chosen) <= most:
        wanted = "exactly one" if most == 1 else "all choices" if least > 1 else "at least one"
        raise EngineError("choices", f"The key of this rule names {wanted}.")
    return chosen


def _refuse(place: str, problem: Problem | None) -> None:
    if problem is not None:
        raise EngineError(place, problem.message)


def _at(place: str, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What read returns; a fault in it is one at this place."""
    try:
        return read(*arguments, **named)
    except EngineError as error:
        field = "/".join(filter(None, (place, error.field)))
        raise EngineError(field, error.message) from None
