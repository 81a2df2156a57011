"""How a caller wants a trace to be shown. None of it changes what is computed."""

from typing import Any, NamedTuple

from service.engine.arithmetic import Cells, Explanation, Spent, explain
from service.engine.errors import EngineError
from service.engine.trace import Step, Trace, is_weight

Traces = list[tuple[str, Trace]]


class View(NamedTuple):
    """`steps` None: all. `columns`: tokens are columns. `explain`: (path or None, cells) pairs."""

    steps: frozenset[str] | None
    explain: list[tuple[str | None, Cells]]
    digits: int | None
    columns: bool
    display: int | None


def take_view(arguments: dict[str, Any]) -> View:
    """The view options of a loaded request, which are taken out of it."""
    steps = arguments.pop("steps", None)
    cells = arguments.pop("explain", ())
    columns = arguments.pop("orientation") == "columns"
    return View(
        None if steps is None else frozenset(steps),
        [(cell.get("trace"), _cells(cell, columns)) for cell in cells],
        arguments.pop("significant_digits", None),
        columns,
        arguments.pop("display", None),
    )


def _cells(cell: dict[str, Any], columns: bool) -> Cells:
    row, column = cell.get("row"), cell.get("column")
    return Cells(cell["step"], column, row) if columns else Cells(cell["step"], row, column)


def chosen(trace: Trace, view: View) -> list[Step]:
    """The steps of a trace that the caller asked for."""
    if view.steps is None:
        return trace.steps
    return [step for step in trace.steps if step.rule.name in view.steps]


def check_names(traces: Traces, view: View) -> None:
    """Raise EngineError for a step that no trace has, or a path that leads to none."""
    known = list(dict.fromkeys(step.rule.name for _, trace in traces for step in trace.steps))
    for name in sorted(view.steps or ()):
        if name not in known:
            raise EngineError("steps", f'There is no step "{name}"; there are {", ".join(known)}.')
    paths = [path for path, _ in traces]
    for i, (path, cells) in enumerate(view.explain):
        if path is not None and path not in paths:
            there = f"there are {', '.join(paths)}" if len(paths) > 1 else "leave it out"
            raise EngineError(f"explain/{i}/trace", f'There is no trace "{path}"; {there}.')
        if cells.step not in known and cells.step != "*":
            raise EngineError(
                f"explain/{i}/step",
                f'There is no step "{cells.step}"; there are {", ".join(known)}.',
            )


def explanations(path: str, trace: Trace, view: View, spent: Spent) -> list[Explanation]:
    """The explanations that belong to the trace at this path, with places as they are shown."""
    steps = {step.rule.name for step in trace.steps}
    wanted = {
        i: cells
        for i, (of, cells) in enumerate(view.explain)
        if of in (None, path) and (cells.step in steps or cells.step == "*")
    }
    found = explain(trace, wanted, view.digits, spent) if wanted else []
    return [_turned(one) for one in found] if view.columns else found


def _turned(one: Explanation) -> Explanation:
    return one._replace(
        row=one.column,
        column=one.row,
        operands=[
            cell if is_weight(cell.name) else cell._replace(row=cell.column, column=cell.row)
            for cell in one.operands
        ],
    )
