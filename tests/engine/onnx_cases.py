"""The node cases that the installed onnx package makes, and its reference in float64."""

import importlib
from typing import Any

import numpy as np
import onnx
from onnx.backend.test.case import node as onnx_nodes
from onnx.backend.test.case.test_case import TestCase
from onnx.reference import ReferenceEvaluator

# What a result in this width may differ by, relatively and absolutely.
WIDTHS = {"float32": 1e-5, "float16": 2e-3, "bfloat16": 2e-2}


def cases_of(module: str, op_type: str) -> list[TestCase]:
    """The cases of one operator; an expanded case is the same data through another graph."""
    importlib.import_module(f"onnx.backend.test.case.node.{module}")
    return [
        case
        for case in onnx_nodes._NodeTestCases
        if len(case.model.graph.node) == 1 and case.model.graph.node[0].op_type == op_type
    ]


def short(case: TestCase) -> str:
    return case.name.removeprefix("test_")


def attributes(case: TestCase) -> dict[str, Any]:
    return {a.name: onnx.helper.get_attribute_value(a) for a in case.model.graph.node[0].attribute}


def inputs(case: TestCase) -> dict[str, Any]:
    """The inputs by the operator's own names, floats as float64; those left out are absent."""
    names = [name for name in case.model.graph.node[0].input if name]
    return dict(zip(names, map(widened, case.data_sets[0][0]), strict=True))


def outputs(case: TestCase) -> dict[str, Any]:
    """The outputs that come with the case, computed in its own width."""
    names = [name for name in case.model.graph.node[0].output if name]
    return dict(zip(names, map(widened, case.data_sets[0][1]), strict=True))


def reference(case: TestCase) -> dict[str, Any]:
    """The same outputs computed by onnx's reference operator from float64 inputs."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    node = model.graph.node[0]
    # A width for the softmax would round float64 scores to it.
    kept = [a for a in node.attribute if a.name != "softmax_precision"]
    del node.attribute[:]
    node.attribute.extend(kept)
    with np.errstate(all="ignore"):
        found = ReferenceEvaluator(model).run(None, inputs(case))
    return dict(zip([name for name in node.output if name], found, strict=True))


def widened(array: Any) -> Any:
    is_whole = array.dtype == np.bool_ or np.issubdtype(array.dtype, np.integer)
    return array if is_whole else array.astype(np.float64)


def tolerance(case: TestCase) -> dict[str, float]:
    """What the width of the case's own outputs allows."""
    width = WIDTHS[case.data_sets[0][1][0].dtype.name]
    return {"rtol": width, "atol": width}
