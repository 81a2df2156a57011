"""Documents with traces, beside the standard library's reading of their text."""

import json
from dataclasses import replace

import numpy as np
import pytest

from service.api.page import FEW_CELLS
from service.api.view import View
from service.api.writer import MANY_CELLS, stream, traces_of, write
from service.engine.blocks import blocked
from service.engine.trace import Axis, Read, Step, Trace, Warning, given

RNG = np.random.default_rng(10)
A = given("A", "A", "A matrix", ("i", "j"))
VIEW = View(steps=None, explain=[], digits=None, columns=False, display=None)


def trace(*values):
    return Trace({"i": Axis(1)}, [], [Step(A, value) for value in values], {}, [])


def read(document, **view):
    return json.loads(b"".join(stream(write(document, VIEW._replace(**view)))))


def values(written):
    return [step["value"] for step in written["steps"]]


def test_a_trace_in_a_list_in_a_member_is_written_in_its_place():
    document = {"name": "d", "all": [{"trace": trace(np.eye(2))}, trace(np.ones((1, 1)))]}
    written = read(document)
    assert list(written) == ["name", "all"]
    assert values(written["all"][0]["trace"]) == [[[1, 0], [0, 1]]]
    assert written["all"][1]["steps"][0]["title"] == "A matrix"


def test_traces_are_known_by_their_paths():
    document = {"all": [{"trace": trace()}, {"a": trace()}], "sum": trace()}
    assert [path for path, _ in traces_of(document)] == ["all/0", "all/1/a", "sum"]


def test_a_trace_alone_has_no_path():
    assert [path for path, _ in traces_of(trace())] == [""]


def test_a_warning_is_written_as_an_object():
    said = trace()._replace(warnings=[Warning("odd", "This is odd.")])
    assert read(said)["warnings"] == [{"code": "odd", "message": "This is odd."}]


@pytest.mark.parametrize("n", [1, FEW_CELLS + 1])
def test_a_matrix_beside_the_traces_is_not_rounded(n):
    matrix = np.full((1, n), 0.125)
    written = read({"drawn": matrix, "t": trace(matrix)}, digits=1)
    assert written["drawn"] == matrix.tolist()
    assert values(written["t"]) == [[[0.1] * n]]


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("digits", [None, 2])
def test_a_small_matrix_of_several_blocks_is_written_as_any_other(columns, digits):
    matrix = RNG.normal(size=(4, 2)).round(1)
    blocks = blocked(matrix.shape, 2, lambda _, start, stop: matrix[start:stop])
    written = read(trace(matrix, blocks), columns=columns, digits=digits)
    one, other = values(written)
    assert one == other == (matrix.T if columns else matrix).tolist()


def test_a_small_matrix_may_lie_in_memory_by_columns():
    matrix = np.asfortranarray(RNG.normal(size=(3, 4)))
    assert values(read(trace(matrix))) == [matrix.tolist()]


def test_a_sign_of_zero_is_lost_wherever_it_is():
    document = {
        "x": (-0.0, np.float64(-0.0)),
        "t": trace(np.array([[-0.0, -0.05]])),
        "u": np.array([[-0.0]]),
    }
    document["t"].conventions["scale"] = -0.0
    document["t"].steps.append(Step(A, np.full((2, 2), -0.0, order="F")))
    text = b"".join(stream(write(document, VIEW)))
    assert text.count(b"-") == 1


def test_where_a_zero_loses_its_sign_what_is_hidden_stays_whole():
    hidden = Step(A, np.array([[-0.0]]), np.array([[1]], np.uint8))
    text = b"".join(write(trace()._replace(steps=[hidden]), VIEW))
    assert b'"value":[[0.0]],"hidden":[[1]]' in text


def test_blocks_are_computed_when_their_turn_comes():
    computed = []

    def compute(i, start, stop):
        computed.append(i)
        return np.full((stop - start, 4), 0.25)

    softmax = replace(A, name="weights", operation="softmax", reads=(Read("scaled", A.axes),))
    weights = blocked((6, 4), 2, compute)
    parts = write(trace()._replace(steps=[Step(softmax, weights)]), VIEW)
    assert computed == []
    written = json.loads(b"".join(stream(parts)))
    assert computed == [0, 1, 2]
    assert written["invariants"][0]["largest_deviation"] == 0.0


def test_a_document_of_many_cells_is_written_trace_by_trace():
    large = RNG.normal(size=(2, MANY_CELLS // 2))
    document = {"first": trace(np.eye(2)), "all": [trace(large), trace(large)], "x": 1}
    assert sum(not isinstance(part, bytes) for part in write(document, VIEW)) == 3
    written = read(document)
    assert values(written["first"]) == [[[1, 0], [0, 1]]]
    assert values(written["all"][1]) == [large.tolist()]
    assert written["x"] == 1


def test_one_trace_of_many_cells_is_one_text():
    large = RNG.normal(size=(2, MANY_CELLS // 2))
    assert all(isinstance(part, bytes) for part in write(trace(large, large), VIEW))


def test_small_and_large_matrices_are_rounded_alike():
    small = RNG.normal(size=(1, 3))
    large = np.repeat(small, FEW_CELLS, axis=0)
    one, other = values(read(trace(small, large), digits=3))
    assert one[0] == other[0]
