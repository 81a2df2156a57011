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

QUIZ = (
    Demo(
        "quiz",
        "The lecture's quiz, answered",
        "/v1/quiz/grade",
        {"locale": "en", "items": ANSWERS},
    ),
    Demo(
        "quiz-draw",
        "Two questions about masking in other numbers, with tokens for a day",
        "/v1/quiz/draw",
        {"chapter": "masking", "count": 2, "seed": 3, "expires_in": 86_400},
    ),
)

BATCH = (
    Example(
        "two",
        "Two answers, and a line that is none",
        [
            {"id": "a", "locale": "en", **ANSWERS[2]},
            {"id": "b", "question": "heads-gpt3", "answer": {"kind": "text", "text": "96 + 96"}},
            {"id": "c", "question": "heads-gpt3"},
        ],
    ),
)
