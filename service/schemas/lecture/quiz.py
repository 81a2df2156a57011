"""The quiz's demos: answers to the lecture's questions, and a set that is drawn."""

from typing import Any

from service.schemas.example import Demo, Example

ANSWERS: list[dict[str, Any]] = [
    {"question": "dot-product", "answer": {"kind": "text", "text": "1"}},
    {
        "question": "masked-weights",
        "answer": {"kind": "matrix", "matrix": [["1/2", "0.5", "0"]]},
    },
    {"question": "heads-gpt3", "answer": {"kind": "text", "text": "9,216"}},
    {"question": "context-doubling", "answer": {"kind": "number", "number": 4}},
]

_ZEROS = ["0"] * 4


def _weight(tolerance: str) -> dict[str, Any]:
    """The weight of the adjectives in the calculator, as a teacher's own question."""
    return {
        "rule": {"kind": "absolute", "tolerance": tolerance},
        "key": {"kind": "text", "text": "0.47209"},
    }


QUIZ = (
    Demo(
        "quiz",
        "The lecture's quiz, answered",
        "/v1/quiz/grade",
        {"locale": "en", "items": ANSWERS},
    ),
    Demo(
        "quiz-steps",
        "The calculator in steps: the scaling is forgotten, and what follows is right for that",
        "/v1/quiz/grade",
        {
            "locale": "en",
            "items": [
                {
                    "question": "calculator",
                    "answer": {
                        "kind": "steps",
                        "steps": {
                            "scores": [_ZEROS, _ZEROS, _ZEROS, ["0", "4", "4", "0"]],
                            "scaled": [_ZEROS, _ZEROS, _ZEROS, ["0", "4", "4", "0"]],
                            "weights": [
                                ["1", "0", "0", "0"],
                                ["1/2", "1/2", "0", "0"],
                                ["1/3", "1/3", "1/3", "0"],
                                ["0.01", "0.49", "0.49", "0.01"],
                            ],
                        },
                    },
                }
            ],
        },
    ),
    Demo(
        "quiz-draw",
        "Two questions that are the same in every variant, with tokens for a day",
        "/v1/quiz/draw",
        {"questions": ["scaled-formula", "part-by-itself"], "expires_in": 86_400},
    ),
    Demo(
        "quiz-regrade",
        "A tolerance that was too narrow, and whose verdict changes",
        "/v1/quiz/regrade",
        {
            "locale": "en",
            "before": {"task": _weight("0.001")},
            "after": {"task": _weight("0.005")},
            "answers": [
                {"id": "ada", "answer": {"kind": "text", "text": "0.4721"}},
                {"id": "ben", "answer": {"kind": "text", "text": "0.47"}},
                {"id": "eve", "answer": {"kind": "text", "text": "0.5"}},
            ],
        },
    ),
    Demo(
        "quiz-read",
        "Numbers as students type them, read without being graded",
        "/v1/quiz/read",
        {
            "locale": "en",
            "texts": ["57,982,058,496", "9,216", "6.02·10²³", "3 1/2", "1 Ω", "96*96"],
        },
    ),
)

CHECKED = (
    Demo(
        "quiz-check",
        "A count with a relative tolerance: one more passes, and so does a misconception",
        "/v1/quiz/check",
        {
            "locale": "en",
            "task": {
                "rule": {"kind": "relative", "tolerance": "2 %"},
                "key": {"kind": "text", "text": "9216"},
                "misconceptions": [
                    {
                        "code": "one_layer_left_out",
                        "message": "Count the first layer too.",
                        "answer": {"kind": "text", "text": "9120"},
                    }
                ],
            },
        },
    ),
    Demo(
        "quiz-check-derived",
        "Weights of an attention head; every step may be rounded to two decimals",
        "/v1/quiz/check",
        {
            "locale": "en",
            "task": {
                "rule": {"kind": "cells", "each": {"kind": "derived", "decimals": 2}},
                "computed": {
                    "operation": "attention",
                    "request": {
                        "Q": [[1, 2], [0, 1]],
                        "K": [[3, -1], [1, 1]],
                        "V": [[1], [2]],
                        "mask": {"causal": True},
                    },
                    "step": "weights",
                },
            },
            "asked": {"decimals": 2},
        },
    ),
)

BATCH = (
    Example(
        "two",
        "Two answers, and a line that is none",
        [
            {"id": "a", "locale": "en", **ANSWERS[2]},
            {
                "id": "b",
                "locale": "en",
                "question": "heads-gpt3",
                "answer": {"kind": "text", "text": "96 + 96"},
            },
            {"id": "c", "locale": "en", "question": "heads-gpt3"},
        ],
    ),
)
