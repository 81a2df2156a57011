"""Matrices that are computed a block of rows at a time.

Softmax runs along rows, so once K and V are there no step needs a whole n × n matrix to give some
of its rows. A block of one step takes the place of the block that it is made from: steps that are
read in order are computed once, and of all of them one n × n matrix is held. What is read again
is computed again. The block rule depends on the width alone, never on what was asked for, so that
the numbers have the same bits in every mode.
"""

from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import numpy as np

Compute = Callable[[int, int, int], Any]

# Half a megabyte of numbers, about a megabyte of JSON.
CELLS_A_BLOCK = 1 << 16


def rows_a_block(n_columns: int) -> int:
    """How many rows of `n_columns` cells make a block."""
    return max(1, CELLS_A_BLOCK // n_columns)


class Blocked:
    """An n_rows × n_columns matrix, known by a function from a range of rows to these rows."""

    __slots__ = (
        "__weakref__",
        "_blocks",
        "_compute",
        "_keep",
        "_source",
        "followers",
        "rows",
        "shape",
    )

    def __init__(
        self, shape: tuple[int, int], rows: int, compute: Compute, keep: bool, source: Any = None
    ) -> None:
        # Whoever lets overflow pass where a matrix is made has looked for it, or will; a cell that
        # is hidden may. It is let pass again each time that a block is computed.
        if np.geterr()["over"] == "ignore":
            compute = np.errstate(over="ignore", invalid="ignore")(compute)
        self.shape = shape
        self.rows = rows
        self._compute = compute
        self._keep = keep
        self._source = source if type(source) is Blocked else None
        self._blocks: dict[int, Any] = {}
        # Weakly, since they are made from this matrix: a circle would be freed late.
        self.followers: list[ref[Blocked]] = []

    def block(self, i: int) -> Any:
        """Rows i·rows to (i + 1)·rows."""
        known = self._blocks.get(i)
        if known is None:
            start = i * self.rows
            known = self._compute(i, start, min(start + self.rows, self.shape[0]))
            if not self._keep:
                self._blocks.clear()
            self._blocks[i] = known
            if self._source is not None:
                self._source._blocks.pop(i, None)
            for one in self.followers:
                if (follower := one()) is not None:
                    follower.block(i)
        return known

    def __iter__(self) -> Iterator[Any]:
        """Every block in order. Matrices that are read side by side are computed in one pass."""
        return (self.block(i) for i in range(-(-self.shape[0] // self.rows)))

    def row(self, index: int) -> Any:
        """One row, cut out of the block that it belongs to."""
        return self.block(index // self.rows)[index % self.rows]

    def whole(self) -> Any:
        """All rows in one array."""
        first = self.block(0)
        out = np.empty(self.shape, first.dtype)
        for i, block in enumerate(self):
            out[i * self.rows : i * self.rows + len(block)] = block
        return out


def blocked(
    shape: tuple[int, int], rows: int, compute: Compute, keep: bool = False, source: Any = None
) -> Any:
    """`compute(i, start, stop)` gives block i, the rows from start to stop, as often as it is read.

    A matrix of one block is computed here and now. Of any other the last block is held, or with
    `keep` every block, each until the matrix that has this one as its `source` has it too.
    """
    if shape[0] <= rows:
        return compute(0, 0, shape[0])
    return Blocked(shape, rows, compute, keep, source)


def follow(leader: Any, follower: Any) -> None:
    """Compute a kept matrix while the blocks that it is made from are at hand."""
    if type(leader) is Blocked:
        leader.followers.append(ref(follower, leader.followers.remove))


def block(value: Any, i: int) -> Any:
    """Block i of a blocked matrix; a plain array is its own only block."""
    return value.block(i) if type(value) is Blocked else value


def whole(value: Any) -> Any:
    """All rows of a matrix at once."""
    return value.whole() if type(value) is Blocked else value
