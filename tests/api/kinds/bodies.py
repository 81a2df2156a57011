"""Bodies of any size for the kinds of requests."""

from typing import Any

from kinds.kind import Body, varied


def head(n: int, **more: Any) -> Body:
    """One head over n tokens of one number."""
    one = [[0.5]]
    return {"X": varied(n), "W_Q": one, "W_K": one, "W_V": one, "W_O": one, **more}


def given(n_q: int, n_k: int, d_k: int = 1, d_v: int = 1, **more: Any) -> Body:
    return {"Q": varied(n_q, d_k), "K": varied(n_k, d_k), "V": varied(n_k, d_v), **more}


def heads(n: int, n_heads: int, d_model: int = 1, **more: Any) -> Body:
    """Packed heads of width 1."""
    W = varied(n_heads, d_model)
    packed = {"W_Q": W, "W_K": W, "W_V": W, "W_O": varied(d_model, n_heads)}
    return {"X": varied(n, d_model), "n_heads": n_heads, **packed, **more}


def own_heads(n: int, n_heads: int, **more: Any) -> Body:
    one = {"W_Q": [[0.5]], "W_K": [[0.5]], "W_V": [[0.5]], "W_O": [[0.5]], **more}
    return {"X": varied(n), "heads": [one] * n_heads}


def layer(d_model: int = 1, d_ff: int = 1, gate: bool = False, **more: Any) -> Body:
    """A block with one head of width 1."""
    across, down = varied(1, d_model), varied(d_model, 1)
    found = {"W_Q": across, "W_K": across, "W_V": across, "W_O": down}
    found |= {"W_up": varied(d_ff, d_model), "W_down": varied(d_model, d_ff)}
    return found | ({"W_gate": varied(d_ff, d_model)} if gate else {}) | more


def stack(n: int, n_blocks: int = 1, d_model: int = 1, d_ff: int = 1, **more: Any) -> Body:
    blocks = [layer(d_model, d_ff)] * n_blocks
    return {"X": varied(n, d_model), "n_heads": 1, "blocks": blocks, **more}


def language_model(n: int, d_model: int, vocab: int, **more: Any) -> Body:
    return {
        "token_ids": [i % vocab for i in range(n)],
        "embedding": varied(vocab, d_model),
        "n_heads": 1,
        "blocks": [layer(d_model)],
        **more,
    }


def drawn(n_layers: int, **more: Any) -> Body:
    return {"seed": 1, "n_heads": 1, "n_layers": n_layers, "n_tokens": 16, "d_model": 16, **more}


def laboratory(**more: Any) -> Body:
    return {"seed": 1, **more}


def compared(operation: str, before: Body, **change: Any) -> Body:
    return {"operation": operation, "before": before, "after": {**before, **change}}


def labels(n: int, length: int = 1) -> list[str]:
    return ["w" * length] * n


def explained(n: int, *cells: Body, **more: Any) -> Body:
    return head(n, explain=list(cells), **more)
