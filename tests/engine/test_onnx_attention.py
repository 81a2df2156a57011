"""Every attention case of the onnx package, head by head, against an implementation not ours."""

import numpy as np
import pytest
from onnx_attention import CASES, compared, own_outputs, paddings
from onnx_cases import attributes, outputs, reference, short, tolerance

FORMS = [
    pytest.param(case, padding, id=f"{short(case)}-{padding}")
    for case in CASES
    for padding in paddings(case)
]


@pytest.mark.parametrize(("case", "padding"), FORMS)
def test_heads_agree_with_the_reference_in_float64(case, padding):
    ours, theirs = compared(case, padding), own_outputs(reference(case))
    assert ours.keys() == theirs.keys()
    for name, expected in theirs.items():
        np.testing.assert_allclose(ours[name], expected, 1e-12, 1e-14, err_msg=name, strict=True)


@pytest.mark.parametrize(("case", "padding"), FORMS)
def test_heads_agree_with_the_outputs_that_the_case_brings(case, padding):
    ours = compared(case, padding)
    for name, expected in own_outputs(outputs(case)).items():
        np.testing.assert_allclose(
            ours[name], expected, **tolerance(case), err_msg=name, strict=True
        )


def test_no_attention_case_got_lost():
    assert len(CASES) == 93


def test_each_intermediate_that_the_reference_exposes_is_compared():
    exposed = [
        attributes(case).get("qk_matmul_output_mode", 0)
        for case in CASES
        if "qk_matmul_output" in case.model.graph.node[0].output
    ]
    assert {mode: exposed.count(mode) for mode in range(4)} == {0: 3, 1: 2, 2: 7, 3: 6}
