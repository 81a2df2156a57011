"""What a drawing of a transformer is made of: blocks on a grid, edges between them, groups around.

Shapes are tuples of names of sizes (see symbols.py), rows first: ("n_target", "d_model").
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Shape = tuple[str, ...]
BlockKind = Literal[
    "input",
    "embedding",
    "positional_encoding",
    "learned_positions",
    "sum",
    "attention",
    "masked_attention",
    "cross_attention",
    "add_and_norm",
    "norm",
    "feed_forward",
    "linear",
    "softmax",
    "output",
]
EdgeKind = Literal["flow", "residual", "queries", "keys_and_values"]


class Input(NamedTuple):
    """A place where an edge may end."""

    name: str
    shape: Shape


@dataclass(frozen=True, kw_only=True)
class Block:
    """A box of the drawing; column from the left and row from the bottom are counted from 0."""

    id: str
    kind: BlockKind
    label: str
    caption: str
    group: str
    column: int
    row: int
    inputs: tuple[Input, ...]
    output: Shape
    formula: str
    reference: str


@dataclass(frozen=True)
class Edge:
    """An arrow from one block's output to an input of another; two blocks share at most one."""

    source: str
    target: str
    target_input: str
    kind: EdgeKind
    label: str

    @property
    def id(self) -> str:
        return f"{self.source}-{self.target}"


@dataclass(frozen=True, kw_only=True)
class Group:
    """A frame around blocks; `repeat_symbol` says how often it is stacked (Figure 1's N×)."""

    id: str
    label: str
    caption: str
    parent: str | None = None
    repeat_symbol: str | None = None


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Blocks stand in drawing order: every edge leads from an earlier one to a later one."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...]

    def members(self, group: str) -> list[Block]:
        """The blocks within a group, those of groups inside it included."""
        within = {group, *(inner.id for inner in self.groups if inner.parent == group)}
        return [block for block in self.blocks if block.group in within]


class Side(NamedTuple):
    """A column of the drawing: what it is called, how long its text is, where it stands."""

    name: str
    n: str
    column: int
    beside: int

    @property
    def layer(self) -> str:
        return f"{self.name}_layer"

    @property
    def vectors(self) -> Shape:
        """One vector of d_model numbers for each token."""
        return (self.n, "d_model")


ENCODER = Side("encoder", "n_source", column=1, beside=0)
DECODER = Side("decoder", "n_target", column=2, beside=3)
