"""Matrices that are computed a block of rows at a time.

Softmax runs along rows, so once K and V are there no step needs a whole n × n matrix to give some
of its rows. Computing a block again for each step that reads it costs less than holding n × n
cells in memory. The block rule depends on the width alone, never on what was asked for, so that
the numbers have the same bits in every mode.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# A block of this many cells is about half a megabyte of JSON.
CELLS_A_BLOCK = 1 << 15
# A matrix of at most this many cells (4 MiB) is kept once computed; of a larger one, its last block.
CELLS_KEPT = 1 << 19


def rows_a_block(n_columns: int) -> int:
    """How many rows of `n_columns` cells make a block."""
    return max(1, CELLS_A_BLOCK // n_columns)


class Blocked:
    """An n_rows × n_columns matrix, known by a function from a range of rows to these rows."""

    __slots__ = ("_blocks", "_compute", "_keep", "rows", "shape")

    def __init__(
        self,
        shape: tuple[int, int],
        rows: int,
        compute: Callable[[int, int, int], Array],
        keep: bool = False,
    ) -> None:
        """`compute(i, start, stop)` gives block i, which is the rows from start to stop."""
        self.shape = shape
        self.rows = rows
        self._compute = compute
        self._keep = keep or shape[0] * shape[1] <= CELLS_KEPT
        self._blocks: dict[int, Array] = {}

    def block(self, i: int) -> Array:
        """Rows i·rows to (i + 1)·rows."""
        known = self._blocks.get(i)
        if known is None:
            start = i * self.rows
            known = self._compute(i, start, min(start + self.rows, self.shape[0]))
            if not self._keep:
                self._blocks.clear()
            self._blocks[i] = known
        return known

    def __iter__(self) -> Iterator[Array]:
        """Every block in order."""
        return (self.block(i) for i in range(-(-self.shape[0] // self.rows)))

    def row(self, index: int) -> Array:
        """One row, cut out of the block that it belongs to."""
        return np.asarray(self.block(index // self.rows)[index % self.rows])

    def whole(self) -> Array:
        """All rows in one array; for a single block, that block itself."""
        if self.shape[0] <= self.rows:
            return self.block(0)
        out = np.empty(self.shape)
        for i, block in enumerate(self):
            out[i * self.rows : i * self.rows + len(block)] = block
        return out
