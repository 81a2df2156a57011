"""The least that a block's trace can cost: its arithmetic and its numbers' text, and nothing else.

    python -m bench.floor

The arithmetic of the demo `block` (one head, post-norm, an MLP) stands here as plain numpy, each
step and the laws that are checked on it: no shape is looked at, nothing is named or traced. Its
matrices are written by one call of orjson. Beside it stand the whole request and the constant
reply of bench/small.py, in one run.
"""

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import orjson

from bench.calls import ENVIRONMENT, caller, process_time
from bench.constant import create_app as create_constant
from service.app import create_app
from service.schemas.lecture.demos import DEMOS

ROUNDS, CALLS = 15, 400
DEMO = next(demo for demo in DEMOS if demo.id == "block")


def norm(x: Any, eps: float = 1e-5) -> list[Any]:
    """Mean, variance, the normalised rows, and what their laws are checked by."""
    d = x.shape[1]
    mean = np.add.reduce(x, axis=1, keepdims=True) / d
    centred = x - mean
    variance = np.add.reduce(centred * centred, axis=1, keepdims=True) / d
    n = centred / np.sqrt(variance + eps)
    off = np.abs(np.vecdot(n, n) / d - variance[:, 0] / (variance[:, 0] + eps)).max()
    return [mean, variance, n, np.abs(n.dot(np.ones(d))).max(), off]


def arithmetic() -> Callable[[], list[Any]]:
    """Every step of the demo's block."""
    body = DEMO.body
    X, (block,) = np.array(body["X"], float), body["blocks"]
    W_Q, W_K, W_V, W_O, W_up, b_up, W_down = (
        np.array(block[name], float)
        for name in ("W_Q", "W_K", "W_V", "W_O", "W_up", "b_up", "W_down")
    )
    seen = np.tri(len(X), dtype=bool)
    hidden = (~seen).view(np.uint8)

    def compute() -> list[Any]:
        Q, K, V = X.dot(W_Q.T), X.dot(W_K.T), X.dot(W_V.T)
        scores = Q.dot(K.T)
        scaled = scores * 2**-0.5
        masked = np.where(seen, scaled, -np.inf)
        e = np.exp(masked - np.maximum.reduce(masked, axis=1, keepdims=True))
        A = e / np.add.reduce(e, axis=1, keepdims=True)
        laws = A.dot(np.ones(len(X))).max(), A[~seen].max()
        H = A.dot(V)
        update = H.dot(W_O.T)
        total = X + update
        first = norm(total)
        hidden_layer = first[2].dot(W_up.T) + b_up
        active = np.maximum(hidden_layer, 0.0)
        down = active.dot(W_down.T)
        second_total = first[2] + down
        second = norm(second_total)
        given = [X, W_Q, W_K, W_V, W_O, W_up, W_down]
        attended = [X, Q, K, scores, scaled, masked, hidden, A, V, H, update, H, update]
        added = [X, update, total, *first[:3], first[2]]
        widened = [first[2], hidden_layer, active, down]
        again = [first[2], down, second_total, *second[:3], second[2]]
        return [*given, *attended, *added, *widened, *again, laws, first[3:], second[3:]]

    return compute


def main() -> None:
    compute, body = arithmetic(), orjson.dumps(DEMO.body)

    def floor() -> bytes:
        return orjson.dumps(compute(), option=orjson.OPT_SERIALIZE_NUMPY)

    ours = caller(create_app(ENVIRONMENT), DEMO.path, body)
    constant = caller(create_constant(len(ours())), DEMO.path, body)
    calls = (compute, floor, ours, constant)
    rounds = [[process_time(call, CALLS) for call in calls] for _ in range(ROUNDS)]
    names = ("arithmetic", "and numbers as text", "the whole request", "constant reply")
    for name, column in zip(names, zip(*rounds, strict=True), strict=True):
        ratio = statistics.median(a / row[-1] for a, row in zip(column, rounds, strict=True))
        print(f"{name:20} {statistics.median(column):6.0f} µs {ratio:6.2f}")


if __name__ == "__main__":
    main()
