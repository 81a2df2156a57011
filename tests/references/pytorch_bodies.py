"""The requests that PyTorch answers too, with numbers of two decimals from a seed."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

Body = dict[str, Any]

N, N_CONTEXT, D, D_FF, HEADS = 4, 3, 6, 8, 2


class Draw:
    """Matrices and vectors of numbers with two decimals, the same on every machine."""

    def __init__(self, name: str) -> None:
        self.random = random.Random(name)

    def matrix(self, n: int, m: int) -> list[list[float]]:
        return [self.vector(m) for _ in range(n)]

    def vector(self, n: int, around: float = 0.0) -> list[float]:
        return [round(around + self.random.gauss(0, 0.5), 2) for _ in range(n)]

    def norm(self) -> Body:
        return {"gamma": self.vector(D, 1.0), "beta": self.vector(D)}

    def attention(self, bias: bool = True, d: int = D, d_in: int = D) -> Body:
        found: Body = {
            "W_Q": self.matrix(d, d),
            "W_K": self.matrix(d, d_in),
            "W_V": self.matrix(d, d_in),
            "W_O": self.matrix(d, d),
        }
        return found | {f"b_{x}": self.vector(d) for x in "QKVO" if bias}

    def block(self) -> Body:
        mlp = {
            "W_up": self.matrix(D_FF, D),
            "b_up": self.vector(D_FF),
            "W_down": self.matrix(D, D_FF),
            "b_down": self.vector(D),
        }
        norms = {name: self.norm() for name in ("attention", "mlp")}
        return self.attention() | mlp | {"norms": norms}


PADDING = [True, True, True, False]
MASKS: dict[str, Body] = {
    "none": {"causal": False},
    "causal": {"causal": True},
    "padding": {"causal": False, "keep_keys": PADDING},
}


def layers(kind: str, n_layers: int = 1) -> Iterator[tuple[str, Body]]:
    """Every placement, mask and activation of an encoder's or a decoder's layer."""
    for placement, mask, activation in product(("post", "pre"), MASKS, ("relu", "gelu")):
        name = f"{kind}-{placement}-{mask}-{activation}"
        draw = Draw(name)
        blocks = [draw.block() for _ in range(n_layers)]
        body: Body = {
            "kind": kind,
            "placement": placement,
            "activation": activation,
            "n_heads": HEADS,
            "X": draw.matrix(N, D),
            "blocks": blocks,
            "mask": MASKS[mask],
        }
        if kind == "decoder":
            body["context"] = {"X": draw.matrix(N_CONTEXT, D)}
            for block in blocks:
                block["cross"] = draw.attention()
                block["norms"]["cross"] = draw.norm()
                if mask == "padding":
                    block["cross"]["mask"] = {"keep_keys": [True, False, True]}
        yield name, body


def attentions() -> Iterator[tuple[str, Body]]:
    """Attention alone: without biases, with each mask, and to a context of another width."""
    for mask in MASKS:
        draw = Draw(f"attention-{mask}")
        body = {"n_heads": HEADS, "X": draw.matrix(N, D), "mask": MASKS[mask]}
        yield f"attention-{mask}", body | draw.attention(bias=False)
    draw = Draw("attention-cross")
    body = {"n_heads": HEADS, "X": draw.matrix(N, D), "context": {"X": draw.matrix(N_CONTEXT, 5)}}
    yield "attention-cross", body | draw.attention(bias=False, d_in=5)


def models() -> Iterator[tuple[str, Body]]:
    """An encoder of two layers with a norm after them, GPT-2 and Llama in small."""
    draw = Draw("encoder")
    yield (
        "encoder",
        {
            "kind": "encoder",
            "placement": "pre",
            "activation": "gelu",
            "n_heads": HEADS,
            "X": draw.matrix(N, D),
            "blocks": [draw.block(), draw.block()],
            "final_norm": draw.norm(),
        },
    )
    draw = Draw("gpt2")
    yield (
        "gpt2",
        {
            "n_heads": HEADS,
            "token_ids": [3, 0, 6, 3, 5],
            "embedding": draw.matrix(7, D),
            "position_embedding": draw.matrix(6, D),
            "blocks": [draw.block(), draw.block()],
            "final_norm": draw.norm(),
        },
    )
    draw = Draw("llama")
    grouped = draw.attention(bias=False) | {"W_K": draw.matrix(3, D), "W_V": draw.matrix(3, D)}
    gates = {"W_up": draw.matrix(D_FF, D), "W_gate": draw.matrix(D_FF, D)}
    norms = {name: {"gamma": draw.vector(D, 1.0)} for name in ("attention", "mlp")}
    block = grouped | gates | {"W_down": draw.matrix(D, D_FF), "norms": norms}
    yield (
        "llama",
        {
            "n_heads": HEADS,
            "n_kv_heads": 1,
            "activation": "swiglu",
            "norm": "rms",
            "eps": 1e-6,
            "token_ids": [1, 4, 4, 2],
            "embedding": draw.matrix(5, D),
            "unembedding": draw.matrix(5, D),
            "blocks": [block],
            "final_norm": {"gamma": draw.vector(D, 1.0)},
        },
    )


def bodies() -> dict[str, Body]:
    """Every request by name; names that begin with attention go to /v1/multihead."""
    return dict([*layers("encoder"), *layers("decoder"), *attentions(), *models()])
