"""What a cell is made from, as spans."""

from collections.abc import Mapping
from typing import NamedTuple

from service.engine.grading.tolerances.spans import Span


class Spans(NamedTuple):
    """What a cell is made from: for each read its cells, and which read a name is.

    place: the row and column of the cell itself.
    """

    values: list[list[Span]]
    places: dict[str, int]
    constants: Mapping[str, float]
    place: tuple[int, int]

    def one(self, read: int) -> Span:
        """The only cell of a read."""
        return self.values[read][0]
