"""A key that the service computes itself: a step of one of its own operations."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError

from service.api import attention, block, layernorm, mask, move, multihead, positions, softmax
from service.api.contract import Operation
from service.api.problems import flatten
from service.api.view import take_view
from service.api.writer import traces_of
from service.engine.blocks import whole
from service.engine.errors import EngineError, TooLarge
from service.engine.grading.marking.rules import Cells, Derived, Rule, ScalarRule
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.reading.values import Number, exact
from service.engine.grading.tolerances.reached import reached
from service.engine.trace import Step, Trace

OPERATIONS: dict[str, Operation] = {
    "attention": attention.compute_attention,
    "mask": mask.apply_mask,
    "multihead": multihead.compute_multihead,
    "layernorm": layernorm.compute_layernorm,
    "block": block.compute_block,
    "softmax": softmax.compare_scaling,
    "positions": positions.encode_positions,
    "move": move.move_embedding,
}
MAX_CELLS = 4_096


def computed_key(loaded: Mapping[str, Any], rule: Rule) -> Number | MatrixKey:
    """The step as a key of this rule: a cell for a rule of one number, else the whole matrix.

    With the rule Derived, each number knows how far honest rounding can end from it.
    Raises EngineError whose field is the place of the fault in `loaded`, TooLarge.
    """
    if not isinstance(rule, ScalarRule | Cells):
        raise EngineError("", "A number or a matrix can be computed; this rule takes neither.")
    trace = _trace(loaded)
    step = _step(trace, loaded["step"])
    if not isinstance(rule, Cells):
        place = _place(loaded, step)
        return _key(trace, step, rule)[place[0]][place[1]]
    if "row" in loaded or "column" in loaded:
        raise EngineError("row", "This rule takes the whole matrix; leave row and column out.")
    return _key(trace, step, rule.each)


def _trace(loaded: Mapping[str, Any]) -> Trace:
    of = OPERATIONS[loaded["operation"]]
    assert of.body is not None
    try:
        arguments = of.body.load(loaded["request"])
        take_view(arguments)
        document = of.view(**arguments)
    except ValidationError as error:
        first = next(flatten(error.messages))
        raise EngineError(f"request{first['pointer'][1:]}", first["detail"]) from None
    except EngineError as error:
        raise type(error)(f"request/{error.field}".rstrip("/"), error.message) from None
    traces = dict(traces_of(document))
    path = loaded.get("trace", "")
    if path in traces:
        return traces[path]
    if not path and len(traces) == 1:
        return next(iter(traces.values()))
    fault = f"There is no trace {path[:100]!r}." if path else "Name one of the traces."
    raise EngineError("trace", f"{fault} {_there(list(traces))}")


def _there(paths: list[str]) -> str:
    """Which traces a reply has, in words."""
    if paths == [""]:
        return "There is one; leave this out."
    return f"There {'is' if len(paths) == 1 else 'are'} {', '.join(filter(None, paths))}."


def _step(trace: Trace, name: str) -> Step:
    for step in trace.steps:
        if step.rule.name == name:
            cells = step.value.shape[0] * step.value.shape[1]
            if cells > MAX_CELLS:
                raise TooLarge("step", f"{name} has {cells:,} cells; at most {MAX_CELLS:,} are.")
            return step
    there = ", ".join(step.rule.name for step in trace.steps)
    raise EngineError("step", f"There is no step {name[:100]!r}; there are {there}.")


def _place(loaded: Mapping[str, Any], step: Step) -> tuple[int, int]:
    found = []
    for name, size in zip(("row", "column"), step.value.shape, strict=True):
        if name not in loaded:
            raise EngineError(name, f"A rule of one number takes one cell; give its {name}.")
        if loaded[name] >= size:
            raise EngineError(name, f"{loaded['step']} has {size} {name}s, counted from 0.")
        found.append(loaded[name])
    return found[0], found[1]


def _key(trace: Trace, step: Step, each: ScalarRule) -> MatrixKey:
    if isinstance(each, Derived):
        return reached(trace, step.rule.name, each.decimals)
    return tuple(tuple(exact(float(x)) for x in row) for row in whole(step.value).tolist())
