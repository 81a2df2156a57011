"""The verdicts of our grader and of its peers as a page of Markdown."""

import platform
from collections.abc import Sequence

from bench.grading_cases import CASES, MATRICES, UNREADABLE, Case, MatrixCase
from bench.grading_peers import Peer, by_us

Any = Case | MatrixCase

INTRODUCTION = """# Grading beside others

The same answers put to this service's grader and to others, each called for real. `python -m
bench.grading --write` writes this page; a test holds that our verdict is right in every row.

Written with {versions}, Python {python}.

A verdict is **wrong** (bold below) where it is not among those that are right, which were settled
by hand: the answer was read as something else than was meant, or compared as it should not be.
"Cannot read" is never silent, so it costs a student little; it counts as refused where the answer
should have been read. A key is compared with the tolerance given, and exactly without one.

numpy compares Python's `float` of the text. Open edX's calculator has the comparison of Open edX
beside it: of printed decimals. math-verify gets the text as it was typed, sympy reads rational
numbers, Babel reads strictly in the locale declared, or else in English. Without a locale the
others have to guess; that is held against them only where the guess is wrong. math-verify has no
tolerance to set, which shows in the rows with one.
"""


def page(peers: Sequence[Peer]) -> str:
    """The whole page; peers are those that are installed."""
    versions = ", ".join(peer.label for peer in peers)
    introduction = INTRODUCTION.format(versions=versions, python=platform.python_version())
    parts = [introduction, "## Together\n", *_counts(peers), "", "## One by one\n", *_table(peers)]
    return "\n".join([*parts, "", "## Matrices\n", *_matrices(peers)]) + "\n"


def counted(verdicts: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[int, int, int]:
    """How many verdicts are right, refused and wrong."""
    right = sum(said in wanted for said, wanted in verdicts)
    refused = sum(said == UNREADABLE and said not in wanted for said, wanted in verdicts)
    return right, refused, len(verdicts) - right - refused


def _counts(peers: Sequence[Peer]) -> list[str]:
    rows = [("this service", [(by_us(case), case.right) for case in CASES])]
    rows += [(peer.label, [(peer.verdict(case), case.right) for case in CASES]) for peer in peers]
    lines = [f"|  | right of {len(CASES)} | refused | wrong |", "| --- | --- | --- | --- |"]
    for name, verdicts in rows:
        lines.append(f"| {name} | {' | '.join(map(str, counted(verdicts)))} |")
    return lines


def _table(peers: Sequence[Peer]) -> list[str]:
    heads = ["typed", "key", "declared", "right", "this service", *(peer.name for peer in peers)]
    lines = [_row([*heads, "why"]), _row(["---"] * (len(heads) + 1))]
    for case in CASES:
        key = f"{case.key} ± {case.tolerance}" if case.bound else case.key
        declared = ", ".join(filter(None, [case.locale, "arithmetic" * case.arithmetic]))
        verdicts = [_shown(case, by_us(case)), *(_shown(case, one.verdict(case)) for one in peers)]
        right = " or ".join(case.right)
        lines.append(_row([f"`{_visible(case.typed)}`", key, declared, right, *verdicts, case.why]))
    return lines


def _matrices(peers: Sequence[Peer]) -> list[str]:
    able = [peer for peer in peers if peer.matrix]
    heads = ["typed", "key", "right", "this service", *(peer.name for peer in able), "why"]
    lines = [_row(heads), _row(["---"] * len(heads))]
    for case in MATRICES:
        verdicts = [_shown(case, by_us(case)), *(_shown(case, one.verdict(case)) for one in able)]
        right = " or ".join(case.right)
        lines.append(_row([f"`{case.typed}`", f"`{case.key}`", right, *verdicts, case.why]))
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(case: Any, verdict: str) -> str:
    return verdict if verdict in case.right or verdict == UNREADABLE else f"**{verdict}**"


def _visible(text: str) -> str:
    """Narrow no-break spaces by their number, as nobody sees them."""
    return text.replace("\u202f", "[U+202F]")
