"""A trace as data for orjson.

What never changes of a step is turned into bytes once for each rule, and only numbers are written
for each request.
"""

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np
import orjson

from service.api.display import display
from service.api.json_text import json_text
from service.api.page import FEW_CELLS, Page
from service.engine.arithmetic import Explanation
from service.engine.blocks import Blocked, whole
from service.engine.invariants import Invariant, Law, laws_of
from service.engine.trace import Rule, Step, Trace, Value, is_weight

Member = dict[str, Any]


def steps_shown(steps: list[Step], page: Page) -> tuple[list[Member], int]:
    """Inputs or steps, what never changes of each and its numbers; and how many cells they have."""
    _, _, digits, columns, decimals = page.view
    # Most steps are small and shown as they are: their arrays stand here for themselves.
    few = 0 if columns or digits is not None or decimals is not None else FEW_CELLS
    shown, cells = [], 0
    for rule, value, hidden, _ in steps:
        shape = value.shape
        size = shape[0] * shape[1]
        cells += size
        if size > few:
            member = _shown_otherwise(rule, value, hidden, page)
        else:
            member = {"name": _static(rule, shape), "value": value}
            if hidden is not None:
                member["hidden"] = hidden
        shown.append(member)
    return shown, cells


def _shown_otherwise(rule: Rule, value: Value, hidden: Value | None, page: Page) -> Member:
    """A step that is large, or not shown as it is."""
    _, _, digits, columns, decimals = page.view
    turn = columns and not is_weight(rule.name)
    numbers = page.matrix(value, digits, turn)
    member = {"name": _static(rule, value.shape, columns), "value": numbers}
    if digits is not None and type(numbers) is np.ndarray:
        page.unrounded.append(member)
    if hidden is not None:
        member["hidden"] = page.matrix(hidden, None, turn)
    if decimals is not None:
        member["display"] = display(rule, whole(value), decimals, turn)
    return member


def trace_shown(
    trace: Trace,
    inputs: list[Member],
    steps: list[Member],
    explained: list[Explanation],
    page: Page,
) -> Member:
    """A trace with its inputs and steps as they are shown, and what is said of them."""
    names, _, digits, columns, decimals = page.view
    conventions = {**trace.conventions, "orientation": "columns" if columns else "rows"}
    if digits is not None:
        conventions["significant_digits"] = digits
    if decimals is not None:
        conventions["display"] = decimals
    return {
        "axes": {
            name: {"size": size} if labels is None else {"size": size, "labels": labels}
            for name, (size, labels) in trace.axes.items()
        },
        "inputs": inputs,
        "steps": steps,
        "invariants": _checked(laws_of(trace, names), page),
        "conventions": conventions,
        "warnings": trace.warnings,
        "explanations": explained,
        **trace.more,
    }


def _checked(laws: list[Invariant], page: Page) -> Any:
    for law in laws:
        if isinstance(law.deviations, Blocked):
            # By their turn, what is computed for the steps has been seen.
            return page.hole(partial(_later, laws))
    return [_told(law) for law in laws]


def _later(laws: list[Invariant]) -> Iterator[bytes]:
    yield json_text([_told(law) for law in laws])


def _told(checked: Invariant) -> Member:
    law, step, deviations = checked
    largest = max(deviations)
    return {
        "law": _law(law, step),
        "largest_deviation": largest,
        "holds": largest <= law.tolerance,
    }


@lru_cache(maxsize=256)
def _law(law: Law, step: str) -> orjson.Fragment:
    """All of a law but how closely it holds."""
    return _opening({"law": law.name, "step": step, "statement": law.statement})


@lru_cache(maxsize=4096)
def _static(rule: Rule, shape: tuple[int, int], columns: bool = False) -> orjson.Fragment:
    """All of a step but its numbers."""
    return _opening(
        {
            "name": rule.name,
            "title": rule.title,
            "symbol": rule.symbol,
            "formula": rule.formula_columns if columns else rule.formula,
            "operation": rule.operation,
            "axes": _turned(rule.name, rule.axes, columns),
            "shape": _turned(rule.name, shape, columns),
            "reads": [
                {"name": read.name, "axes": _turned(read.name, read.axes, columns)}
                for read in rule.reads
            ],
        }
    )


def _opening(members: Member) -> orjson.Fragment:
    """The value of the first of some members, and behind it the text of the others.

    In a dictionary it stands for all of them, so that orjson copies what it need not look at.
    """
    (first, *_) = members
    return orjson.Fragment(orjson.dumps(members)[len(f'{{"{first}":') : -1])


def _turned(name: str, pair: tuple[Any, Any], columns: bool) -> tuple[Any, Any]:
    """Axes or a shape, as they are where tokens are columns."""
    return pair[::-1] if columns and not is_weight(name) else pair
