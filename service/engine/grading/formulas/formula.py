"""A formula that was understood, and is read once: in full words it may be too long to be read."""

from dataclasses import dataclass
from functools import lru_cache

from service.engine.grading.formulas.parse import understood
from service.engine.grading.formulas.tree import Node
from service.engine.grading.formulas.typeset import latex, plain
from service.engine.grading.reading.values import Problem


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """Compared by identity, so that what is kept for one is found without walking its tree."""

    node: Node
    text: str
    latex: str

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=1024)
def formula(text: str, names: tuple[str, ...], locale: str | None = None) -> Formula | Problem:
    """The formula that text is, or why it is none."""
    node = understood(text, names, locale)
    return node if isinstance(node, Problem) else Formula(node, plain(node), latex(node))
