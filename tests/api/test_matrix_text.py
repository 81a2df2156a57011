"""How matrices are written, beside the standard library's reading of the same text."""

import json

import numpy as np
import pytest

from service.api.matrix_text import matrix_text

RNG = np.random.default_rng(8)


@pytest.mark.parametrize("shape", [(1, 1), (8, 8), (5, 13), (1, 65), (65, 1), (16, 512)])
def test_a_matrix_of_0_and_1_is_written_as_it_is(shape):
    hidden = RNG.integers(0, 2, shape, dtype=np.uint8)
    assert json.loads(matrix_text(hidden, None, False)) == hidden.tolist()


@pytest.mark.parametrize("shape", [(2, 2), (8, 8), (9, 9)])
def test_no_zero_has_a_sign(shape):
    matrix = np.full(shape, -0.0)
    matrix[0, 0] = -0.05
    assert matrix_text(matrix, None, False).count(b"-") == 1
