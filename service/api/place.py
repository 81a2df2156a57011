"""Where in a JSON text a position is, for a text that cannot be parsed as a whole."""

import re

Place = tuple[str | int, ...]

# A string may be cut off by the end. Numbers, blanks and colons are of no interest.
_TOKENS = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)("|\\?\Z)|[][{},]', re.DOTALL)


def place_of(text: str, end: int) -> Place:
    """The names and indices that lead to what stands at `end`; the text before it is JSON."""
    path: list[str | int | None] = []  # None: in an object, before a name
    for token in _TOKENS.finditer(text, 0, end):
        found = token[0]
        if found == "[":
            path.append(0)
        elif found == "{":
            path.append(None)
        elif found in ("]", "}"):
            path.pop()
        elif found == ",":
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else None
        elif path and path[-1] is None and token[2] == '"':
            path[-1] = token[1]
    return tuple(part for part in path if part is not None)
