"""What teachers and students send to the quiz."""

from typing import Any

from kinds.kind import Body, Kind, Kinds
from kinds.paths import CHECK, GRADE, READ, REGRADE

X = {"kind": "expression", "variables": {"x": [1, 2]}}
FIGURES = {"kind": "significant_figures", "figures": 40}


def text(typed: str) -> Body:
    return {"kind": "text", "text": typed}


def row(n: int, last: Any = 1) -> Body:
    return {"kind": "matrix", "matrix": [[1] * (n - 1) + [last]]}


def slips(answers: list[Body]) -> list[Body]:
    return [{"code": f"c{i}", "message": "m", "answer": one} for i, one in enumerate(answers)]


def cells(n: int, n_slips: int = 0) -> Body:
    """Slips that look right to the last cell."""
    return {
        "rule": {"kind": "cells", "each": FIGURES},
        "key": row(n, 0),
        "misconceptions": slips([row(n, i + 2) for i in range(n_slips)]),
    }


def formula(n_slips: int, length: int, first: int = 0) -> Body:
    """A key of three characters, and slips of so many."""
    typed = [text(f"{'x' * (length - 5)}+{1000 + first + i}") for i in range(n_slips)]
    return {"rule": X, "key": text("x^9"), "misconceptions": slips(typed)}


def items(*pairs: tuple[Body, Body]) -> Body:
    return {"items": [{"task": task, "answer": answer} for task, answer in pairs]}


def regraded(task: Body, answers: list[Body]) -> Body:
    return {
        "before": {"task": task},
        "after": {"task": {**task, "title": "again"}},
        "answers": [{"id": str(i), "answer": one} for i, one in enumerate(answers)],
    }


QUIZ: Kinds = {
    "quiz/read, characters": Kind(
        READ,
        lambda n: {"texts": ["9" * 64] * n},
        1_000,
        "#/texts",
    ),
    "quiz/grade, cells of answers": Kind(
        GRADE, lambda n: items(*((cells(4_096), row(4_096, i)) for i in range(n))), 16, "#/items"
    ),
    "quiz/grade, tasks of their own": Kind(
        GRADE,
        lambda n: items(*((formula(5, 185, 5 * i), text("x+1")) for i in range(n))),
        35,
        "#/items",
    ),
    "quiz/grade, cells compared": Kind(
        GRADE,
        lambda n: items(*((cells(512, 31), row(512, 77 + i)) for i in range(n))),
        16,
        "#/items",
    ),
    "quiz/check, cells": Kind(
        CHECK, lambda n: {"task": cells(4_096, n)}, 7, "#/task/misconceptions"
    ),
    "quiz/check, formulas": Kind(
        CHECK, lambda n: {"task": formula(n, 200)}, 50, "#/task/misconceptions"
    ),
    "quiz/regrade, cells": Kind(
        REGRADE,
        lambda n: regraded(cells(1_024, 30), [row(1_024, 77 + i) for i in range(n)]),
        128,
        "#/answers",
    ),
    "quiz/regrade, formulas": Kind(
        REGRADE,
        lambda n: regraded(formula(50, 100), [text(f"{'x' * 59}+{1000 + i}") for i in range(n)]),
        1_024,
        "#/answers",
    ),
    "quiz/regrade, slips": Kind(
        REGRADE,
        lambda n: regraded(cells(4_096, n), [row(4_096, 77)]),
        7,
        "#/after/task",
    ),
}
