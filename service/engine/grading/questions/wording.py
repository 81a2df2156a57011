"""The texts of questions: Markdown with LaTeX between dollars, from which the rest is made.

Of Markdown there are paragraphs, *emphasis*, **strong emphasis** and `code`; of LaTeX what
formulas.py reads.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from service.engine.grading.questions.formulas import unicode_of

_PARTS = re.compile(r"\$(?P<math>[^$]+)\$|`(?P<code>[^`]+)`|(?P<mark>\*\*?)|(?P<text>[^$`*]+)")
_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: "\\" + sign for sign in "&%#_{}"},
}
_COMMANDS = {"*": "emph", "**": "textbf"}


class Part(NamedTuple):
    """A piece of a text; kind: "math", "code", "mark" (a star or two) or "text"."""

    kind: str
    text: str


def plain(text: str) -> str:
    """The text without any markup, its mathematics in Unicode: √d_k, q·k, −∞, Kᵀ.

    Raises ValueError for a dollar or a backtick without its partner, and for LaTeX that is unknown.
    """
    return "".join(
        unicode_of(part.text) if part.kind == "math" else part.text
        for part in _parts(text)
        if part.kind != "mark"
    )


def latex(text: str) -> str:
    """The text for a LaTeX document that loads amsmath. Raises ValueError as plain does."""
    out: list[str] = []
    opened: set[str] = set()
    for kind, piece in _parts(text):
        if kind == "math":
            out.append(f"${piece}$")
        elif kind == "code":
            out.append(rf"\texttt{{{_escaped(piece)}}}")
        elif kind == "text":
            out.append(_escaped(piece))
        else:
            out.append("}" if piece in opened else rf"\{_COMMANDS[piece]}{{")
            opened ^= {piece}
    if opened:
        raise ValueError(f"a star without its partner: {text}")
    return "".join(out)


def _parts(text: str) -> Iterator[Part]:
    end = 0
    for found in _PARTS.finditer(text):
        if found.start() != end:
            break
        end = found.end()
        kind = found.lastgroup or ""
        yield Part(kind, found[kind])
    if end != len(text):
        raise ValueError(f"a dollar or a backtick without its partner: {text}")


def _escaped(text: str) -> str:
    return "".join(_ESCAPED.get(character, character) for character in text)
