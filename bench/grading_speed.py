"""What grading costs: one request, a batch, exercises in steps."""

import random
import statistics
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import numpy as np
import orjson

from bench.calls import caller, process_time
from bench.constant import create_app as create_constant
from bench.server import Server
from service.app import create_app
from service.engine.grading.exercises.bank import find_exercise
from service.engine.grading.exercises.grade import grade_exercise

GRADE, BATCH = "/v1/quiz/grade", "/v1/quiz/grade/batch"
JSON, LINES = "application/json", "application/x-ndjson"
SETTINGS = {"ENVIRONMENT": "development"}
ANSWERS, EXERCISES, ROUNDS, CALLS = 10_000, 1_000, 9, 2_000

Texts = Callable[[], list[str]]


def a_class() -> list[str]:
    """What a class types: a few answers, in a few notations, again and again."""
    typed = ["9216", "9,216", "9 216", "9216.0", "96 96", "192", "96", "9126", "12,288", "92160"]
    return random.Random(1).choices([*typed, "2^10", "two"], k=ANSWERS)


TEXTS: dict[str, Texts] = {
    "what a class types": a_class,
    "integers, all different": lambda: [str(i) for i in range(ANSWERS)],
    "decimals, all different": lambda: [f"{i}.{i % 10}" for i in range(ANSWERS)],
    "grouped, all different": lambda: [f"{1_000_000 + i:,}" for i in range(ANSWERS)],
    "fractions, all different": lambda: [f"{i}/7" for i in range(ANSWERS)],
}


def item(i: int, text: str) -> dict[str, Any]:
    answer = {"kind": "text", "text": text}
    return {"id": f"u{i}", "question": "heads-gpt3", "answer": answer}


def single_bodies(texts: list[str]) -> list[bytes]:
    return [orjson.dumps({"locale": "en", "items": [item(i, t)]}) for i, t in enumerate(texts)]


def batch_body(texts: list[str]) -> bytes:
    lines = (orjson.dumps({"locale": "en"} | item(i, t)) for i, t in enumerate(texts))
    return b"\n".join(lines)


def in_turn(calls: list[Callable[[], Any]]) -> Callable[[], Any]:
    """A function that makes the next of these calls, and begins again after the last."""
    following = cycle(calls)
    return lambda: next(following)()


def single(texts: list[str]) -> tuple[float, float, float]:
    """Ours and the constant reply, in microseconds, and the median ratio."""
    app, bodies = create_app(SETTINGS), single_bodies(texts)
    ours = in_turn([caller(app, GRADE, body) for body in bodies])
    other = create_constant(len(ours()))
    constant = in_turn([caller(other, GRADE, body) for body in bodies])
    for call in (ours, constant):
        process_time(call, 200)
    pairs = [(process_time(ours, CALLS), process_time(constant, CALLS)) for _ in range(ROUNDS)]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, theirs, statistics.median(a / b for a, b in pairs)


def batch(texts: list[str]) -> tuple[float, float]:
    """Microseconds an answer alone and in a batch, both in process.

    Of answers that are all different no verdict is still kept when its turn comes again.
    """
    app = create_app(SETTINGS)
    lone = in_turn([caller(app, GRADE, body) for body in single_bodies(texts)])
    many = caller(app, BATCH, batch_body(texts), content_type=LINES)
    alone = process_time(lone, len(texts))
    assert many().count(b"\n") == len(texts)
    return alone, process_time(many, 3) / len(texts)


def over_http(texts: list[str], lone: int = 2_000) -> tuple[float, float]:
    """CPU microseconds of the server an answer, alone and in a batch, through gunicorn."""
    bodies, body = single_bodies(texts), batch_body(texts)
    with Server("service.app:create_app()", **SETTINGS) as server:
        alone = server.cpu(GRADE, bodies[:lone], JSON) / lone
    with Server("service.app:create_app()", **SETTINGS) as server:
        return alone, server.cpu(BATCH, [body], LINES) / len(texts)


def follow_through() -> Iterator[dict[str, list[list[str]]]]:
    """Full answers to the calculator: one cell of one step is wrong, and all that comes after is
    right for it, written with two decimals."""
    exercise = find_exercise("calculator")
    for i in range(EXERCISES):
        wrong, values, answer = i % len(exercise.stages), dict(exercise.given_values), {}
        for place, stage in enumerate(exercise.stages):
            value = np.array(stage.compute(values), dtype=float)
            if place == wrong:
                cell = np.unravel_index(i % value.size, value.shape)
                value[cell] = 1 + i / 100 if np.isneginf(value[cell]) else value[cell] + 1 + i / 100
            values[stage.name] = np.round(value, 2)
            answer[stage.name] = [[_typed(cell) for cell in row] for row in values[stage.name]]
        yield answer


def _typed(cell: float) -> str:
    return "-inf" if cell == -np.inf else f"{cell:.2f}"


def exercises() -> float:
    """Milliseconds of CPU a full answer with follow-through."""
    exercise = find_exercise("calculator")
    answers = cycle([{"kind": "steps", "steps": steps} for steps in follow_through()])
    grade_exercise(exercise, next(answers))
    return process_time(lambda: grade_exercise(exercise, next(answers)), EXERCISES) / 1e3
