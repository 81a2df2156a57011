"""The lecture's patterns of where words look: illustrative, made by hand, not learned.

Tokens are one-hot, so that a head's scores can be set one by one: with X = I and W_Q = I the
score of token i and token j is just W_K[i][j].
"""

from typing import Any

from service.schemas.example import Demo

Looks = dict[int, dict[int, float]]

SENTENCE = [
    *("the", "tired", "old", "robot", "watered", "the"),
    *("quiet", "garden", "because", "it", "was", "thirsty"),
]
THE, TIRED, OLD, ROBOT, WATERED, THE_2, QUIET, GARDEN, BECAUSE, IT, WAS, THIRSTY = range(12)

HEADS: dict[str, Looks] = {
    "adjectives": {ROBOT: {TIRED: 5, OLD: 5}, GARDEN: {QUIET: 6}, THIRSTY: {WAS: 2}},
    "pronoun": {IT: {ROBOT: 2, GARDEN: 5}, WAS: {IT: 4}, THIRSTY: {IT: 3, GARDEN: 4}},
    "subject": {WATERED: {ROBOT: 6}, WAS: {IT: 5, GARDEN: 3}},
    "previous word": {i: {i - 1: 6.0} for i in range(1, 12)},
}

GERMAN = ["ich", "habe", "gestern", "einen", "Film", "gesehen"]
ENGLISH = ["I", "have", "seen", "a", "film", "yesterday"]
ALIGNMENT: Looks = {
    0: {0: 5},
    1: {1: 4, 2: 2},
    2: {5: 5},
    3: {3: 4, 4: 2},
    4: {4: 5},
    5: {2: 5, 1: 2},
}


def one_hot(n: int) -> list[list[int]]:
    """The n × n unit matrix."""
    return [[int(i == j) for j in range(n)] for i in range(n)]


def head(looks: Looks, n_q: int, n_k: int) -> dict[str, Any]:
    """Matrices whose scores are these, and 0 elsewhere."""
    scores = [[looks.get(i, {}).get(j, 0) for j in range(n_k)] for i in range(n_q)]
    return {"W_Q": one_hot(n_q), "W_K": scores, "W_V": one_hot(n_k)}


PATTERNS = (
    Demo(
        "four-heads",
        "Where the words look: four heads on one sentence (illustrative, made by hand)",
        "/v1/multihead",
        {
            "tokens": SENTENCE,
            "X": one_hot(12),
            "heads": [{"name": name, **head(looks, 12, 12)} for name, looks in HEADS.items()],
            "mask": {"causal": True},
            "scale": 1,
            "steps": ["weights"],
            "significant_digits": 3,
        },
    ),
    Demo(
        "alignment",
        "Alignment in translation: the German verb at the end looks into the middle (illustrative)",
        "/v1/attention",
        {
            "tokens": GERMAN,
            "X": one_hot(6),
            "context": {"tokens": ENGLISH, "X": one_hot(6)},
            **head(ALIGNMENT, 6, 6),
            "scale": 1,
        },
    ),
)
