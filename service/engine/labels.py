"""The labels of an axis."""

from service.engine.counted import counted, there_are
from service.engine.errors import ShapeError


def labels_for(name: str, labels: list[str] | None, n: int, of: str) -> list[str] | None:
    """The labels, or ShapeError unless there is one for each of n."""
    if labels is not None and len(labels) != n:
        given = counted(len(labels), "labels")
        raise ShapeError(name, f"{name} has {given}, but {there_are(n, of)}; send one for each.")
    return labels
