"""Writes a reply as it is computed.

What never changes of a step is turned into bytes once for each rule; arrays go through orjson,
a block of rows at a time. A small reply is one bytes object; a large one is a stream that never
holds more than a block of an n × n matrix.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import orjson

from service.api.rounding import round_significant
from service.api.view import Traces, View, check_names, chosen, explanations
from service.engine.arithmetic import Explanation
from service.engine.blocks import CELLS_A_BLOCK, Blocked, rows_a_block, whole
from service.engine.trace import Array, Read, Rule, Step, Trace, Value, is_weight

_NUMPY = orjson.OPT_SERIALIZE_NUMPY

CHUNK = 1 << 18
# Up to here a search of the text for "-0.0" is cheaper than adding 0.0 to the array.
_FEW_CELLS = 256
# Up to here a search of the text for "-0.0" is cheaper than adding 0.0 to the array.


Part = bytes | Iterator[bytes]


def write(document: Any, view: View) -> list[Part]:
    """The JSON text of a document in which some values are traces, in parts.

    Whatever can be wrong with the view is raised here, before the first byte. A part that is an
    iterator is a matrix of several blocks, computed as it is read.
    """
    traces: Traces = list(_traces(document, ""))
    if view.steps is not None or view.explain:
        check_names(traces, view)
    explained = {path: explanations(path, trace, view) for path, trace in traces}
    parts: list[Part] = []
    _document(document, "", view, explained, parts)
    return parts


def stream(parts: Iterable[Part]) -> Iterator[bytes]:
    """The text of all parts in chunks that are worth a system call each."""
    held: list[bytes] = []
    size = 0
    for part in parts:
        for fragment in (part,) if isinstance(part, bytes) else part:
            held.append(fragment)
            size += len(fragment)
            if size >= CHUNK:
                yield b"".join(held)
                held, size = [], 0
    yield b"".join(held)


def _traces(node: Any, path: str) -> Iterator[tuple[str, Trace]]:
    if type(node) is Trace:
        # The member that holds a trace is not part of its path: heads/0, not heads/0/trace.
        yield path.removesuffix("/trace"), node
    elif type(node) is dict:
        for name, value in node.items():
            yield from _traces(value, f"{path}/{name}" if path else name)
    elif type(node) is list:
        for i, value in enumerate(node):
            yield from _traces(value, f"{path}/{i}")


Explained = dict[str, list[Explanation]]


def _document(node: Any, path: str, view: View, explained: Explained, out: list[Part]) -> None:
    if type(node) is Trace:
        _trace(node, view, explained[path.removesuffix("/trace")], out)
    elif type(node) is dict:
        opening = b"{"
        for name, value in node.items():
            out.append(opening + orjson.dumps(name) + b":")
            _document(value, f"{path}/{name}" if path else name, view, explained, out)
            opening = b","
        out.append(b"}")
    elif type(node) is list and node:
        opening = b"["
        for i, value in enumerate(node):
            out.append(opening)
            _document(value, f"{path}/{i}", view, explained, out)
            opening = b","
        out.append(b"]")
    else:
        out.append(orjson.dumps(node, option=_NUMPY))


def _trace(trace: Trace, view: View, explained: list[Explanation], out: list[Part]) -> None:
    axes = {
        name: {"size": size} if labels is None else {"size": size, "labels": labels}
        for name, (size, labels) in trace.axes.items()
    }
    out.append(b'{"axes":' + orjson.dumps(axes))
    steps = chosen(trace, view)
    plain = view.digits is None and not view.columns
    if plain and steps and _is_small(trace.inputs) and _is_small(steps):
        _small(trace.inputs, steps, out)
    else:
        out.append(b',"inputs":[')
        _steps(trace.inputs, view, out)
        out.append(b'],"steps":[')
        _steps(steps, view, out)
    out.append(b"]," + _rest(trace, view, explained))


def _rest(trace: Trace, view: View, explained: list[Explanation]) -> bytes:
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
    return orjson.dumps(rest, option=_NUMPY)[1:]


def _is_small(steps: list[Step]) -> bool:
    return all(
        isinstance(step.value, np.ndarray) and step.value.size <= _FEW_CELLS for step in steps
    )


def _small(inputs: list[Step], steps: list[Step], out: list[Part]) -> None:
    """All matrices in one call to orjson, cut where they meet, and put into the static text."""
    key = []
    values: list[Any] = []
    for rule, value, hidden, _ in inputs + steps:
        key.append((rule, value.shape, hidden is not None))
        values.append(value)
        if hidden is not None:
            values.append(hidden)
    text = orjson.dumps(values, None, _NUMPY)
    if b"-0.0," in text or b"-0.0]" in text:
        text = orjson.dumps([value + 0 for value in values], None, _NUMPY)
    statics = _skeleton(tuple(key), len(inputs))
    numbers = text[3:-3].split(b"]],[[")
    for static, number in zip(statics, numbers, strict=False):
        out.append(static)
        out.append(number)
    out.append(statics[-1])


@lru_cache(maxsize=1024)
def _skeleton(key: tuple[tuple[Rule, tuple[int, int], bool], ...], n_inputs: int) -> list[bytes]:
    """The text before, between and after the numbers of some inputs and steps."""
    out = [b',"inputs":[']
    for i, (rule, shape, has_hidden) in enumerate(key):
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
        out.append(_matrix(value, view.digits, turn))
        if hidden is not None:
            out.append(b',"hidden":')
            out.append(_matrix(hidden, None, turn))
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


def _matrix(value: Value, digits: int | None, turn: bool) -> Part:
    if turn:
        value = np.ascontiguousarray(whole(value).T)
    if isinstance(value, Blocked):
        return _joined(_text(block, digits) for block in value)
    if value.size > CELLS_A_BLOCK:
        rows = rows_a_block(value.shape[1])
        blocks = (value[i : i + rows] for i in range(0, len(value), rows))
        return _joined(_text(block, digits) for block in blocks)
    return _text(value, digits)


def _joined(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Matrices below each other as one matrix."""
    opening = b"["
    for text in blocks:
        yield opening
        yield text[1:-1]
        opening = b","
    yield b"]"


def _text(block: Array, digits: int | None) -> bytes:
    if digits is not None and block.dtype == np.float64:
        block = round_significant(block, digits)
    if block.size > _FEW_CELLS:
        block = block + 0.0 if block.dtype == np.float64 else block  # −0.0 is written as 0.0
    text: bytes = orjson.dumps(block, None, _NUMPY)
    if block.size <= _FEW_CELLS and (b"-0.0," in text or b"-0.0]" in text):
        text = orjson.dumps(block + 0.0, None, _NUMPY)
    return text
