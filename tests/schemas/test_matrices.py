"""Matrices small and large: the quick ways of reading them change no bit and miss no fault."""

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from service.schemas.cells import NUMBERS
from service.schemas.matrices import BooleanMatrix, MaskedMatrix, Matrix, Vector

finite = st.floats(allow_nan=False, allow_infinity=False)
cells = finite | st.integers(-(2**63), 2**64 - 1)

# Below 200 cells all are looked at in one way, above them in another.
SHAPES = [(1, 1), (31, 33), (32, 32), (1, 1024), (1024, 1), (1025, 3)]


def slowly(rows: list[list[Any]]) -> list[list[float]]:
    return [[float(cell) for cell in row] for row in rows]


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=4
        )
    )
)
def test_each_cell_becomes_the_double_that_python_reads(rows: list[list[Any]]) -> None:
    assert Matrix("").deserialize(rows).tolist() == slowly(rows)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_matrix_of_any_size_becomes_the_same_doubles(shape: tuple[int, int]) -> None:
    n, m = shape
    rows: list[list[Any]] = [[(i * m + j) / 7 - 3 for j in range(m)] for i in range(n)]
    rows[-1][-1] = 2**63
    loaded = Matrix("").deserialize(rows)
    assert (loaded.shape, loaded.dtype) == (shape, np.float64)
    assert loaded.tolist() == slowly(rows)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("cell", ["1", True, False, None, [1.0]], ids=str)
def test_the_last_cell_of_a_matrix_of_any_size_is_looked_at(
    shape: tuple[int, int], cell: Any
) -> None:
    n, m = shape
    rows: list[list[Any]] = [[1.0] * m for _ in range(n)]
    rows[-1][-1] = cell
    with pytest.raises(ValidationError) as caught:
        Matrix("").deserialize(rows)
    assert list(caught.value.messages) == [n - 1]
    assert list(caught.value.messages[n - 1]) == [m - 1]  # type: ignore[call-overload]


@pytest.mark.parametrize("shape", SHAPES[1:], ids=str)
def test_a_long_matrix_with_one_row_too_short_is_refused_there(shape: tuple[int, int]) -> None:
    n, m = shape
    rows = [[1.0] * m for _ in range(n + 1)]
    rows[-1] = rows[-1] + [1.0]
    with pytest.raises(ValidationError) as caught:
        Matrix("").deserialize(rows)
    assert list(caught.value.messages) == [n]


@given(
    st.sampled_from([1, 3, 20]),
    st.sampled_from([1, 2, 20]),
    st.sampled_from([0, 1, 0.5]),
    st.sampled_from([0, 1.0, True, False, None, "1", [], [1], {}]),
    st.booleans(),
    st.data(),
)
def test_a_rectangle_of_numbers_is_taken_and_nothing_else(
    n: int, width: int, number: float, odd: Any, is_ragged: bool, data: st.DataObject
) -> None:
    rows: list[list[Any]] = [[number] * width for _ in range(n)]
    row = rows[data.draw(st.integers(0, n - 1))]
    row[data.draw(st.integers(0, width - 1))] = odd
    if is_ragged:
        row.pop()
    cells = {type(cell) for row in rows for cell in row}
    is_rectangle = len({len(row) for row in rows}) == 1 and row
    for field, types in ((Matrix(""), NUMBERS), (MaskedMatrix(""), NUMBERS | {type(None)})):
        if is_rectangle and cells <= types:
            assert field.deserialize(rows).shape == (len(rows), len(row))
        else:
            with pytest.raises(ValidationError):
                field.deserialize(rows)


def test_only_the_first_fault_is_said() -> None:
    with pytest.raises(ValidationError) as caught:
        Matrix("").deserialize([[1, 2], [3, "4"], ["5"], 6])
    said = "A cell must be a number, not a string."
    assert caught.value.messages == {1: {1: [said]}}


@pytest.mark.parametrize("n", [2, 40])
def test_null_in_a_masked_matrix_of_any_size_is_minus_infinity(n: int) -> None:
    loaded = MaskedMatrix("").deserialize(
        [[None if i == j else 1 for j in range(n)] for i in range(n)]
    )
    np.testing.assert_array_equal(loaded, np.where(np.eye(n) == 1, -np.inf, 1.0), strict=True)


def test_booleans_stay_booleans() -> None:
    loaded = BooleanMatrix("").deserialize([[True] * 40] * 40)
    np.testing.assert_array_equal(loaded, np.ones((40, 40), dtype=bool), strict=True)


def test_a_vector_is_one_row() -> None:
    assert Vector("").deserialize([1, 2, 3]).shape == (1, 3)


def test_a_loaded_matrix_of_a_hundred_thousand_cells_takes_no_second() -> None:
    rows = [[1.5] * 400] * 250
    start = time.monotonic()
    Matrix("").deserialize(rows)
    assert time.monotonic() - start < 1


def tall(last: Any) -> Any:
    """A matrix of 100 rows of three numbers that are neither 0 nor 1, but for its last row."""
    return [[0.5, 2.5, -3.0]] * 99 + [last]


@pytest.mark.parametrize("row", [[0.25, 0.5, 0.75], [1, 0, 1.0], [-0.0, 7, 2**53]])
def test_a_tall_matrix_is_read_whatever_its_numbers(row: list[float]) -> None:
    array = Matrix("").deserialize(tall(row))
    np.testing.assert_array_equal(array[-1], np.array(row, float), strict=True)
    assert array.shape == (100, 3)


@pytest.mark.parametrize(
    "row",
    [[True, 2, 3], [2, 3, False], [2, "3", 4], [2, None, 3], [2, [3], 4], [2, 3], [], "abc", 5],
    ids=str,
)
def test_a_tall_matrix_is_refused_at_the_place_of_the_fault(row: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        Matrix("").deserialize(tall(row))
    assert list(caught.value.messages) == [99]


def test_many_empty_rows_are_no_matrix() -> None:
    with pytest.raises(ValidationError):
        Matrix("").deserialize([[]] * 100)
