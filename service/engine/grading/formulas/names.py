"""What letters stand for in a formula."""

import re
from collections.abc import Collection
from math import e, pi

FUNCTIONS = frozenset({"sqrt", "exp", "ln", "sin", "cos"})
"""log is ln, the natural one; the reading shows it as ln."""

CONSTANTS = {"e": e, "pi": pi}

_SPELLINGS = {"log": "ln", "π": "pi"}
_NAME = re.compile(r"[A-Za-z\u0391-\u03c9]{1,20}[0-9]{0,3}(_[A-Za-z0-9]{1,10})?")


def is_name(name: str) -> bool:
    """True if name can be that of a variable."""
    taken = function(name) is not None or _SPELLINGS.get(name, name) in CONSTANTS
    return not taken and _NAME.fullmatch(name) is not None


def function(run: str) -> str | None:
    """The function of this name, in any case of letters."""
    run = _SPELLINGS.get(run.lower(), run.lower())
    return run if run in FUNCTIONS else None


def names_in(run: str, variables: Collection[str]) -> list[list[str]]:
    """The ways to read a run of letters as variables and constants in a row, at most two.

    A run that is the name of a variable is that variable.
    """
    if run in variables:
        return [[run]]
    known = {name: name for name in (*CONSTANTS, *variables)} | {"π": "pi"}
    ways: list[list[list[str]]] = [[[]]]  # for each length of the run's beginning
    for end in range(1, len(run) + 1):
        ways.append(
            [
                [*way, known[run[start:end]]]
                for start in range(max(0, end - 40), end)
                if run[start:end] in known
                for way in ways[start]
            ][:2]
        )
    return ways[-1]
