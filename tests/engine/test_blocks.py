"""Matrices that are computed a block of rows at a time."""

import gc
import weakref

import numpy as np
import pytest

from service.engine import attention_rules as rules
from service.engine.blocks import CELLS_KEPT, Blocked, block, blocked, follow
from service.engine.invariants import invariants
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.trace import Step, find

N = 1024  # so wide that no more than the last block is kept
ROWS = 64


class Counted:
    """Rows of 1/N, and how often each block was computed."""

    def __init__(self) -> None:
        self.blocks: list[int] = []

    def __call__(self, i: int, start: int, stop: int) -> np.ndarray:
        self.blocks.append(i)
        return np.full((stop - start, N), 1 / N)


def large(compute: Counted) -> Blocked:
    assert N * N > CELLS_KEPT
    return blocked((N, N), ROWS, compute)


def test_matrices_that_are_read_side_by_side_are_computed_once():
    compute = Counted()
    first = large(compute)
    second = blocked((N, N), ROWS, lambda i, _, __: 2 * block(first, i))
    sums = [float(rows.sum() + doubled.sum()) for rows, doubled in zip(first, second, strict=True)]
    assert sums == pytest.approx([3 * ROWS] * (N // ROWS))
    assert compute.blocks == list(range(N // ROWS))


def overflowing(_: int, start: int, stop: int) -> np.ndarray:
    return np.full((stop - start, N), 1e308) * 10.0


def test_overflow_that_was_let_pass_where_a_matrix_is_made_is_let_pass_later():
    with np.errstate(over="ignore"):
        matrix = blocked((N, N), ROWS, overflowing)
    assert np.isposinf(matrix.block(0)).all()


def test_overflow_that_was_not_let_pass_is_told():
    with pytest.warns(RuntimeWarning, match="overflow"):
        blocked((N, N), ROWS, overflowing).block(0)


def test_weights_are_checked_while_they_are_read():
    compute = Counted()
    weights = large(compute)
    (law,) = invariants([Step(rules.WEIGHTS, weights)])
    for _ in weights:
        pass
    assert law.largest_deviation < 1e-12
    assert compute.blocks == list(range(N // ROWS))


def test_a_law_is_checked_on_weights_that_nobody_reads():
    (law,) = invariants([Step(rules.WEIGHTS, large(Counted()))])
    assert law.largest_deviation < 1e-12


def test_nobody_follows_for_one_who_has_left():
    leader = large(Counted())
    follow(leader, blocked((N, 1), ROWS, lambda i, _, __: block(leader, i)[:, :1], keep=True))
    assert not leader.followers


def test_a_trace_is_freed_without_the_garbage_collector():
    gc.disable()
    try:
        Q = np.ones((N, 2))
        trace = attention(Q=Q, K=Q, V=Q, mask=Mask(causal=True))
        laws = invariants(trace.steps)
        weights = weakref.ref(find(trace.steps, "weights").value)
        del trace, laws
        assert weights() is None
    finally:
        gc.enable()
