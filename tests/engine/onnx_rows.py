"""Cases of onnx that go row by row or cell by cell: norms, rotary, softmax, activations.

What runs along some other axes runs along rows once these axes are moved last and laid flat.
"""

from typing import Any

import numpy as np
from onnx_cases import attributes, cases_of, inputs

from service.engine.block.activations import gelu, gelu_tanh, silu
from service.engine.layernorm import layernorm
from service.engine.positions.rotary import HALF_SPLIT, INTERLEAVED, rotate
from service.engine.softmax import softmax
from service.engine.trace import find

LAYER = cases_of("layernormalization", "LayerNormalization")
RMS = cases_of("rmsnormalization", "RMSNormalization")
ROTARY = cases_of("rotaryembedding", "RotaryEmbedding")
SOFTMAX = cases_of("softmax", "Softmax")
GELU = cases_of("gelu", "Gelu")
SWIGLU = cases_of("swiglu", "SwiGLU")


def ours(case: Any) -> dict[str, Any]:
    """Our numbers for each output that the case has."""
    return OPERATORS[case.model.graph.node[0].op_type](case)


def normalised(case: Any) -> dict[str, Any]:
    """A norm over the last few axes."""
    given, said = inputs(case), attributes(case)
    X, eps = given["X"], said.get("epsilon", float(np.float32(1e-5)))
    axis = said.get("axis", -1) % X.ndim
    width = int(np.prod(X.shape[axis:]))
    is_layer = case.model.graph.node[0].op_type == "LayerNormalization"
    steps = layernorm(
        X.reshape(-1, width),
        gamma=given["W"].reshape(1, width),
        beta=given["B"].reshape(1, width) if is_layer else None,
        eps=eps,
        norm="layer" if is_layer else "rms",
    ).steps
    numbers = {"Y": find(steps, "output").value.reshape(X.shape)}
    if is_layer:
        shape = X.shape[:axis] + (1,) * (X.ndim - axis)
        numbers["Mean"] = find(steps, "mean").value.reshape(shape)
        variance = find(steps, "variance").value.reshape(shape)
        numbers["InvStdDev"] = 1 / np.sqrt(variance + eps)
    return numbers


def turned(case: Any) -> dict[str, Any]:
    """The tokens of each batch and head, turned by the case's own cosines and sines."""
    given, said = inputs(case), attributes(case)
    x, cos, sin = given["input"], given["cos_cache"], given["sin_cache"]
    if "position_ids" in given:
        cos, sin = cos[given["position_ids"]], sin[given["position_ids"]]
    heads = np.stack(np.split(x, said["num_heads"], axis=-1), axis=1) if x.ndim == 3 else x
    pairing = INTERLEAVED if said.get("interleaved") else HALF_SPLIT
    found = np.array(
        [
            [rotate(head, cos[b], sin[b], pairing) for head in heads_of_one]
            for b, heads_of_one in enumerate(heads)
        ]
    )
    if x.ndim == 3:
        found = np.concatenate(np.moveaxis(found, 1, 0), axis=-1)
    return {"output": found}


def weighed(case: Any) -> dict[str, Any]:
    """Softmax along one axis."""
    x = inputs(case)["x"]
    last = np.moveaxis(x, attributes(case).get("axis", -1), -1)
    rows = softmax(last.reshape(-1, last.shape[-1]), may_be_blind=False)
    return {"y": np.moveaxis(rows.reshape(last.shape), -1, attributes(case).get("axis", -1))}


def activated(case: Any) -> dict[str, Any]:
    """GELU of each cell, exact or by tanh."""
    x = inputs(case)["x"]
    form = gelu_tanh if attributes(case).get("approximate") == b"tanh" else gelu
    return {"y": form(x.reshape(1, -1)).reshape(x.shape)}


def gated(case: Any) -> dict[str, Any]:
    """a σ(α a) b, which is silu(α a) / α times b."""
    given, alpha = inputs(case), attributes(case).get("alpha", 1.0)
    return {"y": silu(alpha * given["a"]) / alpha * given["b"]}


OPERATORS = {
    "LayerNormalization": normalised,
    "RMSNormalization": normalised,
    "RotaryEmbedding": turned,
    "Softmax": weighed,
    "Gelu": activated,
    "SwiGLU": gated,
}
