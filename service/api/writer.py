"""Writes a reply in which some values are traces.

A small reply is one bytes object; a large one is a stream, computed as it is read, that never holds
more than a block of an n × n matrix.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from service.api.matrix_text import Fragment, Part
from service.api.trace_text import write_trace
from service.api.view import Traces, View, check_names, explanations
from service.engine.arithmetic import Explanation, Spent
from service.engine.trace import Trace

_NUMPY = orjson.OPT_SERIALIZE_NUMPY

Explained = dict[str, list[Explanation]]

CHUNK = 1 << 18
FIRST_CHUNK = 1 << 14


def write(document: Any, view: View) -> list[Part]:
    """The JSON text of a document in which some values are traces, in parts.

    Whatever can be wrong with the view is raised here, before the first byte. A part that is an
    iterator is a matrix of several blocks, computed as it is read.
    """
    explained: Explained = {}
    if view.steps is not None or view.explain:
        traces: Traces = list(_traces(document, ""))
        check_names(traces, view)
        spent = Spent()
        explained = {path: explanations(path, trace, view, spent) for path, trace in traces}
    parts: list[Part] = []
    _document(document, "", view, explained, parts)
    return parts


def stream(parts: Iterable[Part]) -> Iterator[bytes]:
    """The text of all parts in chunks that are worth a system call each."""
    held: list[Fragment] = []
    size, enough = 0, FIRST_CHUNK
    for part in parts:
        for fragment in (part,) if isinstance(part, bytes) else part:
            held.append(fragment)
            size += len(fragment)
            if size >= enough:
                yield b"".join(held)
                held, size, enough = [], 0, CHUNK
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


def _document(node: Any, path: str, view: View, explained: Explained, out: list[Part]) -> None:
    if type(node) is Trace:
        write_trace(node, view, explained.get(path.removesuffix("/trace"), []), out)
    elif type(node) is dict and node:
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
