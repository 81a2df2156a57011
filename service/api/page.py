"""A reply while its text is made: orjson writes all that is small in one call.

What is large leaves a hole there, which is filled afterwards, or when its turn comes.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from orjson import Fragment

from service.api.matrix_text import Part, matrix_text
from service.api.rounding import round_together
from service.api.view import View
from service.engine.blocks import CELLS_A_BLOCK, Blocked
from service.engine.trace import Value

# With more cells than this, a text of its own costs less than the search of all text for −0.0.
FEW_CELLS = 200


class Page:
    """How matrices are shown, and what fills the holes."""

    def __init__(self, view: View, cells: int = 0) -> None:
        self.view = view
        # Of the steps that this page shows, or would if all were written at once.
        self.cells = cells
        # Steps whose numbers are rounded when all are known.
        self.unrounded: list[dict[str, Any]] = []
        self._holes: list[Callable[[], Part]] = []
        self._known: dict[tuple[int, int | None, bool], Fragment] = {}

    def hole(self, fill: Callable[[], Part]) -> Fragment:
        """The place of a text that is made later. JSON text has no zero byte of its own."""
        self._holes.append(fill)
        return Fragment(b"\0%d\0" % (len(self._holes) - 1))

    def matrix(self, value: Value, digits: int | None = None, turn: bool = False) -> Any:
        """A matrix as orjson takes it, transposed, if it is small; else a hole.

        What several traces read, as weights and the sum of a block, is written once for all.
        """
        if isinstance(value, Blocked) or value.size > CELLS_A_BLOCK:
            return self.hole(partial(matrix_text, value, digits, turn))
        if value.size <= FEW_CELLS:
            return np.ascontiguousarray(value.T if turn else value)
        # The hole holds the matrix, so that its id stays its own.
        place = id(value), digits, turn
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = self.hole(partial(matrix_text, value, digits, turn))
        return found

    def round(self, digits: int) -> None:
        """Round all small matrices that are to be rounded, in one go."""
        rounded = round_together([step["value"] for step in self.unrounded], digits)
        for step, value in zip(self.unrounded, rounded, strict=True):
            step["value"] = value

    def plain(self, node: Any) -> Any:
        """What stands for a named tuple, or a matrix that orjson does not know."""
        return self.matrix(node) if isinstance(node, Blocked | np.ndarray) else node._asdict()

    def filled(self, text: bytes) -> list[Part]:
        """The text with its holes filled, in parts."""
        if not self._holes:
            return [text]
        parts: list[Any] = list(text.split(b"\0"))
        made: dict[bytes, Part] = {}
        for i in range(1, len(parts), 2):
            number = parts[i]
            if number not in made:
                made[number] = self._holes[int(number)]()
            parts[i] = made[number]
        return parts
