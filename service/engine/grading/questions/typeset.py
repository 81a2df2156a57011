"""Numbers as LaTeX for the formulas of a prompt."""

from collections.abc import Sequence

import numpy as np


def grouped(number: int) -> str:
    """12288 -> 12{,}288."""
    return f"{number:,}".replace(",", "{,}")


def factor(number: int) -> str:
    """A number as a factor: in brackets if it is negative."""
    return str(number) if number >= 0 else f"({number})"


def row(numbers: Sequence[float]) -> str:
    """(1, -2, -\\infty); what is no integer gets as many decimals as it needs, four at most."""
    return f"({', '.join(map(cell, numbers))})"


def matrix(rows: Sequence[Sequence[float]]) -> str:
    """Rows as a pmatrix."""
    lines = r" \\ ".join(" & ".join(map(cell, numbers)) for numbers in rows)
    return rf"\begin{{pmatrix}} {lines} \end{{pmatrix}}"


def cell(number: float) -> str:
    """One number, to four decimals at most."""
    if number == -np.inf:
        return r"-\infty"
    return f"{number:.4f}".rstrip("0").rstrip(".") if number % 1 else str(int(number))


def dot(a: Sequence[int], b: Sequence[int]) -> str:
    """1 \\cdot 3 + 2 \\cdot (-1)."""
    return " + ".join(rf"{factor(x)} \cdot {factor(y)}" for x, y in zip(a, b, strict=True))
