"""Weights of models of any size, by the engine's own count; for solutions and for wrong answers."""

from typing import Any

from service.engine.params import Configuration, count


def counted(**sizes: Any) -> dict[str, Any]:
    """The engine's count of a model with these sizes and, unless they say so, nothing beside the
    matrices of its layers."""
    bare = {
        "n_layers": 1, "n_heads": 1, "vocab_size": 1, "context": 1, "biases": False,
        "norm": "none", "positions": "none",
    }  # fmt: skip
    return count(Configuration(**{**bare, **sizes}))


def attention_weights(**sizes: Any) -> int:
    """The weights and biases of all attentions of such a model."""
    total: int = counted(**sizes)["totals"]["groups"]["attention"]["total"]
    return total


def mlp_weights(**sizes: Any) -> int:
    """The weights and biases of all MLPs of such a model."""
    total: int = counted(**sizes)["totals"]["groups"]["mlp"]["total"]
    return total


def per_layer(**sizes: Any) -> list[dict[str, Any]]:
    """What one layer of each stack of such a model has, encoder first."""
    found: list[dict[str, Any]] = counted(**sizes)["totals"]["per_layer"]
    return found


def one_of(name: str, **sizes: Any) -> int:
    """The cells of one matrix or vector of such a model, W_Q for example."""
    parts = counted(**sizes)["components"]
    return next(int(part["count"]) for part in parts if part["name"] == name)
