"""The transformer as a graph, over HTTP."""

from difflib import get_close_matches
from functools import cache

import orjson
from flask import Blueprint

from service.api.contract import operation
from service.engine.architecture import MODELS, architecture
from service.engine.errors import EngineError
from service.schemas.architecture import ArchitectureQuery, ArchitectureReply
from service.schemas.example import Example

bp = Blueprint("architecture", __name__)

# The operation that computes a kind of block, where there is one.
ENDPOINTS = {
    "positional_encoding": "/v1/positions",
    "attention": "/v1/multihead",
    "masked_attention": "/v1/multihead",
    "cross_attention": "/v1/multihead",
    "add_and_norm": "/v1/layernorm",
    "norm": "/v1/layernorm",
    "softmax": "/v1/softmax",
}


@bp.get("/architecture")
@operation(
    ArchitectureReply,
    query=ArchitectureQuery,
    tag="transformer",
    examples=[Example("gpt3", "The drawings, and GPT-3 in numbers", query={"model": "gpt3"})],
)
def get_architecture(model: str | None = None) -> orjson.Fragment:
    """Figure 1 of the paper as a graph, GPT beside it, and models in numbers."""
    return document(tuple(MODELS) if model is None else (known(model),))


def known(model: str) -> str:
    """The model's name, or EngineError with the nearest known one."""
    if model in MODELS:
        return model
    model = model[:100]
    near = get_close_matches(model, MODELS, n=1)
    said = f" Did you mean {near[0]}?" if near else ""
    raise EngineError("model", f"There is no model {model}.{said} Known: {', '.join(MODELS)}.")


@cache
def document(models: tuple[str, ...]) -> orjson.Fragment:
    """The reply, written once: it is the same whenever it is asked for."""
    found = architecture(models)
    for block in [*found["blocks"], *found["decoder_only"]["blocks"]]:
        if block["kind"] in ENDPOINTS:
            block["endpoint"] = ENDPOINTS[block["kind"]]
    return orjson.Fragment(orjson.dumps(found))
