"""Table 1 of the paper, with numbers put in: leading terms, without constant factors.

Source: Vaswani et al. 2017, section 4 and table 1; the separable convolution from its last
paragraph (Chollet 2017), the contiguous kernel's n/k from the same.
"""

import math
from typing import Any, NamedTuple


class Sizes(NamedTuple):
    """n tokens of width d, a kernel of k, a neighbourhood of r."""

    n: int
    d: int
    k: int
    r: int


def layers(sizes: Sizes) -> list[dict[str, Any]]:
    """For each kind of layer: work, sequential operations, longest path."""
    n, d, k, r = sizes
    levels = log_path(n, k)
    return [
        {
            "name": "self_attention",
            "title": "Self-attention",
            "work": term(r"n^2 \cdot d", rf"{n}^2 \cdot {d}", n * n * d),
            "sequential": ONE,
            "path": ONE,
            "remark": "Every pair of tokens meets in one step; the price is n².",
        },
        {
            "name": "recurrent",
            "title": "Recurrent",
            "work": term(r"n \cdot d^2", rf"{n} \cdot {d}^2", n * d * d),
            "sequential": term("n", str(n), n),
            "path": term("n", str(n), n),
            "remark": "Each token waits for the one before it.",
        },
        {
            "name": "convolutional",
            "title": "Convolutional, dilated kernels",
            "work": term(
                r"k \cdot n \cdot d^2", rf"{k} \cdot {n} \cdot {d}^2", work := k * n * d * d
            ),
            "sequential": ONE,
            "path": levels,
            "remark": "The path is that of a stack of layers; the work is that of one of them.",
        },
        {
            "name": "convolutional_contiguous",
            "title": "Convolutional, contiguous kernels",
            "work": term(r"k \cdot n \cdot d^2", rf"{k} \cdot {n} \cdot {d}^2", work),
            "sequential": ONE,
            "path": term("n / k", f"{n} / {k}", n / k, -(-n // k)),
            "remark": "Without dilation a stack needs about n/k layers to join all tokens.",
        },
        {
            "name": "convolutional_separable",
            "title": "Convolutional, separable",
            "work": term(
                r"k \cdot n \cdot d + n \cdot d^2",
                rf"{k} \cdot {n} \cdot {d} + {n} \cdot {d}^2",
                k * n * d + n * d * d,
            ),
            "sequential": ONE,
            "path": levels,
            "remark": "With k = n, as much as self-attention and a feed-forward layer together.",
        },
        {
            "name": "self_attention_restricted",
            "title": "Self-attention, restricted to r neighbours",
            "work": term(r"r \cdot n \cdot d", rf"{r} \cdot {n} \cdot {d}", r * n * d),
            "sequential": ONE,
            "path": term("n / r", f"{n} / {r}", n / r, -(-n // r)),
            "remark": "Linear in n; tokens further apart than r need several layers to meet.",
        },
    ]


def term(formula: str, substituted: str, value: float, whole: int | None = None) -> dict[str, Any]:
    """A leading term in symbols, with numbers, and its value; `whole`: rounded up to layers."""
    found = {"formula": formula, "substituted": substituted, "value": value}
    return found if whole is None else {**found, "layers": whole}


ONE = term("1", "1", 1)


def log_path(n: int, k: int) -> dict[str, Any]:
    """log_k n, and the layers that it takes: the least m with kᵐ ≥ n, counted in integers."""
    m, reach = 0, 1
    while reach < n:
        m, reach = m + 1, reach * k
    value = float(m) if reach == n else math.log(n) / math.log(k)
    return term(r"\log_k n", rf"\log_{{{k}}} {n}", value, max(m, 1))
