"""Every norm, rotary, softmax and activation case of onnx, against an implementation not ours."""

import numpy as np
import pytest
from onnx_cases import outputs, reference, short, tolerance
from onnx_rows import GELU, LAYER, RMS, ROTARY, SOFTMAX, SWIGLU, ours

ALL = [
    pytest.param(case, id=short(case)) for case in LAYER + RMS + ROTARY + SOFTMAX + GELU + SWIGLU
]


# onnx defines Gelu by other operators, with its constants in float32 whatever the input.
GELU_CONSTANTS = 1e-6


@pytest.mark.parametrize("case", ALL)
def test_rows_agree_with_the_reference_in_float64(case):
    found, theirs = ours(case), reference(case)
    rtol = GELU_CONSTANTS if case in GELU else 1e-12
    assert found.keys() == theirs.keys()
    for name, expected in theirs.items():
        np.testing.assert_allclose(found[name], expected, rtol, 1e-14, err_msg=name, strict=True)


@pytest.mark.parametrize("case", ALL)
def test_rows_agree_with_the_outputs_that_the_case_brings(case):
    found = ours(case)
    for name, expected in outputs(case).items():
        np.testing.assert_allclose(
            found[name], expected, **tolerance(case), err_msg=name, strict=True
        )


def test_no_case_of_rows_got_lost():
    assert [len(cases) for cases in (LAYER, RMS, ROTARY, SOFTMAX)] == [19, 19, 8, 7]
    assert [len(cases) for cases in (GELU, SWIGLU)] == [4, 3]
