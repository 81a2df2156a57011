"""Valid requests of every operation that takes a body, with every member that each may have."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

Body = dict[str, Any]
Path = tuple[str | int, ...]


class Asked(NamedTuple):
    path: str
    body: Body


VIEW: Body = {
    "explain": [{"step": "weights", "row": 1, "column": 0}],
    "significant_digits": 6,
    "display": 2,
    "orientation": "rows",
}
MASK: Body = {
    "causal": False,
    "alignment": "lower_right",
    "window": 3,
    "keep": [[True, True], [True, True], [False, True]],
    "block": [[False, False], [True, False], [False, False]],
    "keep_keys": [True, True],
    "bias": [[0.5, None], [0.0, 1.0], [-1.0, 2.0]],
}
SCORING: Body = {
    "tokens": ["a", "b", "c"],
    "features": ["first", "second"],
    "mask": MASK,
    "scale": 0.7,
    "softcap": 5.0,
}
X = [[1.0, 0.5], [-1.0, 2.0], [0.25, 0.0]]
CONTEXT: Body = {"X": [[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]], "tokens": ["u", "v"]}
W_Q = [[1.0, -1.0], [0.5, 2.0]]
W_K = [[1.0, 0.0, 0.5], [0.0, 2.0, -0.5]]
W_V = [[1.0, 1.0, 1.0]]
W_O = [[2.0], [-3.0]]
Q = [[0.5, 3.0], [-3.0, 3.5], [0.25, 0.125]]
K = [[1.25, 3.75], [1.5, -3.5]]
V = [[3.5], [2.0]]

ROTARY: Body = {
    "base": 100.0,
    "dims": 2,
    "pairing": "interleaved",
    "offset": 3,
    "key_offset": 2,
}

WEIGHTS: Body = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
PACKED: Body = {
    "W_Q": [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, -1.0]],
    "W_K": [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]],
    "W_V": [[1.0, 0.0, 2.0], [0.5, 1.0, 0.0]],
    "W_O": [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]],
}

TRACED: dict[str, Asked] = {
    "attention": Asked(
        "/v1/attention",
        {
            **VIEW,
            **SCORING,
            **WEIGHTS,
            "X": X,
            "context": CONTEXT,
            "rotary": ROTARY,
            "weights_layout": "out_in",
        },
    ),
    "attention-ready": Asked(
        "/v1/attention",
        {
            **VIEW,
            **SCORING,
            "X": X,
            "Q": Q,
            "K": K,
            "V": V,
            "W_O": W_O,
            "alibi": {"slope": 0.25, "offset": 1},
            "context": {"tokens": ["u", "v"]},
            "weights_layout": "out_in",
        },
    ),
    "mask": Asked(
        "/v1/mask",
        {
            **VIEW,
            "scores": [[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]],
            "mask": MASK,
            "tokens": ["a", "b", "c"],
            "context": {"tokens": ["u", "v"]},
        },
    ),
    "mask-sizes": Asked("/v1/mask", {**VIEW, "n_q": 3, "n_k": 2, "mask": MASK}),
    "multihead": Asked(
        "/v1/multihead",
        {
            **VIEW,
            **SCORING,
            "X": X,
            "context": CONTEXT,
            "rotary": ROTARY,
            "weights_layout": "out_in",
            "heads": [
                {"name": "one", **WEIGHTS, "mask": {"causal": True}},
                {"name": "two", **WEIGHTS, "W_Q": W_Q[::-1]},
            ],
        },
    ),
    "multihead-packed": Asked(
        "/v1/multihead",
        {
            **VIEW,
            **SCORING,
            **PACKED,
            "X": X,
            "context": CONTEXT,
            "weights_layout": "out_in",
            "alibi": {"slopes": [0.5, 0.125], "offset": 2},
            "n_heads": 2,
            "n_kv_heads": 1,
        },
    ),
    "layernorm": Asked(
        "/v1/layernorm",
        {
            **VIEW,
            "explain": [{"step": "normalised", "row": 1, "column": 0}],
            "x": [[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]],
            "delta": [[0.5, 0.0, -1.0], [1.0, 1.0, 2.0]],
            "delta_factor": 2.0,
            "gamma": [1.0, 2.0, 0.5],
            "beta": [0.0, 1.0, -1.0],
            "eps": 1e-5,
            "norm": "layer",
            "placement": "post",
            "tokens": ["a", "b"],
            "features": ["p", "q", "r"],
        },
    ),
    "layernorm-before": Asked(
        "/v1/layernorm",
        {
            **VIEW,
            "explain": [{"step": "output", "row": 1, "column": 0}],
            "x": [[1.0, 2.0, 4.0]] * 2,
            "delta": [[0.5, 0.0, -1.0]] * 2,
            "gamma": [1.0, 2.0, 0.5],
            "norm": "rms",
            "placement": "pre",
        },
    ),
}

TRACED |= {
    "softmax": Asked(
        "/v1/softmax",
        {
            **VIEW,
            "Q": Q,
            "K": K,
            "scale": 0.5,
            "temperature": 2.0,
            "tokens": list("abc"),
            "keys": list("uv"),
        },
    ),
    "softmax-scores": Asked(
        "/v1/softmax",
        {**VIEW, "scores": [[1.0, None, 0.5], [0.0, 2.0, -1.0]], "d_k": [4]},
    ),
    "softmax-drawn": Asked(
        "/v1/softmax",
        {**VIEW, "explain": "all", "seed": 7, "d_k": [2, 3], "n_keys": 4, "draws": 10},
    ),
    "move": Asked(
        "/v1/move",
        {
            **VIEW,
            "explain": [{"step": "moved"}],
            "x": [1.0, 0.5],
            "V": [[0.5, 1.0], [2.0, -0.25], [0.0, 1.5]],
            "weights": [0.25, 0.5, 0.0],
            "target": [2.0, 1.0],
            "tokens": ["a", "b", "c"],
            "features": ["p", "q"],
        },
    ),
    "positions-sinusoidal": Asked(
        "/v1/positions",
        {
            **VIEW,
            "explain": [{"step": "angles"}],
            "kind": "sinusoidal",
            "x": [[1.0, 2.0, 0.0, -1.0], [0.5, 0.0, 3.0, 1.0]],
            "base": 100.0,
            "offset": 5,
            "tokens": ["a", "b"],
            "features": list("pqrs"),
        },
    ),
    "positions-rotary": Asked(
        "/v1/positions",
        {
            **VIEW,
            "explain": [{"step": "angles"}],
            "kind": "rotary",
            "x": [[1.0, 2.0, 0.0, -1.0], [0.5, 0.0, 3.0, 1.0]],
            "base": 100.0,
            "offset": 5,
            "dims": 2,
            "pairing": "interleaved",
        },
    ),
    "positions-alibi": Asked(
        "/v1/positions",
        {**VIEW, "explain": "all", "kind": "alibi", "n_heads": 2, "n": 3, "n_k": 4, "offset": 1},
    ),
}

SQUARE = [[1.0, -0.5], [0.25, 2.0]]
HEADS: Body = {
    "n_heads": 2,
    "n_kv_heads": 1,
    "W_Q": SQUARE,
    "W_K": [[1.0, 0.5]],
    "W_V": [[-1.0, 0.5]],
    "W_O": SQUARE,
    "b_Q": [0.5, 1.0],
    "b_K": [0.25],
    "b_V": [-0.5],
    "b_O": [1.0, 0.0],
    "mask": {"keep_keys": [True, False, True]},
}
MLP: Body = {
    "W_up": [[1.0, 0.5], [0.0, 1.0], [-1.0, 2.0]],
    "b_up": [0.0, 1.0, -0.5],
    "W_down": [[1.0, 0.5, -1.0], [0.0, 1.0, 0.25]],
    "b_down": [0.5, 0.25],
}
GAINS: Body = {"gamma": [1.0, 2.0], "beta": [0.0, -1.0]}

TRACED |= {
    "block": Asked(
        "/v1/block",
        {
            **VIEW,
            **SCORING,
            "mask": {"causal": True, "window": 2},
            "weights_layout": "out_in",
            "kind": "decoder",
            "placement": "post",
            "activation": "swiglu",
            "norm": "layer",
            "eps": 1e-5,
            "n_heads": 2,
            "n_kv_heads": 2,
            "alibi": {"offset": 1},
            "X": X,
            "context": {"X": SQUARE, "tokens": ["u", "v"]},
            "blocks": [
                {
                    **HEADS,
                    **MLP,
                    "name": "first",
                    "kind": "decoder",
                    "activation": "swiglu",
                    "W_gate": [[1.0, 0.5], [0.0, 1.0], [-1.0, 2.0]],
                    "b_gate": [0.0, 1.0, -0.5],
                    "cross": {**HEADS, "mask": {"keep_keys": [True, False]}},
                    "norms": {"attention": GAINS, "cross": GAINS, "mlp": GAINS},
                },
                {**HEADS, **MLP, "kind": "encoder", "activation": "relu"},
            ],
            "final_norm": GAINS,
            "unembedding": [[1.0, 0.5], [0.0, 1.0], [2.0, -1.0]],
            "vocabulary": ["p", "q", "r"],
        },
    ),
    "block-gpt": Asked(
        "/v1/block",
        {
            **VIEW,
            "token_ids": [2, 0],
            "vocabulary": ["p", "q", "r"],
            "embedding": [[1.0, 0.5], [0.0, 1.0], [2.0, -1.0]],
            "position_embedding": [[0.5, 0.0], [0.0, 0.25], [1.0, 1.0]],
            "blocks": [
                {
                    **HEADS,
                    **MLP,
                    "n_heads": 1,
                    "W_O": [[1.0], [0.5]],
                    "W_Q": [[1.0, 0.0]],
                    "b_Q": [0.5],
                    "mask": {"causal": True},
                }
            ],
        },
    ),
    "block-drawn": Asked(
        "/v1/block",
        {
            **VIEW,
            "seed": 3,
            "n_layers": 2,
            "n_heads": 2,
            "d_model": 4,
            "d_ff": 6,
            "vocab_size": 5,
            "n_tokens": 3,
            "sinusoidal": {"base": 100.0, "offset": 2},
        },
    ),
}

PLAIN: dict[str, Asked] = {
    "compare": Asked(
        "/v1/compare",
        {
            "operation": "attention",
            "before": {"Q": Q, "K": K, "V": V},
            "after": {"Q": Q, "K": K, "V": V, "scale": 1.0},
        },
    ),
    "complexity": Asked(
        "/v1/complexity",
        {
            "n": 100,
            "d": 16,
            "k": 3,
            "r": 8,
            "n_other": 50,
            "n_heads": 4,
            "n_layers": 2,
            "bytes_per_value": 4,
            "from_word": 2,
            "to_word": 99,
        },
    ),
    "params": Asked(
        "/v1/params",
        {
            "architecture": "encoder_decoder",
            "d_model": 8,
            "n_layers": 2,
            "n_encoder_layers": 3,
            "n_decoder_layers": 4,
            "n_heads": 4,
            "n_kv_heads": 2,
            "d_head": 3,
            "d_v": 5,
            "d_ff": 16,
            "vocab_size": 11,
            "context": 7,
            "tied": False,
            "biases": True,
            "attention_biases": False,
            "mlp_biases": True,
            "norm": "layer",
            "norm_beta": True,
            "final_norm": False,
            "positions": "sinusoidal",
            "mlp": "gated",
            "bytes_per_value": 4,
        },
    ),
    "params-preset": Asked("/v1/params", {"preset": "gpt2", "tied": False}),
    "quiz": Asked(
        "/v1/quiz/grade",
        {
            "locale": "en",
            "items": [
                {
                    "question": "dot-product",
                    "seed": 3,
                    "answer": {"kind": "text", "text": "1"},
                },
                {"question": "heads-gpt3", "answer": {"kind": "number", "number": 9216}},
                {"question": "why-mask", "answer": {"kind": "choice", "choices": ["b"]}},
                {
                    "question": "masked-weights",
                    "answer": {"kind": "matrix", "matrix": [["1/2", 0.5, "0"]]},
                },
            ],
            "reveal": False,
        },
    ),
    "quiz-check": Asked(
        "/v1/quiz/check",
        {
            "task": {
                "rule": {"kind": "absolute", "tolerance": "0.01", "arithmetic": False},
                "key": {"kind": "number", "number": 2.5},
                "also": [{"kind": "text", "text": "3.5"}],
                "misconceptions": [
                    {
                        "code": "doubled",
                        "message": "Once is enough.",
                        "answer": {"kind": "text", "text": "5"},
                    }
                ],
                "title": "Halves",
            },
            "asked": {"decimals": 1},
            "locale": "en",
        },
    ),
    "quiz-check-computed": Asked(
        "/v1/quiz/check",
        {
            "task": {
                "rule": {"kind": "derived", "decimals": 2, "arithmetic": False},
                "computed": {
                    "operation": "multihead",
                    "request": {
                        "n_heads": 1,
                        "X": [[1, 2]],
                        "W_Q": [[1, 0], [0, 1]],
                        "W_K": [[1, 0], [0, 1]],
                        "W_V": [[1, 0], [0, 1]],
                        "W_O": [[1, 0], [0, 1]],
                    },
                    "trace": "heads/0",
                    "step": "scores",
                    "row": 0,
                    "column": 0,
                },
            },
            "asked": {"figures": 2},
        },
    ),
    "quiz-read": Asked(
        "/v1/quiz/read", {"texts": ["9,216", "96*96"], "locale": "en", "arithmetic": True}
    ),
    "quiz-regrade": Asked(
        "/v1/quiz/regrade",
        {
            "before": {"question": "heads-gpt3", "seed": 3},
            "after": {
                "task": {
                    "rule": {"kind": "absolute", "tolerance": 1},
                    "key": {"kind": "text", "text": "512"},
                    "title": "Heads",
                },
                "rule": {"kind": "absolute", "tolerance": "0.5"},
            },
            "answers": [
                {"id": "a", "answer": {"kind": "text", "text": "512"}},
                {"id": "b", "answer": {"kind": "number", "number": 512.0}, "seed": 4},
            ],
            "locale": "en",
        },
    ),
    "quiz-draw": Asked(
        "/v1/quiz/draw",
        {
            "questions": ["dot-product", "heads-gpt3", "masked-weights"],
            "chapter": "heads",
            "difficulty": 1,
            "count": 1,
            "expires_in": 60,
        },
    ),
}

EVERY = TRACED | PLAIN
# A token is never twice the same, and says when it expires.
REPEATABLE = {name: asked for name, asked in EVERY.items() if name != "quiz-draw"}


def numeric_matrices(node: Any, path: Path = ()) -> Iterator[Path]:
    """The place of each list of rows of numbers (or null) in a document."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from numeric_matrices(value, (*path, name))
    elif isinstance(node, list):
        if node and all(isinstance(row, list) for row in node):
            if all(type(cell) in (float, type(None)) for row in node for cell in row):
                yield path
        else:
            for i, value in enumerate(node):
                yield from numeric_matrices(value, (*path, i))


def put(body: Any, path: Path, value: Any) -> Any:
    """The body with this value in place of what stands at `path`."""
    copy = deepcopy(body)
    node = copy
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    return copy


def put_text(body: Any, path: Path, text: str) -> str:
    """The body as JSON, with this text in place of what stands at `path`."""
    return json.dumps(put(body, path, "PLACE")).replace('"PLACE"', text)


def pointer(path: Path) -> str:
    return "#/" + "/".join(map(str, path))
