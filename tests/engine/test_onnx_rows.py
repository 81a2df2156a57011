"""Every norm, rotary and softmax case of the onnx package, against an implementation not ours."""

import numpy as np
import pytest
from onnx_cases import outputs, reference, short, tolerance
from onnx_rows import LAYER, RMS, ROTARY, SOFTMAX, ours

ALL = [pytest.param(case, id=short(case)) for case in LAYER + RMS + ROTARY + SOFTMAX]


@pytest.mark.parametrize("case", ALL)
def test_rows_agree_with_the_reference_in_float64(case):
    found, theirs = ours(case), reference(case)
    assert found.keys() == theirs.keys()
    for name, expected in theirs.items():
        np.testing.assert_allclose(found[name], expected, 1e-12, 1e-14, err_msg=name, strict=True)


@pytest.mark.parametrize("case", ALL)
def test_rows_agree_with_the_outputs_that_the_case_brings(case):
    found = ours(case)
    for name, expected in outputs(case).items():
        np.testing.assert_allclose(
            found[name], expected, **tolerance(case), err_msg=name, strict=True
        )


def test_no_case_of_rows_got_lost():
    assert [len(cases) for cases in (LAYER, RMS, ROTARY, SOFTMAX)] == [19, 19, 8, 7]
