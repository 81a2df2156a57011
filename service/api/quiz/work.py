"""How much work a request asks for, counted before any of it is done.

At the worst a character or a cell takes 20 µs to read and to mark, one of a formula 40, and a cell
5 µs to be compared with that of a key or a slip.
"""

from collections.abc import Mapping
from typing import Any

from service.engine.errors import EngineError

MAX_TYPED = 1 << 16
MAX_REGRADED = 1 << 17
MAX_OF_A_TASK = 1 << 15
MAX_OF_TASKS = 1 << 16
MAX_COMPARED = 1 << 18

Loaded = Mapping[str, Any]

OF_A_FORMULA = 2
# Formulas are compared at 48 points.
_AS_CELLS = 4


def typed_characters(answer: Loaded) -> int:
    """How much there is to read in an answer; each way of reading costs time."""
    count = len(answer.get("text", "")) + len(answer.get("choices", ()))
    steps = answer.get("steps", {}).values()
    for rows in (answer.get("matrix", ()), *answer.get("heads", ()), *steps):
        for row in rows:
            count += len(row)
            for cell in row:
                if cell.__class__ is str and cell:
                    count += len(cell) - 1
    return count


def task_characters(task: Loaded) -> int:
    """How much there is to read in a task: its key, its other keys, and those of its slips."""
    rule = task["rule"]
    count = sum(map(typed_characters, _keys(task))) + sum(map(len, rule.get("accepted", ())))
    return count * OF_A_FORMULA if rule["kind"] == "expression" else count


def comparisons(task: Loaded) -> int:
    """How many cells an answer may be compared with before it is clear what is wrong with it."""
    each = _AS_CELLS if task["rule"]["kind"] == "expression" else 1
    return sum(max(each, _cells(answer)) for answer in _keys(task))


def _keys(task: Loaded) -> list[Loaded]:
    return [
        task.get("key", {}),
        *task.get("also", ()),
        *(one["answer"] for one in task.get("misconceptions", ())),
    ]


def _cells(answer: Loaded) -> int:
    matrices = (answer.get("matrix", ()), *answer.get("heads", ()))
    return len(answer.get("choices", ())) + sum(len(row) for rows in matrices for row in rows)


def check_task(task: Loaded) -> None:
    """Raise EngineError if there is more to read in a task than is read at once."""
    characters = task_characters(task)
    if characters > MAX_OF_A_TASK:
        raise EngineError(
            "misconceptions",
            f"Key and misconceptions have {characters:,} characters and cells; at most"
            f" {MAX_OF_A_TASK:,} are in one task. Give fewer misconceptions.",
        )


def check_typed(typed: int, place: str, most: int = MAX_TYPED) -> None:
    """Raise EngineError if there is more to read than is read at once."""
    if typed > most:
        raise EngineError(
            place,
            f"The answers count as {typed:,} characters; at most {most:,} are read at once. Send"
            " fewer in one request.",
        )


def check_tasks(characters: int, place: str) -> None:
    """Raise EngineError if there is more to read in tasks than is read at once."""
    if characters > MAX_OF_TASKS:
        raise EngineError(
            place,
            f"Keys and misconceptions have {characters:,} characters and cells; at most"
            f" {MAX_OF_TASKS:,} are read at once. Send fewer items;"
            " /v1/quiz/grade/batch takes more.",
        )


def check_compared(cells: int, place: str) -> None:
    """Raise EngineError if more is to be compared than is compared in one request."""
    if cells > MAX_COMPARED:
        raise EngineError(
            place,
            f"{cells:,} cells of keys and misconceptions are to be compared; at most"
            f" {MAX_COMPARED:,} are in one request. Send fewer items; /v1/quiz/grade/batch takes"
            " more.",
        )
