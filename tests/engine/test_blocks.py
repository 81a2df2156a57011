"""Matrices that are computed a block of rows at a time."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

from service.engine import attention_rules as rules
from service.engine.blocks import CELLS_A_BLOCK, Blocked, block, blocked, follow
from service.engine.invariants import invariants
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.trace import Step, find

N = 1024
ROWS = 64


class Counted:
    """Rows of 1/N, and how often each block was computed."""

    def __init__(self) -> None:
        self.blocks: list[int] = []

    def __call__(self, i: int, start: int, stop: int) -> np.ndarray:
        self.blocks.append(i)
        return np.full((stop - start, N), 1 / N)


def large(compute: Counted) -> Blocked:
    assert N * N > CELLS_A_BLOCK
    return blocked((N, N), ROWS, compute)


def test_matrices_that_are_read_side_by_side_are_computed_once():
    compute = Counted()
    first = large(compute)
    second = blocked((N, N), ROWS, lambda i, _, __: 2 * block(first, i))
    sums = [float(rows.sum() + doubled.sum()) for rows, doubled in zip(first, second, strict=True)]
    assert sums == pytest.approx([3 * ROWS] * (N // ROWS))
    assert compute.blocks == list(range(N // ROWS))


def held(compute: Counted, source: Blocked | None = None) -> Blocked:
    """A matrix of which every block is held, until what is made from it has it."""
    return blocked((N, N), ROWS, compute, True, source)


def test_matrices_that_are_read_one_after_the_other_are_computed_once():
    counts = [Counted(), Counted()]
    first = held(counts[0])

    def double(i, start, stop):
        counts[1](i, start, stop)
        return 2 * block(first, i)

    second = held(double, first)
    sums = [sum(float(rows.sum()) for rows in matrix) for matrix in (first, second, second)]
    assert sums == pytest.approx([N, 2 * N, 2 * N])
    assert [count.blocks for count in counts] == [list(range(N // ROWS))] * 2


def test_a_block_is_let_go_once_there_is_what_is_made_from_it():
    first = held(Counted())
    second = held(lambda i, _, __: 2 * block(first, i), first)
    third = blocked((N, N), ROWS, lambda i, _, __: 2 * block(second, i), source=second)
    blocks = [weakref.ref(matrix.block(i)) for i in range(3) for matrix in (first, second, third)]
    assert [block() is None for block in blocks] == [True] * 8 + [False]


def test_what_was_let_go_is_computed_again():
    compute = Counted()
    first = held(compute)
    second = held(lambda i, _, __: 2 * block(first, i), first)
    assert second.block(1).tobytes() == (2 * first.block(1)).tobytes()
    assert compute.blocks == [1, 1]


def test_a_head_read_in_order_holds_one_matrix_of_its_steps():
    Q = np.random.default_rng(0).normal(size=(N, 8))
    trace = attention(Q=Q, K=Q, V=Q, mask=Mask(causal=True))
    for value in (step.value for step in trace.steps if isinstance(step.value, Blocked)):
        for _ in value:  # what the mask hides is kept from now on, for whoever asks next
            pass
    tracemalloc.start()
    trace = attention(Q=Q, K=Q, V=Q, mask=Mask(causal=True))
    for value in (step.value for step in trace.steps if isinstance(step.value, Blocked)):
        for _ in value:
            pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert N * N * 8 < most < 1.5 * N * N * 8


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
