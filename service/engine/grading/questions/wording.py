"""The texts of questions: Markdown with LaTeX between dollars, from which the rest is made.

Of Markdown there are paragraphs, *a word that is spoken of*, **what matters** and `code`; of LaTeX
what formulas.py reads.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from service.engine.grading.questions.formulas import unicode_of

_PARTS = re.compile(r"\$(?P<math>[^$]+)\$|`(?P<code>[^`]+)`|(?P<mark>\*\*?)|(?P<text>[^$`*]+)")
_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: "\\" + sign for sign in "&%#_{}"},
}


class Part(NamedTuple):
    """A piece of a text; kind: "math", "code", "mark" (a star or two) or "text"."""

    kind: str
    text: str


def plain(text: str) -> str:
    """The text without any markup, its mathematics in Unicode: √d_k, q·k, −∞, Kᵀ.

    *Words that are spoken of* stand in quotation marks. Raises ValueError for a star, a dollar or a
    backtick without its partner, and for LaTeX that is unknown.
    """
    return _written(text, unicode_of, str, str, {"*": ("“", "”"), "**": ("", "")})


def latex(text: str) -> str:
    """The text for a LaTeX document that loads amsmath. Raises ValueError as plain does."""
    marks = {"*": (r"\emph{", "}"), "**": (r"\textbf{", "}")}
    return _written(text, "${}$".format, _typewriter, _escaped, marks)


def _written(
    text: str,
    math: Callable[[str], str],
    code: Callable[[str], str],
    words: Callable[[str], str],
    marks: dict[str, tuple[str, str]],
) -> str:
    """The parts of a text, each in its own way; `marks` says what opens and closes emphasis."""
    write = {"math": math, "code": code, "text": words}
    out: list[str] = []
    opened: set[str] = set()
    for kind, piece in _parts(text):
        if kind == "mark":
            out.append(marks[piece][piece in opened])
            opened ^= {piece}
        else:
            out.append(write[kind](piece))
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


def _typewriter(text: str) -> str:
    return rf"\texttt{{{_escaped(text)}}}"


def _escaped(text: str) -> str:
    return "".join(_ESCAPED.get(character, character) for character in text)
