"""What each query may see: the parts of a mask put together, in blocks of rows."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from service.engine.blocks import CELLS_A_BLOCK, block, blocked, rows_a_block
from service.engine.counted import counted, there_are
from service.engine.errors import ShapeError
from service.engine.fully_masked import THEREFORE, ZEROS
from service.engine.mask import Bools, Bytes, Mask, Parts
from service.engine.trace import Value, Warning

_NAMED_ROWS = 20
# With fewer, calls would cost more than the hidden cells that they save.
ROWS_A_STRIP, CELLS_A_STRIP = 32, 1 << 14


@lru_cache(maxsize=64)
def band(
    causal: bool, window: int | None, offset: int, n_k: int, start: int, stop: int
) -> tuple[Bools, Bytes]:
    """Rows start to stop of what `causal` and `window` show, and of what they hide.

    The offset is not clamped: with more queries than keys the first ones see nothing. Blocks are
    the same for each request of a size, so some are kept; nobody writes to them.
    """
    ahead = np.arange(n_k) - np.arange(start + offset, stop + offset)[:, None]
    seen = np.ones(ahead.shape, dtype=np.bool_)
    if causal:
        seen &= ahead <= 0
    if window is not None:
        seen &= np.abs(ahead) < window
    return seen, (~seen).view(np.uint8)


def blind_in_band(causal: bool, window: int | None, offset: int, n_k: int, n_q: int) -> list[int]:
    """The rows in which `causal` and `window` show nothing."""
    if window is None and offset >= 0:
        return []
    place = np.arange(offset, n_q + offset)
    first = np.zeros(n_q) if window is None else np.maximum(place - window + 1, 0)
    reach = 0 if causal else n_k if window is None else window - 1
    last = np.minimum(place + reach, n_k - 1)
    rows: list[int] = np.flatnonzero(last < first).tolist()
    return rows


def reach(mask: Mask | None, row: int, n_q: int, n_k: int) -> int:
    """How many keys, from the first, the queries before `row` may see at most."""
    if mask is None or not mask.causal:
        return n_k
    offset = n_k - n_q if mask.alignment == "lower_right" else 0
    return max(0, min(n_k, row + offset))


def strips(mask: Mask | None, start: int, stop: int, n_q: int, n_k: int) -> list[tuple[slice, int]]:
    """Rows start to stop, counted from start, with how many keys, from the first, they reach.

    A few at a time if the mask is causal, since what the last of them reaches is hidden from the
    others. At least one key, so that each row has a largest score.
    """
    rows = stop - start
    if mask is not None and mask.causal:
        rows = max(ROWS_A_STRIP, CELLS_A_STRIP // n_k)
    ends = [(first, min(first + rows, stop)) for first in range(start, stop, rows)]
    return [
        (slice(first - start, end - start), max(1, reach(mask, end, n_q, n_k)))
        for first, end in ends
    ]


class Sight(NamedTuple):
    """What may be seen, its complement as 0 and 1, and the rows that see nothing."""

    seen: Value
    hidden: Value
    blind: Sequence[int]


def sight(mask: Mask, given_parts: Parts, n_q: int, n_k: int) -> Sight:
    """The n_q × n_k table of what may be seen, in the blocks of the scores.

    Raises ShapeError where a part is not of the scores' shape and cannot be broadcast to it.
    """
    shape, rows = (n_q, n_k), rows_a_block(n_k)
    offset = n_k - n_q if mask.alignment == "lower_right" else 0
    # A wider window hides no more; numbers beyond 64 bits are no trouble then.
    window = None if mask.window is None else min(mask.window, n_q + n_k)
    if not given_parts and n_q <= rows and n_k <= CELLS_A_BLOCK:
        seen, hidden = band(mask.causal, window, offset, n_k, 0, n_q)
        return Sight(seen, hidden, blind_in_band(mask.causal, window, offset, n_k, n_q))
    # Blocks of ordinary size are kept; one that is a single long row is made each time.
    make = band if n_k <= CELLS_A_BLOCK else band.__wrapped__
    banded = partial(make, mask.causal, window, offset, n_k)
    if given_parts:
        check_parts(given_parts, n_q, n_k)
        seen = blocked(
            shape, rows, lambda _, i, j: combined(mask, banded(i, j)[0], slice(i, j)), True
        )
        hidden = blocked(shape, rows, lambda i, _, __: (~block(seen, i)).view(np.uint8))
        return Sight(seen, hidden, blind_rows(seen, rows))
    seen = blocked(shape, rows, lambda _, start, stop: banded(start, stop)[0])
    hidden = blocked(shape, rows, lambda _, start, stop: banded(start, stop)[1])
    return Sight(seen, hidden, blind_in_band(mask.causal, window, offset, n_k, n_q))


def blind_rows(seen: Value, rows: int) -> list[int]:
    """The rows in which nothing may be seen."""
    return [
        row + start
        for i, start in enumerate(range(0, seen.shape[0], rows))
        for row in (~block(seen, i).any(axis=1)).nonzero()[0].tolist()
    ]


def combined(mask: Mask, seen: Bools, rows: slice) -> Bools:
    """What the band and every given part allow, for these rows."""

    def of(part: Any) -> Any:
        return part if len(part) == 1 else part[rows]

    for part in (mask.keep, mask.keep_keys):
        if part is not None:
            seen = seen & of(part)
    if mask.block is not None:
        seen = seen & ~of(mask.block)
    if mask.bias is not None:
        seen = seen & np.isfinite(of(mask.bias))
    return seen


def check_parts(given_parts: Parts, n_q: int, n_k: int) -> None:
    """Raise ShapeError unless each part is n_q × n_k or can be broadcast to it."""
    for name, part in given_parts:
        n, m = part.shape
        if name == "keep_keys" and m != n_k:
            said = f"keep_keys has {counted(m, 'flags')}, but {there_are(n_k, 'keys')}; send {n_k}."
            raise ShapeError("mask/keep_keys", said)
        if n not in (1, n_q) or m not in (1, n_k):
            shapes = dict.fromkeys(((n_q, n_k), (1, n_k), (n_q, 1)))
            fitting = ", ".join(f"{rows} × {columns}" for rows, columns in shapes)
            fitting = " or ".join(fitting.rsplit(", ", 1))
            raise ShapeError(
                f"mask/{name}",
                f"{name} is {n} × {m}, but the scores are {n_q} × {n_k} (queries × keys);"
                f" it must be {fitting}.",
            )


def blind_warning(
    rows: Sequence[int], labels: list[str] | None, fully_masked_rows: str = ZEROS
) -> list[Warning]:
    """A warning that names the queries with nothing to see, and says what they get."""
    if not rows:
        return []
    named = ", ".join(
        f"{row} ({labels[row]})" if labels else str(row) for row in rows[:_NAMED_ROWS]
    )
    more = f" and {len(rows) - _NAMED_ROWS} more" if len(rows) > _NAMED_ROWS else ""
    return [
        Warning(
            "nothing_to_see",
            f"The mask hides every key from row {named}{more}: {THEREFORE[fully_masked_rows]}.",
        )
    ]
