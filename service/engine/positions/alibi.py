"""ALiBi: scores fall off with the distance, in each head at a rate of its own.

Source: Press et al. 2022, section 3, and the authors' code for head counts that are no power of 2.
"""

from typing import NamedTuple

import numpy as np

from service.engine.blocks import blocked, rows_a_block
from service.engine.counted import counted, there_are
from service.engine.errors import ShapeError
from service.engine.positions import rules
from service.engine.trace import Array, Step, Value


class Alibi(NamedTuple):
    """The slope m of one head. offset: the position of the first query, keys beginning at 0."""

    slope: float
    offset: int = 0


class Slopes(NamedTuple):
    """The slopes of several heads; by the number of heads if they are not given."""

    slopes: Array | None = None
    offset: int = 0

    def of(self, n_heads: int) -> list[Alibi]:
        """Each head's own. Raises ShapeError unless there is one for each head."""
        m = slopes(n_heads)[:, 0] if self.slopes is None else self.slopes[0]
        if len(m) != n_heads:
            said = f"slopes has {counted(len(m), 'numbers')}, but {there_are(n_heads, 'heads')}."
            raise ShapeError("alibi/slopes", said)
        return [Alibi(slope, self.offset) for slope in m.tolist()]


def slopes(n_heads: int) -> Array:
    """2^(−8/n), 2^(−16/n), … for n heads, n a power of 2: (n_heads, 1).

    For any other count: the slopes of the lower power, then every other one of the next power.
    """
    power = 1 << (n_heads.bit_length() - 1)
    own = 2.0 ** (-8.0 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-8.0 * np.arange(1, 2 * power + 1, 2) / (2 * power))
    return np.concatenate([own, between])[:n_heads, None]


def bias(how: Alibi, n_q: int, n_k: int) -> Value:
    """B = −m |pᵢ − pⱼ|: (n_q, n_k), in the blocks of the scores.

    Slopes of heads side by side, (n_heads, 1, 1), give (n_heads, n_q, n_k), of one block.
    """
    keys = np.arange(n_k, dtype=np.float64)

    def compute(_: int, start: int, stop: int) -> Array:
        queries = np.arange(start + how.offset, stop + how.offset, dtype=np.float64)
        distance: Array = np.abs(queries[:, None] - keys)
        return 0.0 - how.slope * distance

    value: Value = blocked((n_q, n_k), rows_a_block(n_k), compute)
    return value


def alibi_step(how: Alibi, B: Value) -> Step:
    """The bias of one head as a step."""
    return Step(rules.ALIBI, B, None, {"slope": how.slope, "offset": how.offset})
