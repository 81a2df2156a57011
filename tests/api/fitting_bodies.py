"""Turns a body drawn from the contract into one whose parts fit together.

The contract cannot say that K is as wide as Q, or that Q and W_Q exclude each other, so hardly
any drawn body would get as far as a number. What is wrong with a body otherwise stays wrong.
"""

from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]

# Where the first is there, the others go.
RIVALS = {
    "Q": ("W_Q", "W_K", "W_V", "context"),
    "heads": ("n_heads", "n_kv_heads", "W_Q", "W_K", "W_V", "W_O"),
    "norm": ("beta",),
    "scores": ("n_q", "n_k"),
    "n_layers": ("n_encoder_layers", "n_decoder_layers"),
}
# Where the first is there, the others have to be.
PARTNERS = {
    "Q": ("K", "V"),
    "K": ("Q", "V"),
    "V": ("Q", "K"),
    "W_Q": ("X", "W_K", "W_V"),
    "W_K": ("X", "W_Q", "W_V"),
    "W_V": ("X", "W_Q", "W_K"),
    "W_O": ("X", "W_Q", "W_K", "W_V"),
    "n_heads": ("X", "W_Q", "W_K", "W_V"),
}
BIASES = ("b_Q", "b_K", "b_V", "b_O", "b_up", "b_down")
OF_ROWS = ("tokens", "features", "keep_keys", "gamma", "beta", "vocabulary", *BIASES)
# What a stack of gpt blocks on X takes, and what each of its blocks needs and may have.
STACK = ("X", "tokens", "features", "mask", "scale", "softcap", "placement", "norm", "eps", "steps")
STACK += ("final_norm", "unembedding", "explain", "significant_digits", "orientation", "display")
BLOCK = ("W_Q", "W_K", "W_V", "W_O", "W_up", "W_down")
STEPS = ("weights", "masked", "output", "*", "scores", "x", "nothing")
NAMES = {
    "step": STEPS,
    "steps": STEPS,
    "trace": ("heads/0", "combined"),
    "question": ("heads-gpt3", "masked-weights", "context-doubling", "nothing"),
    "locale": ("en", "de", "nothing"),
    "preset": ("gpt3", "transformer-base", "llama2-7b"),
}


def fitting(body: Any) -> Any:
    """The body with square matrices of one size, whole sets of members, and names that exist."""
    if not isinstance(body, dict):
        return body
    matrix = next(matrices(body), [[1.5, -2.0], [0.0, 1.0]])
    whole = _stack(body, matrix) if "blocks" in body else _whole(body, matrix)
    return _fit(whole, len(matrix))


def matrices(node: Any) -> Iterator[list[list[Any]]]:
    """Each matrix of a document."""
    if is_matrix(node):
        yield node
    elif isinstance(node, dict | list):
        for value in node.values() if isinstance(node, dict) else node:
            yield from matrices(value)


def is_matrix(node: Any) -> bool:
    """Whether it is a list of rows, which may differ in length."""
    return isinstance(node, list) and bool(node) and all(isinstance(r, list) and r for r in node)


def _whole(body: Body, matrix: list[list[Any]]) -> Body:
    """The body without rivals and with partners."""
    gone = {rival for name in body for rival in RIVALS.get(name, ())}
    found = {name: value for name, value in body.items() if name not in gone}
    partners = {partner for name in found for partner in PARTNERS.get(name, ())}
    return dict.fromkeys(sorted(partners - gone), matrix) | found


def _stack(body: Body, matrix: list[list[Any]]) -> Body:
    """A stack of blocks with X, and with all that each block needs."""
    found = {name: value for name, value in body.items() if name in STACK}
    blocks = [block for block in body["blocks"] or () if isinstance(block, dict)] or [{}]
    may_have = (*BLOCK, *BIASES, "name", "mask", *(() if body.get("norm") == "rms" else ("norms",)))
    found["blocks"] = [
        dict.fromkeys(BLOCK, matrix) | {name: block[name] for name in may_have if name in block}
        for block in blocks[:3]
    ]
    return {"X": matrix, "n_heads": 1} | found


def _fit(node: Any, size: int, name: str = "") -> Any:
    if isinstance(node, dict):
        return {member: _fit(value, size, member) for member, value in node.items()}
    if is_matrix(node):
        cells = [cell for row in node for cell in row]
        return [[cells[(i * size + j) % len(cells)] for j in range(size)] for i in range(size)]
    if isinstance(node, list):
        length = size if name in OF_ROWS and node else len(node)
        return [_fit(node[i % len(node)], size, name) for i in range(length)]
    if isinstance(node, str) and name in NAMES:
        return NAMES[name][len(node) % len(NAMES[name])]
    if type(node) is int and name in ("row", "column") and node >= 0:
        return node % size
    return node
