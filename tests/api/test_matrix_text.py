"""How matrices are written, beside the standard library's reading of the same text."""

import json

import numpy as np
import pytest

from service.api.matrix_text import matrix_text, numbers
from service.api.rounding import round_significant, round_together

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


def test_a_matrix_that_is_met_again_is_not_written_again():
    matrix, known = RNG.normal(size=(3, 4)), {}
    first = numbers(matrix, known)
    assert numbers(matrix, known) is first
    assert json.loads(b"[[" + first + b"]]") == matrix.tolist()


def test_another_matrix_of_the_same_numbers_is_another():
    known = {}
    assert numbers(np.ones((1, 2)), known) == b"1.0,1.0"
    assert numbers(np.ones((2, 1)), known) == b"1.0],[1.0"


def test_matrices_are_rounded_together_as_they_are_alone():
    matrices = [RNG.normal(size=(3, 4)), np.eye(2, dtype=np.uint8), RNG.normal(size=(1, 7))]
    rounded = round_together(matrices, 3)
    np.testing.assert_array_equal(rounded[0], round_significant(matrices[0], 3), strict=True)
    np.testing.assert_array_equal(rounded[1], matrices[1], strict=True)
    np.testing.assert_array_equal(rounded[2], round_significant(matrices[2], 3), strict=True)
