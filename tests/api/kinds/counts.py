"""Counts, and answers to grade."""

from kinds.kind import Kind, Kinds, full
from kinds.paths import COMPLEXITY, GRADE, PARAMS

COUNTS: Kinds = {
    "complexity": Kind(
        COMPLEXITY,
        lambda n: dict.fromkeys(("n", "d", "n_other", "n_heads", "n_layers"), n),
        10**9,
        "#/n",
    ),
    "complexity, all sizes": Kind(
        COMPLEXITY,
        lambda n: {"n": 10**9, "d": 10**9, "k": n, "r": 10**9, "bytes_per_value": 64},
        10**9,
        "#/k",
    ),
    "params, a preset": Kind(
        PARAMS, lambda n: {"preset": "gpt3", "context": n}, 10**9, "#/context"
    ),
    "params, own sizes": Kind(
        PARAMS,
        lambda n: {
            "d_model": 10_000,
            "n_heads": 10,
            "vocab_size": n,
            "context": 10**9,
            "n_layers": 1_000,
        },
        10**9,
        "#/vocab_size",
    ),
    "params, two stacks": Kind(
        PARAMS,
        lambda n: {
            "architecture": "encoder_decoder",
            "d_model": 10_000,
            "n_heads": 10,
            "vocab_size": 10_000,
            "context": 10_000,
            "n_layers": 1_000,
            "bytes_per_value": n,
        },
        64,
        "#/bytes_per_value",
    ),
    "grade, many answers": Kind(
        GRADE,
        lambda n: {
            "items": [{"question": "dot-product", "answer": {"kind": "text", "text": "1"}}] * n
        },
        1_000,
        "#/items",
    ),
    "grade, long answers": Kind(
        GRADE,
        lambda n: {
            "items": [{"question": "heads-gpt3", "answer": {"kind": "text", "text": "9" * n}}] * 64
        },
        1_024,
        "#/items",
    ),
    "grade, matrices": Kind(
        GRADE,
        lambda n: {
            "items": [
                {
                    "question": "masked-weights",
                    "answer": {"kind": "matrix", "matrix": full(n, 64, "1")},
                }
            ]
        },
        64,
        "#/items/0/answer/matrix",
    ),
}
