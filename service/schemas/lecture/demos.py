"""The lecture's demos as ready request bodies.

`GET /v1/examples` serves them and the contract shows them, so they stand here once.
"""

from service.schemas.example import Demo, Example
from service.schemas.lecture.blocks import BLOCKS
from service.schemas.lecture.calculator import (
    BLUE,
    CREATURE,
    FEATURES,
    FLUFFY,
    MATRICES,
    THE,
    calculator,
)
from service.schemas.lecture.comparisons import COMPARISONS
from service.schemas.lecture.laboratory import LABORATORY
from service.schemas.lecture.masks import MASKS
from service.schemas.lecture.patterns import PATTERNS
from service.schemas.lecture.quiz import CHECKED, QUIZ

# A longer body would fill pages of the contract; it is served by GET /v1/examples/{id}.
MOST_CHARACTERS = 4_000

DEMOS = (
    Demo(
        "calculator",
        "The calculator: a noun asks its adjectives",
        "/v1/attention",
        calculator(["the", "fluffy", "blue", "creature"], [THE, FLUFFY, BLUE, CREATURE]),
    ),
    Demo(
        "calculator-noun-first",
        "The calculator with the noun first: the mask hides its adjectives",
        "/v1/attention",
        calculator(["the", "creature", "fluffy", "blue"], [THE, CREATURE, FLUFFY, BLUE]),
    ),
    Demo(
        "calculator-fluffier",
        "The calculator with fluffiness 2: the value doubles, the weights stay",
        "/v1/attention",
        calculator(["the", "fluffy", "blue", "creature"], [THE, [0, 1, 2, 0], BLUE, CREATURE]),
    ),
    Demo(
        "calculator-columns",
        "The calculator as in the video: tokens are columns, softmax runs down them",
        "/v1/attention",
        {
            **calculator(["the", "fluffy", "blue", "creature"], [THE, FLUFFY, BLUE, CREATURE]),
            "orientation": "columns",
        },
    ),
    Demo(
        "queries-keys-values",
        "From Q, K and V themselves",
        "/v1/attention",
        {"Q": [[1, 2]], "K": [[3, -1], [0, 1]], "V": [[1], [2]], "scale": 1},
    ),
    Demo(
        "cross-attention",
        "Cross-attention: keys and values come from another text",
        "/v1/attention",
        {
            "tokens": ["ich", "habe", "gesehen"],
            "X": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "context": {"tokens": ["I", "have", "seen"], "X": [[3, 0, 0], [0, 3, 0], [0, 0, 3]]},
            "W_Q": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "W_K": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "W_V": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        },
    ),
    Demo(
        "two-heads",
        "Two heads: one passes on fluffiness, one blueness",
        "/v1/multihead",
        {
            "tokens": ["the", "fluffy", "blue", "creature"],
            "features": FEATURES,
            "X": [THE, FLUFFY, BLUE, CREATURE],
            "heads": [
                {
                    "name": feature,
                    "W_Q": MATRICES["W_Q"],
                    "W_K": MATRICES["W_K"],
                    "W_V": [[1 if feature == of else 0 for of in FEATURES]],
                    "W_O": [[1 if feature == of else 0] for of in FEATURES],
                }
                for feature in ("fluffiness", "blueness")
            ],
            "mask": {"causal": True},
        },
    ),
    Demo(
        "packed-heads",
        "Packed matrices: two query heads share one key/value head",
        "/v1/multihead",
        {
            "X": [[1, 0], [0, 1], [1, 1]],
            "n_heads": 2,
            "n_kv_heads": 1,
            "W_Q": [[1, 0], [0, 1]],
            "W_K": [[1, 1]],
            "W_V": [[1, -1]],
            "W_O": [[1, 0], [0, 1]],
        },
    ),
    *MASKS,
    Demo(
        "add-and-norm",
        "Add & norm after the sublayer, as in the paper",
        "/v1/layernorm",
        {
            "x": [[1, 2, 3, 4, 5]],
            "delta": [[0.5, -0.5, 0, 0.5, -0.5]],
            "delta_factor": 2,
            "gamma": [1, 1, 1, 1, 1],
            "beta": [0, 0, 0, 0, 0],
        },
    ),
    Demo(
        "add-and-norm-before",
        "The norm before the sublayer, as in GPT-2 and GPT-3",
        "/v1/layernorm",
        {"x": [[1, 2, 3, 4, 5]], "delta": [[0.5, -0.5, 0, 0.5, -0.5]], "placement": "pre"},
    ),
    Demo("rms-norm", "RMSNorm", "/v1/layernorm", {"x": [[3, 4]], "norm": "rms", "eps": 1e-6}),
    Demo(
        "sinusoidal",
        "Sinusoidal positions: a wave for each pair of dimensions",
        "/v1/positions",
        {"kind": "sinusoidal", "n": 4, "d_model": 4},
    ),
    Demo(
        "rotary",
        "Rotary positions: each pair of dimensions turned",
        "/v1/positions",
        {"kind": "rotary", "x": [[1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0]], "base": 100},
    ),
    Demo(
        "alibi",
        "ALiBi: every head falls off at its own rate",
        "/v1/positions",
        {"kind": "alibi", "n": 3, "n_heads": 4},
    ),
    *BLOCKS,
    *PATTERNS,
    *LABORATORY,
    *COMPARISONS,
    Demo("gpt3", "GPT-3's weights, scores and costs", "/v1/params", {"preset": "gpt3"}),
    Demo(
        "transformer-base",
        "The original transformer, base",
        "/v1/params",
        {"preset": "transformer-base"},
    ),
    *QUIZ,
    *CHECKED,
)


def examples_of(path: str) -> list[Example]:
    """The demos that an operation takes, as examples of the contract; long ones are left out."""
    return [
        Example(demo.id, demo.title, demo.body)
        for demo in DEMOS
        if demo.path == path and len(str(demo.body)) < MOST_CHARACTERS
    ]
