"""A trace as JSON text.

What never changes of a step is turned into bytes once for each rule, and only numbers are written
for each request.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import orjson

from service.api.display import display
from service.api.json_text import json_text, negative_zero
from service.api.matrix_text import CELLS_A_TEXT, Known, Part, matrix_text, numbers
from service.api.rounding import round_together
from service.api.view import View, chosen
from service.engine.arithmetic import Explanation
from service.engine.blocks import Blocked, whole
from service.engine.invariants import Invariant, Law, laws_of
from service.engine.trace import Read, Rule, Step, Trace, is_weight

_NUMPY = orjson.OPT_SERIALIZE_NUMPY
# Of more cells than this in one trace, each matrix is written by itself.
MANY_CELLS = 512


def write_trace(
    trace: Trace, view: View, explained: list[Explanation], known: Known, out: list[Part]
) -> None:
    """Append the text of a trace, with the explanations that belong to it, to `out`."""
    axes = {
        name: {"size": size} if labels is None else {"size": size, "labels": labels}
        for name, (size, labels) in trace.axes.items()
    }
    out.append(b'{"axes":' + orjson.dumps(axes))
    steps = chosen(trace, view)
    plain = view.display is None and not view.columns
    at_once = plain and _at_once(trace.inputs, steps, view.digits, known, out)
    if not at_once:
        out.append(b',"inputs":[')
        _steps(trace.inputs, view, out)
        out.append(b'],"steps":[')
        _steps(steps, view, out)
    laws = laws_of(trace, view.steps)
    if not at_once and any(isinstance(step.value, Blocked) for step in steps):
        # Written last: by then, what was computed for the steps has been seen.
        out.append(_later(trace, laws, view, explained))
    else:
        out.append(_rest(trace, laws, view, explained))


def _later(
    trace: Trace, laws: list[Invariant], view: View, explained: list[Explanation]
) -> Iterator[bytes]:
    yield _rest(trace, laws, view, explained)


def _rest(trace: Trace, laws: list[Invariant], view: View, explained: list[Explanation]) -> bytes:
    conventions = {**trace.conventions, "orientation": "columns" if view.columns else "rows"}
    if view.digits is not None:
        conventions["significant_digits"] = view.digits
    if view.display is not None:
        conventions["display"] = view.display
    rest = {
        "conventions": conventions,
        "warnings": [warning._asdict() for warning in trace.warnings],
        "explanations": [
            {**one._asdict(), "operands": [cell._asdict() for cell in one.operands]}
            for one in explained
        ],
        **trace.more,
    }
    checked = b",".join([_invariant(one) for one in laws])
    return b'],"invariants":[' + checked + b"]," + json_text(rest)[1:]


def _invariant(one: Invariant) -> bytes:
    law, step, deviation = one.law, one.step, one.largest_deviation
    if deviation == 0.0:
        return _law(law, step) + b'0.0,"holds":true}'
    holds = b"true" if deviation <= law.tolerance else b"false"
    return _law(law, step) + repr(deviation).encode() + b',"holds":' + holds + b"}"


@lru_cache(maxsize=256)
def _law(law: Law, step: str) -> bytes:
    said = {"law": law.name, "step": step, "statement": law.statement}
    return orjson.dumps(said)[:-1] + b',"largest_deviation":'


def _at_once(
    inputs: list[Step], steps: list[Step], digits: int | None, known: Known, out: list[Part]
) -> bool:
    """The numbers of all matrices put into the static text.

    False, and nothing done, if one of them is so large that it is written in parts.
    """
    rules, shapes, blockable = [], [], []
    values: list[Any] = []
    cells = 0
    for rule, value, hidden, _ in inputs + steps:
        if isinstance(value, Blocked) or value.size > CELLS_A_TEXT:
            return False
        rules.append(rule)
        shapes.append(value.shape)
        blockable.append(hidden is not None)
        values.append(value)
        cells += value.size
        if hidden is not None:
            values.append(hidden)
    if not values or not steps:
        return False
    if digits is not None:
        values, known = round_together(values, digits), {}
    filled = [b""] * (2 * len(values) + 1)
    filled[::2] = _skeleton(tuple(rules), tuple(shapes), tuple(blockable), len(inputs))
    filled[1::2] = _numbers(values, cells, known)
    out.append(b"".join(filled))
    return True


def _numbers(values: list[Any], cells: int, known: Known) -> list[bytes]:
    """The numbers of each matrix, without the brackets around them.

    Small matrices are written in one call to orjson, and cut where they meet.
    """
    if cells > MANY_CELLS:
        return [numbers(value, known) for value in values]
    text = orjson.dumps(values, None, _NUMPY)
    if negative_zero(text):
        text = orjson.dumps([value + 0 for value in values], None, _NUMPY)
    return text[3:-3].split(b"]],[[")


@lru_cache(maxsize=1024)
def _skeleton(
    rules: tuple[Rule, ...],
    shapes: tuple[tuple[int, int], ...],
    blockable: tuple[bool, ...],
    n_inputs: int,
) -> list[bytes]:
    """The text before, between and after the numbers of some inputs and steps."""
    out = [b',"inputs":[']
    for i, (rule, shape, has_hidden) in enumerate(zip(rules, shapes, blockable, strict=True)):
        if i == n_inputs:
            out[-1] = out[-1].removesuffix(b",") + b'],"steps":['
        out[-1] += _static(rule, False, shape) + b"[["
        out.append(b"]]")
        if has_hidden:
            out[-1] += b',"hidden":[['
            out.append(b"]]")
        out[-1] += b"},"
    out[-1] = out[-1].removesuffix(b",")
    return out


def _steps(steps: list[Step], view: View, out: list[Part]) -> None:
    for rule, value, hidden, _ in steps:
        turn = view.columns and not is_weight(rule.name)
        shape = value.shape[::-1] if turn else value.shape
        out.append(_static(rule, view.columns, shape))
        out.append(matrix_text(value, view.digits, turn))
        if hidden is not None:
            out.append(b',"hidden":')
            out.append(matrix_text(hidden, None, turn))
        if view.display is not None:
            rows = display(rule, whole(value), view.display, turn)
            out.append(b',"display":' + orjson.dumps(rows))
        out.append(b"},")
    if steps:
        out[-1] = b"}"


@lru_cache(maxsize=4096)
def _static(rule: Rule, columns: bool, shape: tuple[int, int]) -> bytes:
    """All of a step that does not depend on its numbers, up to their place."""
    text: bytes = orjson.dumps(
        {
            "name": rule.name,
            "title": rule.title,
            "symbol": rule.symbol,
            "formula": rule.formula_columns if columns else rule.formula,
            "operation": rule.operation,
            "axes": _shown(Read(rule.name, rule.axes), columns),
            "shape": shape,
            "reads": [{"name": read.name, "axes": _shown(read, columns)} for read in rule.reads],
        }
    )
    return text[:-1] + b',"value":'


def _shown(read: Read, columns: bool) -> tuple[str, ...]:
    return read.axes[::-1] if columns and not is_weight(read.name) else read.axes
