"""The tokens of a calculation: numbers, operators, parentheses and roots."""

import re
from collections.abc import Iterator

from service.engine.grading.reading.numerals import Marks, Style
from service.engine.grading.reading.values import Problem

_DIGITS = r"[0-9.,'_\u066b\u066c]+"
_TOKEN = re.compile(
    rf" ?((?P<number>{_DIGITS}(?: {_DIGITS})*(?:[eE][-+]?[0-9]+)?)|sqrt|[-+*/^()√xX]) ?"
)


class Refused(Exception):
    """This is no calculation, or one with a problem."""

    def __init__(self, problem: Problem | None = None) -> None:
        super().__init__()
        self.problem = problem


class Tokens:
    """The tokens that are left, and the marks in the numbers that were read."""

    def __init__(self, tokens: Iterator[str], style: Style) -> None:
        self.left = [*tokens, ""][::-1]
        self.style = style
        self.marks: Marks = frozenset()
        self.depth = 0

    def take(self, *wanted: str) -> str:
        """The next token if it is one of these, else ""."""
        return self.left.pop() if self.left[-1] in wanted else ""


def tokens_of(text: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise Refused
        yield match[1].replace("x", "*").replace("X", "*")
        place = match.end()
