"""Writes a reply in which some values are traces.

A small reply is one bytes object; a large one is a stream, computed as it is read, that never holds
more than a block of an n × n matrix.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from service.api.json_text import json_text
from service.api.matrix_text import Fragment, Part
from service.api.page import Page
from service.api.rounding import EXACT_DIGITS, MOST_ROUNDED, QUICK_DIGITS
from service.api.trace_text import steps_shown, trace_shown
from service.api.view import Traces, View, check_names, chosen, explanations
from service.engine.arithmetic import Explanation, Spent
from service.engine.errors import EngineError
from service.engine.trace import Trace

# By the ids of their traces.
Explained = dict[int, list[Explanation]]

CHUNK = 1 << 17
FIRST_CHUNK = 1 << 14
# A document of more cells than this in several traces is written trace by trace.
MANY_CELLS = 1 << 16
# So many cells of a reply are put into words.
MOST_SHOWN = 1 << 16


def write(document: Any, view: View) -> list[Part]:
    """The JSON text of a document in which some values are traces, in parts.

    Whatever can be wrong with the view is raised here, before the first byte. A part that is an
    iterator is a matrix of several blocks, its laws, or a trace of many: computed as it is read.
    """
    explained: Explained = {}
    if view.steps is not None or view.explain:
        traces = traces_of(document)
        check_names(traces, view)
        if view.explain:
            spent = Spent()
            explained = {
                id(trace): explanations(path, trace, view, spent) for path, trace in traces
            }
    check_display(document, view)
    check_digits(document, view)
    return _parts(document, view, explained)


def _parts(document: Any, view: View, explained: Explained) -> list[Part]:
    page = Page(view)
    shown = _shown(document, page, explained)
    if page.cells > MANY_CELLS and type(document) is not Trace:
        page = Page(view, page.cells)  # with so many already, each trace waits for its turn
        shown = _shown(document, page, explained)
    if view.digits is not None:
        page.round(view.digits)
    return page.filled(json_text(shown, page.plain))


def _shown(node: Any, page: Page, explained: Explained) -> Any:
    """A node of the document as data for orjson."""
    kind = type(node)
    if kind is dict:
        return {name: _shown(member, page, explained) for name, member in node.items()}
    if kind is list:
        return [_shown(member, page, explained) for member in node]
    if kind is np.ndarray:
        return page.matrix(node)
    if kind is not Trace:
        return node
    if page.cells > MANY_CELLS:
        return page.hole(partial(_later, node, page.view, explained))
    inputs, _ = steps_shown(node.inputs, page)
    steps, cells = steps_shown(chosen(node, page.view), page)
    page.cells += cells
    return trace_shown(node, inputs, steps, explained.get(id(node), []), page)


def _later(trace: Trace, view: View, explained: Explained) -> Iterator[Fragment]:
    """A trace of many, so that one text at a time is held."""
    for part in _parts(trace, view, explained):
        if isinstance(part, bytes):
            yield part
        else:
            yield from part


def traces_of(document: Any) -> Traces:
    """The traces of a document, by their paths."""
    found: Traces = []
    _find_traces({"": document}, "", found)
    return found


def _find_traces(node: Any, path: str, found: Traces) -> None:
    for name, member in node.items() if type(node) is dict else enumerate(node):
        kind = type(member)
        if kind is Trace:
            # The member that holds a trace is not part of its path: heads/0, not heads/0/trace.
            found.append((f"{path}{name}".removesuffix("/trace"), member))
        elif kind is dict or kind is list:
            _find_traces(member, f"{path}{name}/" if path or name else "", found)


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


def cells_shown(document: Any, view: View) -> int:
    """The cells of the inputs and steps that a reply shows."""
    return sum(
        step.value.shape[0] * step.value.shape[1]
        for _, trace in traces_of(document)
        for step in (*trace.inputs, *chosen(trace, view))
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
