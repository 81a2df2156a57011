"""Every LayerNorm and RMSNorm case of the onnx package, against an implementation not ours.

A norm over the last few axes is a norm over rows once these axes are laid flat.
"""

import numpy as np
import pytest
from onnx_cases import attributes, cases_of, inputs, outputs, reference, short, tolerance

from service.engine.layernorm import layernorm
from service.engine.trace import find

LAYER = cases_of("layernormalization", "LayerNormalization")
RMS = cases_of("rmsnormalization", "RMSNormalization")

BOTH = [pytest.param(case, id=short(case)) for case in LAYER + RMS]


def ours(case):
    """The outputs that the case has, from rows."""
    given, said = inputs(case), attributes(case)
    X, eps = given["X"], said.get("epsilon", float(np.float32(1e-5)))
    axis = said.get("axis", -1) % X.ndim
    width = int(np.prod(X.shape[axis:]))
    is_layer = case.model.graph.node[0].op_type == "LayerNormalization"
    steps = layernorm(
        X.reshape(-1, width),
        gamma=given["W"].reshape(1, width),
        beta=given["B"].reshape(1, width) if is_layer else None,
        eps=eps,
        norm="layer" if is_layer else "rms",
    ).steps
    numbers = {"Y": find(steps, "output").value.reshape(X.shape)}
    if is_layer:
        shape = X.shape[:axis] + (1,) * (X.ndim - axis)
        numbers["Mean"] = find(steps, "mean").value.reshape(shape)
        variance = find(steps, "variance").value.reshape(shape)
        numbers["InvStdDev"] = 1 / np.sqrt(variance + eps)
    return numbers


@pytest.mark.parametrize("case", BOTH)
def test_norms_agree_with_the_reference_in_float64(case):
    found, theirs = ours(case), reference(case)
    assert found.keys() == theirs.keys()
    for name, expected in theirs.items():
        np.testing.assert_allclose(found[name], expected, 1e-12, 1e-14, err_msg=name, strict=True)


@pytest.mark.parametrize("case", BOTH)
def test_norms_agree_with_the_outputs_that_the_case_brings(case):
    found = ours(case)
    for name, expected in outputs(case).items():
        np.testing.assert_allclose(
            found[name], expected, **tolerance(case), err_msg=name, strict=True
        )


def test_no_norm_case_got_lost():
    assert (len(LAYER), len(RMS)) == (19, 19)
