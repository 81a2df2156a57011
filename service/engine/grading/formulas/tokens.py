"""The words of a formula: numbers, letters, functions, operators."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from service.engine.grading.formulas.names import function, names_in
from service.engine.grading.reading.characters import plain_characters
from service.engine.grading.reading.locales import convention
from service.engine.grading.reading.read import read
from service.engine.grading.reading.values import Problem

_NUMBER = r"(?:[0-9][0-9.,']*|[.,][0-9][0-9.,']*)(?:[eE][0-9]+)?"
_RUN = r"[A-Za-z\u0391-\u03c9]+[0-9]*(?:_(?:[A-Za-z0-9]+|\{[A-Za-z0-9]+\}))?"
_TOKEN = re.compile(rf"\s*(?:(?P<number>{_NUMBER})|(?P<run>{_RUN})|(?P<sign>\S))\s*")
_SIGNED_EXPONENT = re.compile(r"[0-9][eE][+-][0-9]")
_LOWERED = re.compile("[\u2080-\u2089\u2090-\u209c]+")
_BRACKETS = str.maketrans("{}[]", "()()")


class Token(NamedTuple):
    """kind: number, name, function, or a sign that stands for itself; end has none."""

    kind: str
    text: str = ""
    value: Fraction = Fraction(0)


def tokens(text: str, variables: Collection[str], locale: str | None) -> list[Token] | Problem:
    """The words of text, or the first thing that is none."""
    plain = plain_characters(text, convention(locale))
    if isinstance(plain, Problem):
        return plain
    plain = _LOWERED.sub(lambda low: "_" + unicodedata.normalize("NFKC", low[0]), plain)
    if _SIGNED_EXPONENT.search(plain):
        return Problem("ambiguous", "Write 10^(-3) for a power of ten; e is a number here.")
    found: list[Token] = []
    for match in _TOKEN.finditer(plain):
        for token in _read(match, variables, locale):
            if isinstance(token, Problem):
                return token
            found.append(token)
    return found


def _read(
    match: re.Match[str], variables: Collection[str], locale: str | None
) -> Iterator[Token | Problem]:
    if match["number"]:
        reading = read(match["number"], locale)
        if isinstance(reading.value, Fraction):
            yield Token("number", match["number"], reading.value)
        else:
            yield reading.problem or Problem("not_understood", "This is not a finite number.")
    elif match["run"]:
        yield from _letters(match["run"].replace("{", "").replace("}", ""), variables, match)
    else:
        sign = match["sign"].translate(_BRACKETS)
        yield Token(sign) if sign in "+-*/^()√" else _stranger(sign)


def _letters(
    run: str, variables: Collection[str], match: re.Match[str]
) -> Iterator[Token | Problem]:
    is_called = match.string[match.end() : match.end() + 1] in ("(", "{", "[")
    if is_called and function(run) and run not in variables:
        yield Token("function", function(run) or "")
        return
    ways = names_in(run, variables)
    if len(ways) == 1:
        for name in ways[0]:
            yield Token("name", name)
    elif ways:
        yield Problem("ambiguous", f"{run} can be taken apart in two ways; write * between.")
    elif function(run):
        yield Problem("not_understood", f"Write brackets after {run}: {run}(…).")
    else:
        known = ", ".join(variables)
        yield Problem("unknown_name", f"{run[:40]} is not known here; there are {known}, e and pi.")


def _stranger(sign: str) -> Problem:
    if sign == "=":
        return Problem("not_understood", "Enter the formula alone, without an equals sign.")
    return Problem("not_understood", f"{sign} has no meaning in a formula here.")
