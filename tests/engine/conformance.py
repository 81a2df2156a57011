"""Writes docs/conformance.md: each case of the installed onnx and how far our numbers are off.

`make conformance` runs it. The numbers come from the runners that the tests use.
"""

import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import onnx_attention
import onnx_rows
from onnx_cases import WIDTHS, cases_of, outputs, reference, short

FILE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
# What a float64 result may be off by, in the units of its cell where that is larger than 1.
# The limit is 1e-12; onnx defines Gelu by other operators, with its constants in float32.
IN_FLOAT64 = {"Gelu": 1e-6}


class Group(NamedTuple):
    """The cases of one operator, and what puts a case to us: each way, its outputs."""

    title: str
    cases: list[Any]
    ways: Callable[[Any], list[dict[str, Any]]]


class Result(NamedTuple):
    """A case, the width of its own outputs, and the largest differences, absolute."""

    name: str
    width: str
    in_float64: float
    in_its_width: float


def of_rows(case: Any) -> list[dict[str, Any]]:
    return [onnx_rows.ours(case)]


def of_heads(case: Any) -> list[dict[str, Any]]:
    return [onnx_attention.compared(case, padding) for padding in onnx_attention.paddings(case)]


GROUPS = [
    Group("Attention", onnx_attention.CASES, of_heads),
    Group("LayerNormalization", onnx_rows.LAYER, of_rows),
    Group("RMSNormalization", onnx_rows.RMS, of_rows),
    Group("RotaryEmbedding", onnx_rows.ROTARY, of_rows),
    Group("Softmax", onnx_rows.SOFTMAX, of_rows),
    Group("Gelu", onnx_rows.GELU, of_rows),
    Group("SwiGLU", onnx_rows.SWIGLU, of_rows),
]

# Cases of these operators that are not run, by name, each with its reason.
EXCLUDED: dict[str, str] = {}

# Operators beside them for which the service has no operation.
NOT_OFFERED = {
    "LogSoftmax": ("logsoftmax", "no endpoint gives logarithms of weights"),
    "FlexAttention": ("flexattention", "its scores are changed by a graph in the model"),
    "LinearAttention": ("linear_attention", "there is no softmax and no n × n matrix to show"),
}


def difference(found: Any, expected: Any) -> float:
    """The largest absolute difference; what is infinite must be so in both."""
    assert found.shape == expected.shape
    endless = np.isinf(expected)
    assert np.array_equal(found[endless], expected[endless])
    assert np.isfinite(found[~endless]).all()
    return float(np.abs(found[~endless] - expected[~endless]).max(initial=0.0))


def largest(ways: list[dict[str, Any]], theirs: dict[str, Any]) -> float:
    """Over all outputs that we have; the cache after a step is its caller's."""
    compared = onnx_attention.own_outputs(theirs)
    assert all(found.keys() == compared.keys() for found in ways)
    return max(difference(found[name], compared[name]) for found in ways for name in compared)


def result(case: Any, group: Group) -> Result:
    ways = group.ways(case)
    return Result(
        short(case),
        case.data_sets[0][1][0].dtype.name,
        largest(ways, reference(case)),
        largest(ways, outputs(case)),
    )


def results() -> dict[str, list[Result]]:
    """Every case that is run, by operator."""
    return {
        group.title: [result(case, group) for case in group.cases if short(case) not in EXCLUDED]
        for group in GROUPS
    }


PAGE = """# Conformance

Every node case that the onnx package makes for an operator that this service has, put to the
engine. `make conformance` writes this page; a test holds that it lists the cases that run and no
others, and that no difference passes its limit.

Written with {versions}.

Differences are absolute: the largest over all cells of all outputs. **float64** is the difference
from onnx's reference operator, given the same inputs as float64; its limit is 1e-12,
but 1e-06 for Gelu, whose constants onnx holds as float32.
The others are differences from the outputs that come with the case, which onnx computed in the
width that is named: they show the rounding of the case, not ours. Their limits are
{limits}.

{summary}

A case of Attention with padded keys is put twice: with these keys hidden by a mask, and cut off.
The cache that an Attention node hands on (`present_key`, `present_value`) is not compared: it is
the past and the input laid together, which a stateless service leaves to its caller. A scale that
a case gives is used as onnx uses it: its root as a float32, squared.

## Left out

{left_out}
"""


def report(found: dict[str, list[Result]]) -> str:
    """The page."""
    page = PAGE.format(
        versions=f"onnx {onnx.__version__}, numpy {np.__version__},"
        f" Python {platform.python_version()}, {platform.machine()}",
        limits=", ".join(f"{limit:.0e} for {width}" for width, limit in WIDTHS.items()),
        summary=summary(found),
        left_out=left_out(),
    )
    sections = [f"\n## {title}\n\n{of_cases(rows)}\n" for title, rows in found.items()]
    return page + "".join(sections)


def summary(found: dict[str, list[Result]]) -> str:
    rows = []
    for group in GROUPS:
        run = found[group.title]
        own = [[row.in_its_width for row in run if row.width == width] for width in WIDTHS]
        differences = [[row.in_float64 for row in run], *own]
        most = [shown(max(each)) if each else "" for each in differences]
        rows.append([group.title, len(group.cases), len(run), *most])
    total = [sum(column) for column in zip(*(row[1:3] for row in rows), strict=True)]
    heads = ["operator", "cases", "run", "float64", *WIDTHS]
    return table(heads, [*rows, ["together", *total, *[""] * (1 + len(WIDTHS))]])


def left_out() -> str:
    rows = [[f"`{name}`", 1, why] for name, why in EXCLUDED.items()]
    for operator, (module, why) in NOT_OFFERED.items():
        rows.append([operator, len(cases_of(module, operator)), why])
    return table(["", "cases", "why"], rows)


def of_cases(rows: list[Result]) -> str:
    cells = [
        [f"`{row.name}`", shown(row.in_float64), shown(row.in_its_width), row.width] for row in rows
    ]
    return table(["case", "float64", "its own width", ""], cells)


def table(heads: list[str], rows: list[list[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def shown(x: float) -> str:
    return f"{x:.1e}"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(report(results()), "utf-8")
