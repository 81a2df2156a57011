"""What orjson writes in one call, and the holes that it leaves."""

import json

import numpy as np
import orjson
import pytest

from service.api.page import FEW_CELLS, Page
from service.api.view import View
from service.engine.blocks import CELLS_A_BLOCK, blocked

RNG = np.random.default_rng(9)
VIEW = View(steps=None, explain=[], digits=None, columns=False, display=None)
LARGE = RNG.normal(size=(10, FEW_CELLS // 5))


def fragments(part):
    return [part] if isinstance(part, bytes) else list(part)


def written(page, *shown):
    """The text of a list of what stands for matrices, read back."""
    parts = page.filled(orjson.dumps(shown, None, orjson.OPT_SERIALIZE_NUMPY))
    return json.loads(b"".join(b"".join(fragments(part)) for part in parts))


def halves(matrix):
    """The matrix, in two blocks of rows."""
    n, m = matrix.shape
    return blocked((n, m), n // 2, lambda _, start, stop: matrix[start:stop])


def test_a_small_matrix_stays_where_it_is():
    small = RNG.normal(size=(3, 4))
    assert Page(VIEW).matrix(small) is small


def test_a_text_without_holes_is_one_part():
    assert Page(VIEW).filled(b"[1]") == [b"[1]"]


def test_holes_are_filled_by_their_number():
    page = Page(VIEW)
    first, second = page.hole(lambda: b"1"), page.hole(lambda: b"2")
    assert written(page, second, first) == [2, 1]


@pytest.mark.parametrize("turn", [False, True])
def test_a_large_matrix_fills_a_hole(turn):
    page = Page(VIEW)
    assert written(page, page.matrix(LARGE, turn=turn)) == [(LARGE.T if turn else LARGE).tolist()]


def test_a_matrix_that_is_met_again_is_not_written_again():
    page = Page(VIEW)
    parts = page.filled(orjson.dumps([page.matrix(LARGE), page.matrix(LARGE)]))
    assert parts[1] is parts[3]


def test_another_matrix_of_the_same_numbers_is_another():
    page = Page(VIEW)
    other = LARGE.reshape(LARGE.shape[::-1])
    assert written(page, page.matrix(LARGE), page.matrix(other)) == [
        LARGE.tolist(),
        other.tolist(),
    ]


def test_a_matrix_that_is_turned_in_one_place_is_not_turned_in_another():
    page = Page(VIEW)
    assert written(page, page.matrix(LARGE), page.matrix(LARGE, turn=True)) == [
        LARGE.tolist(),
        LARGE.T.tolist(),
    ]


@pytest.mark.parametrize("digits", [None, 3])
def test_what_is_exact_in_one_place_may_be_rounded_in_another(digits):
    page = Page(VIEW)
    exact, rounded = written(page, page.matrix(LARGE), page.matrix(LARGE, digits))
    assert (exact == rounded) is (digits is None)


@pytest.mark.parametrize(
    "matrix",
    [halves(LARGE), halves(RNG.normal(size=(4, 2))), RNG.normal(size=(2, CELLS_A_BLOCK))],
    ids=["blocks", "small blocks", "long"],
)
def test_a_matrix_that_is_written_in_its_turn_is_written_wherever_it_stands(matrix):
    page = Page(VIEW)
    once, twice = written(page, page.matrix(matrix), page.matrix(matrix))
    assert once == twice
    assert np.shape(once) == matrix.shape


def test_small_matrices_are_rounded_in_one_go():
    page = Page(VIEW)
    matrices = [RNG.normal(size=(2, 3)), np.array([[-np.inf, 0.0, 0.12345]])]
    page.unrounded = [{"value": matrix} for matrix in matrices]
    page.round(2)
    assert page.unrounded[1]["value"].tolist() == [[-np.inf, 0.0, 0.12]]
    assert page.unrounded[0]["value"].shape == (2, 3)
