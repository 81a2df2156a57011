"""Writes a reply in which some values are traces.

A small reply is one bytes object; a large one is a stream, computed as it is read, that never holds
more than a block of an n × n matrix.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import orjson

from service.api.display import MAX_CELLS as MOST_SHOWN
from service.api.json_text import json_text
from service.api.matrix_text import Fragment, Known, Part, numbers
from service.api.rounding import EXACT_DIGITS, MOST_ROUNDED, QUICK_DIGITS
from service.api.trace_text import write_trace
from service.api.view import Traces, View, check_names, chosen, explanations
from service.engine.arithmetic import Explanation, Spent
from service.engine.errors import EngineError
from service.engine.trace import Trace

Explained = dict[str, list[Explanation]]

CHUNK = 1 << 17
FIRST_CHUNK = 1 << 14
# A document of more cells than this in several traces is written trace by trace.
MANY_CELLS = 1 << 16


def write(document: Any, view: View) -> list[Part]:
    """The JSON text of a document in which some values are traces, in parts.

    Whatever can be wrong with the view is raised here, before the first byte. A part that is an
    iterator is a matrix of several blocks, computed as it is read.
    """
    explained: Explained = {}
    if view.steps is not None or view.explain:
        traces: Traces = list(traces_of(document))
        check_names(traces, view)
        spent = Spent()
        explained = {path: explanations(path, trace, view, spent) for path, trace in traces}
    parts: list[Part] = []
    several = type(document) is not Trace and sum(map(cells_of, traces_of(document))) > MANY_CELLS
    check_display(document, view)
    check_digits(document, view)
    _document(document, "", view, explained, None if several else {}, parts)
    return parts


def cells_of(named: tuple[str, Trace]) -> int:
    """The cells of all steps of a trace."""
    return sum(step.value.shape[0] * step.value.shape[1] for step in named[1].steps)


def cells_shown(document: Any, view: View) -> int:
    """The cells of the inputs and steps that a reply shows."""
    return sum(
        step.value.shape[0] * step.value.shape[1]
        for _, trace in traces_of(document)
        for step in (*trace.inputs, *chosen(trace, view))
    )


def check_display(document: Any, view: View) -> None:
    """Raise EngineError if more cells are to be put into words than are put into one reply."""
    if view.display is None:
        return
    cells = cells_shown(document, view)
    if cells > MOST_SHOWN:
        raise EngineError(
            "display",
            f"The steps have {cells:,} cells; at most {MOST_SHOWN:,} are put into words in one"
            " reply. Ask for fewer steps, or leave display out.",
        )


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


def traces_of(node: Any, path: str = "") -> Iterator[tuple[str, Trace]]:
    """The traces of a document, by their paths."""
    if type(node) is Trace:
        # The member that holds a trace is not part of its path: heads/0, not heads/0/trace.
        yield path.removesuffix("/trace"), node
    elif type(node) is dict:
        for name, value in node.items():
            yield from traces_of(value, f"{path}/{name}" if path else name)
    elif type(node) is list:
        for i, value in enumerate(node):
            yield from traces_of(value, f"{path}/{i}")


def check_digits(document: Any, view: View) -> None:
    """Raise EngineError if more cells are to be rounded by way of text than one reply may have."""
    if view.digits is None or not QUICK_DIGITS < view.digits < EXACT_DIGITS:
        return
    cells = cells_shown(document, view)
    if cells > MOST_ROUNDED:
        raise EngineError(
            "significant_digits",
            f"The steps have {cells:,} cells; at most {MOST_ROUNDED:,} are rounded to more than"
            f" {QUICK_DIGITS} digits. Ask for fewer digits or steps, or for {EXACT_DIGITS} digits.",
        )


def _document(
    node: Any, path: str, view: View, explained: Explained, known: Known | None, out: list[Part]
) -> None:
    """Append the text of a node; without `known`, traces are written when it is their turn."""
    if type(node) is Trace:
        own = explained.get(path.removesuffix("/trace"), [])
        if known is None:
            out.append(_later(node, view, own))
        else:
            write_trace(node, view, own, known, out)
    elif type(node) is dict and node:
        opening = b"{"
        for name, value in node.items():
            out.append(opening + orjson.dumps(name) + b":")
            _document(value, f"{path}/{name}" if path else name, view, explained, known, out)
            opening = b","
        out.append(b"}")
    elif type(node) is list and node:
        opening = b"["
        for i, value in enumerate(node):
            out.append(opening)
            _document(value, f"{path}/{i}", view, explained, known, out)
            opening = b","
        out.append(b"]")
    elif type(node) is np.ndarray:
        out.append(b"[[" + numbers(node, {} if known is None else known) + b"]]")
    else:
        out.append(json_text(node))


def _later(trace: Trace, view: View, explained: list[Explanation]) -> Iterator[Fragment]:
    """A trace of many, written when its turn comes, so that one text at a time is held."""
    parts: list[Part] = []
    write_trace(trace, view, explained, {}, parts)
    for part in parts:
        if isinstance(part, bytes):
            yield part
        else:
            yield from part
