"""Writes a reply as it is computed.

What never changes of a step is turned into bytes once for each rule; arrays go through orjson,
a block of rows at a time. A small reply is one bytes object; a large one is a stream that never
holds more than a block of an n × n matrix.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import orjson

from service.api.rounding import round_significant
from service.api.view import Traces, View, check_names, chosen, explanations
from service.engine.arithmetic import Explanation
from service.engine.blocks import Blocked, rows_a_block
from service.engine.trace import Array, Read, Rule, Step, Trace, Value, is_weight, whole

_NUMPY = orjson.OPT_SERIALIZE_NUMPY
# orjson reaches float64 text at half a megabyte a block; a smaller chunk costs in transport.
CHUNK = 1 << 18
# Up to here a search of the text for "-0.0" is cheaper than adding 0.0 to the array.
_FEW_CELLS = 256


def write(document: Any, view: View) -> Iterable[bytes]:
    """The JSON text of a document in which some values are traces.

    Whatever can be wrong with the view is raised here, before the first byte.
    """
    if type(document) is Trace:
        traces: Traces = [("", document)]
    else:
        traces = list(_traces(document, ""))
    if view.steps is not None or view.explain:
        check_names(traces, view)
    explained = {path: explanations(path, trace, view) for path, trace in traces}
    return _document(document, "", view, explained)


def is_large(document: Any) -> bool:
    """Whether a document is worth streaming."""
    if type(document) is Trace:
        return any(step.value.shape[0] * step.value.shape[1] > 1 << 15 for step in document.steps)
    if isinstance(document, dict):
        return any(map(is_large, document.values()))
    return isinstance(document, list) and any(map(is_large, document))


def coalesce(fragments: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in chunks that are worth a system call each."""
    held: list[bytes] = []
    size = 0
    for fragment in fragments:
        held.append(fragment)
        size += len(fragment)
        if size >= CHUNK:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


def _traces(node: Any, path: str) -> Iterator[tuple[str, Trace]]:
    if isinstance(node, Trace):
        # The member that holds a trace is not part of its path: heads/0, not heads/0/trace.
        yield path.removesuffix("/trace"), node
    elif isinstance(node, dict):
        for name, value in node.items():
            yield from _traces(value, f"{path}/{name}" if path else name)
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from _traces(value, f"{path}/{i}")


def _document(
    node: Any, path: str, view: View, explained: dict[str, list[Explanation]]
) -> Iterator[bytes]:
    if isinstance(node, Trace):
        yield from _trace(node, view, explained[path.removesuffix("/trace")])
    elif isinstance(node, dict):
        opening = b"{"
        for name, value in node.items():
            yield opening + orjson.dumps(name) + b":"
            yield from _document(value, f"{path}/{name}" if path else name, view, explained)
            opening = b","
        yield b"}"
    elif isinstance(node, list):
        opening = b"["
        for i, value in enumerate(node):
            yield opening
            yield from _document(value, f"{path}/{i}", view, explained)
            opening = b","
        yield b"]" if node else b"[]"
    else:
        yield orjson.dumps(node, option=_NUMPY)


def _trace(trace: Trace, view: View, explained: list[Explanation]) -> Iterator[bytes]:
    axes = {
        name: {"size": axis.size} if axis.labels is None else axis._asdict()
        for name, axis in trace.axes.items()
    }
    yield b'{"axes":' + orjson.dumps(axes) + b',"inputs":['
    yield from _steps(trace.inputs, view)
    yield b'],"steps":['
    yield from _steps(chosen(trace, view), view)
    conventions = {**trace.conventions, "orientation": "columns" if view.columns else "rows"}
    if view.digits is not None:
        conventions["significant_digits"] = view.digits
    rest = {
        "conventions": conventions,
        "warnings": [warning._asdict() for warning in trace.warnings],
        "explanations": [
            {**one._asdict(), "operands": [cell._asdict() for cell in one.operands]}
            for one in explained
        ],
        **trace.more,
    }
    yield b"]," + orjson.dumps(rest, option=_NUMPY)[1:]


def _steps(steps: list[Step], view: View) -> Iterator[bytes]:
    comma = b""
    for rule, value, hidden, _ in steps:
        turn = view.columns and not is_weight(rule.name)
        n, m = value.shape
        yield comma + _static(rule, view.columns) + (
            b'"shape":[%d,%d],"value":' % ((m, n) if turn else (n, m))
        )
        yield from _matrix(value, view.digits, turn)
        if hidden is not None:
            yield b',"hidden":'
            yield from _matrix(hidden, None, turn)
        yield b"}"
        comma = b","


@cache
def _static(rule: Rule, columns: bool) -> bytes:
    """All of a step that does not depend on the numbers, as the opening of a JSON object."""
    text: bytes = orjson.dumps(
        {
            "name": rule.name,
            "title": rule.title,
            "symbol": rule.symbol,
            "formula": rule.formula_columns if columns else rule.formula,
            "operation": rule.operation,
            "axes": _shown(Read(rule.name, rule.axes), columns),
            "reads": [
                {"name": read.name, "axes": _shown(read, columns)} for read in rule.reads
            ],
        }
    )
    return text[:-1] + b","


def _shown(read: Read, columns: bool) -> tuple[str, ...]:
    return read.axes[::-1] if columns and not is_weight(read.name) else read.axes


def _matrix(value: Value, digits: int | None, turn: bool) -> Iterator[bytes]:
    if turn:
        value = np.ascontiguousarray(whole(value).T)
    if isinstance(value, Blocked) and value.shape[0] <= value.rows:
        value = value.block(0)
    if isinstance(value, Blocked):
        blocks: Iterable[Array] = value
    elif value.size <= _FEW_CELLS:
        yield _few(value, digits)
        return
    else:
        rows = rows_a_block(value.shape[1])
        blocks = (value[i : i + rows] for i in range(0, len(value), rows))
    yield from chain.from_iterable(_rows(block, digits, i == 0) for i, block in enumerate(blocks))
    yield b"]"


def _rows(block: Array, digits: int | None, first: bool) -> Iterator[bytes]:
    if block.dtype == np.float64:
        block = round_significant(block, digits) if digits else block
        block = block + 0.0  # −0.0 is written as 0.0
    yield b"[" if first else b","
    yield orjson.dumps(np.ascontiguousarray(block), option=_NUMPY)[1:-1]


def _few(value: Array, digits: int | None) -> bytes:
    if digits and value.dtype == np.float64:
        value = round_significant(value, digits)
    if not value.flags.c_contiguous:
        value = np.ascontiguousarray(value)
    text: bytes = orjson.dumps(value, option=_NUMPY)
    if b"-0.0," in text or b"-0.0]" in text:
        text = orjson.dumps(value + 0.0, option=_NUMPY)
    return text
