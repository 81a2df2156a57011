"""A formula as a tree."""

from fractions import Fraction
from typing import NamedTuple, Union


class Constant(NamedTuple):
    """A number that was typed."""

    value: Fraction


class Name(NamedTuple):
    """A variable, or one of e and pi."""

    name: str


class Negative(NamedTuple):
    of: "Node"


class Operation(NamedTuple):
    """left operator right, where operator is one of + - * / ^."""

    operator: str
    left: "Node"
    right: "Node"


class Call(NamedTuple):
    """One of the functions of names.py, of one argument."""

    function: str
    of: "Node"


Node = Union[Constant, Name, Negative, Operation, Call]  # noqa: UP007  # the classes name it before it is there
