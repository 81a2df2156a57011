"""What attention buys, and its price: Table 1 with numbers, where curves cross, and n² scores.

Source: Vaswani et al. 2017, section 4 and table 1. All counts are exact integers.
"""

from typing import Any

from service.engine.complexity_layers import Sizes, layers, log_path
from service.engine.errors import EngineError

K, R = 3, 16
# GPT-3's (Brown et al. 2020, table 2.1), and half precision.
N_HEADS, N_LAYERS, BYTES = 96, 96, 2

COUNTS = (
    "Leading terms of O(...), without constant factors: not FLOPs. A multiply-add is two of those,"
    " and attention has two such products, Q K^T and A V."
)
READING = {"counts": COUNTS, "source": "Vaswani et al. 2017, section 4, table 1"}


def complexity(
    n: int,
    d: int,
    k: int = K,
    r: int | None = None,
    n_other: int | None = None,
    n_heads: int = N_HEADS,
    n_layers: int = N_LAYERS,
    bytes_per_value: int = BYTES,
    from_word: int = 1,
    to_word: int | None = None,
) -> dict[str, Any]:
    """Table 1 for n tokens of width d, crossovers, the n² price beside another n, and a distance.

    r is the neighbourhood of restricted self-attention, 16 or n if that is less; n_other is 2 n
    if left out; the words are 1 and n. Raises EngineError where they do not fit.
    """
    r = min(R, n) if r is None else r
    if r > n:
        raise EngineError("r", f"r is {r}, but n is {n}; r is at most n.")
    to_word = n if to_word is None else to_word
    for name, word in (("from_word", from_word), ("to_word", to_word)):
        if word > n:
            raise EngineError(name, f"{name} is {word}, but n is {n}: there is no such word.")
    sizes = Sizes(n, d, k, r)
    n_other = 2 * n if n_other is None else n_other
    per_layer = n_heads, n_layers, bytes_per_value
    return {
        "layers": layers(sizes),
        "crossovers": crossovers(sizes),
        "scores": scores(n, *per_layer),
        "scores_other": scores(n_other, *per_layer),
        "factor": {
            "formula": r"(n' / n)^2",
            "substituted": f"({n_other} / {n})^2",
            "value": n_other * n_other / (n * n),
        },
        "words_apart": apart(from_word, to_word, k),
        "conventions": {
            "n": n, "d": d, "k": k, "r": r, "n_other": n_other, "n_heads": n_heads,
            "n_layers": n_layers, "bytes_per_value": bytes_per_value, **READING,
        },
    }  # fmt: skip


def crossovers(sizes: Sizes) -> list[dict[str, Any]]:
    """Which of two layers does less work, and where that turns.

    n²d < n d² iff n < d; n²d < k n d² iff n < k d; n²d < k n d + n d² iff n < k + d;
    r n d < n²d iff r < n; r n d < n d² iff r < d; k n d + n d² < k n d² iff k + d < k d.
    """
    n, d, k, r = sizes
    return [
        crossover("self_attention", "recurrent", "n < d", n, str(d), d),
        crossover("self_attention", "convolutional", r"n < k \cdot d", n, rf"{k} \cdot {d}", k * d),
        crossover("self_attention", "convolutional_separable", "n < k + d", n, f"{k} + {d}", k + d),
        crossover("self_attention_restricted", "self_attention", "r < n", r, str(n), n),
        crossover("self_attention_restricted", "recurrent", "r < d", r, str(d), d),
    ]


def crossover(
    less: str, more: str, condition: str, left: int, right: str, turns_at: int
) -> dict[str, Any]:
    """`less` does less work than `more` where the condition holds; equal at `turns_at`."""
    sign = "<" if left < turns_at else ">" if left > turns_at else "="
    cheaper = {"<": less, ">": more}.get(sign)
    return {
        "layers": [less, more],
        "condition": condition,
        "substituted": f"{left} {sign} {right}",
        "holds": left < turns_at,
        "variable": condition[0],
        "turns_at": turns_at,
        "less_work": cheaper,
    }


def scores(n: int, n_heads: int, n_layers: int, bytes_per_value: int) -> dict[str, int]:
    """n² scores a head, for all heads and layers, and the bytes that hold them."""
    table = n * n
    total = n_layers * n_heads * table
    return {
        "n": n,
        "per_head": table,
        "per_layer": n_heads * table,
        "total": total,
        "bytes_per_head": bytes_per_value * table,
        "bytes_total": bytes_per_value * total,
    }


def apart(from_word: int, to_word: int, k: int) -> dict[str, int]:
    """In how many steps one word reaches another: one by one, at once, or by kernels of k."""
    between = abs(to_word - from_word)
    return {
        "from_word": from_word,
        "to_word": to_word,
        "recurrent": between,
        "self_attention": min(between, 1),
        "convolutional": log_path(between + 1, k)["layers"] if between else 0,
    }
