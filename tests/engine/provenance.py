"""What a reply's own rules say about where each cell comes from.

A cell reads every cell of a named matrix whose indices agree with its own on the axes that they
share; "*", or any axis that the step lacks, means every index.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

Node = tuple[str, str]  # the path of a trace, and the name of one of its inputs or steps
Cells = dict[Node, Any]


def traces(reply: Any) -> dict[str, Any]:
    """The traces of a reply by path, those that are read before those that read them."""
    return dict(_traces(reply, ""))


def _traces(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(node, dict) and "steps" in node:
        yield path.removesuffix("/trace"), node
    elif isinstance(node, dict | list):
        members = node.items() if isinstance(node, dict) else enumerate(node)
        for name, member in members:
            yield from _traces(member, f"{path}/{name}" if path else str(name))


def nodes(reply: Any) -> dict[Node, Any]:
    """Every input and step, in an order in which each comes after what it reads."""
    return {
        (path, node["name"]): node
        for path, trace in traces(reply).items()
        for node in (*trace["inputs"], *trace["steps"])
    }


def source(of: Node, name: str, known: dict[Node, Any]) -> Node:
    """The node that a step means by a name: its own trace's, or by path another's."""
    own = (of[0], name)
    if own in known:
        return own
    path, _, last = name.rpartition("/")
    return (path, last)


def array(rows: Any) -> Any:
    return np.array([[-np.inf if cell is None else cell for cell in row] for row in rows])


def spread(cells: Any, read_axes: list[str], axes: list[str], shape: list[int]) -> Any:
    """Which cells of a step read one of these cells."""
    for position, axis in enumerate(read_axes):
        if axis not in axes:
            cells = cells.any(axis=position, keepdims=True)
    shared = [(read_axes.index(axis), axes.index(axis)) for axis in read_axes if axis in axes]
    if any(mine != theirs for mine, theirs in shared):
        cells = cells.T
    return np.broadcast_to(cells, shape)


def reached(reply: Any, changed: Cells) -> Cells:
    """The cells that may differ once these given cells do, by following what each step reads."""
    known = nodes(reply)
    found: Cells = {}
    for node, step in known.items():
        if step["operation"] == "input":
            found[node] = changed[node]
            continue
        found[node] = np.zeros(step["shape"], dtype=np.bool_)
        for read in step["reads"]:
            cells = found[source(node, read["name"], known)]
            found[node] |= spread(cells, read["axes"], step["axes"], step["shape"])
    return found


def differing(reply: Any, other: Any) -> Cells:
    """The cells, also of `hidden`, whose bits differ between two replies."""
    second = nodes(other)
    found: Cells = {}
    for node, step in nodes(reply).items():
        found[node] = array(step["value"]) != array(second[node]["value"])
        if "hidden" in step:
            found[node] |= array(step["hidden"]) != array(second[node]["hidden"])
    return found


def operands(node: Node, row: int, column: int, known: dict[Node, Any]) -> list[tuple[Any, ...]]:
    """The (name, row, column, value) of each cell that one cell reads."""
    step = known[node]
    place = dict(zip(step["axes"], (row, column), strict=True))
    found = []
    for read in step["reads"]:
        value = known[source(node, read["name"], known)]["value"]
        sizes = (len(value), len(value[0]))
        rows, columns = (
            [place[axis]] if axis in place else range(size)
            for axis, size in zip(read["axes"], sizes, strict=True)
        )
        found += [(read["name"], i, j, value[i][j]) for i in rows for j in columns]
    return found
