"""What a row of weights is where the mask hides every key, and softmax would be 0/0.

zeros: PyTorch's scaled_dot_product_attention (from 2.5), ONNX's Attention (from onnx 1.23).
uniform, 1/n_k for each key: where hidden scores are one large negative number and not −∞, as in
jax.nn.dot_product_attention, in ONNX graphs that add the least float32, and where −1e9 is filled
in. NaN, softmax's own 0/0, which PyTorch's nn.MultiheadAttention gives, is no JSON number.
"""

from typing import Any

from service.engine import attention_rules as rules
from service.engine.trace import Step, Value

ZEROS, UNIFORM = "zeros", "uniform"

# What a reader is told of such rows.
THEREFORE = {
    ZEROS: "weights and head are 0 there",
    UNIFORM: "each key, though hidden, has the same weight there, so the head is the mean of all"
    " values",
}


def spread(weights: Any) -> Any:
    """Rows of zeros, which may see nothing, with 1/n_k in each cell: (…, n, n_k), in place."""
    weights[~weights.any(axis=-1)] = 1 / weights.shape[-1]
    return weights


def weights_step(A: Value, fully_masked_rows: str) -> Step:
    """The weights as a step, which says what such rows get if that is not 0."""
    if fully_masked_rows == ZEROS:
        return Step(rules.WEIGHTS, A)
    return Step(rules.WEIGHTS_OR_UNIFORM, A, None, {"fully_masked": 1 / A.shape[-1]})
