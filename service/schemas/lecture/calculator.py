"""The lecture's calculator: one head over four tokens, its matrices set by hand."""

from typing import Any

FEATURES = ["noun", "adjective", "fluffiness", "blueness"]
THE, FLUFFY, BLUE, CREATURE = [0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]

# A noun asks (W_Q), adjectives answer (W_K), and hand over their fluffiness and blueness (W_V).
MATRICES = {
    "W_Q": [[2, 0, 0, 0], [0, 0, 0, 0]],
    "W_K": [[0, 2, 0, 0], [0, 0, 0, 0]],
    "W_V": [[0, 0, 1, 0], [0, 0, 0, 1]],
    "W_O": [[0, 0], [0, 0], [1, 0], [0, 1]],
}


def calculator(tokens: list[str], X: list[list[int]]) -> dict[str, Any]:
    """One causal head over four tokens."""
    return {"tokens": tokens, "features": FEATURES, "X": X, **MATRICES, "mask": {"causal": True}}
