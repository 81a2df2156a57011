"""An embedding moved by the values that it attends to: y = x + Σᵢ wᵢ vᵢ."""

from typing import Any

import numpy as np

from service.engine import move_rules as rules
from service.engine.counted import counted, there_are
from service.engine.errors import OverflowingStep, ShapeError, TooLarge
from service.engine.labels import labels_for
from service.engine.limits import check_finite, norm
from service.engine.target import attention_weights, reaching, towards
from service.engine.trace import Array, Axis, Step, Trace

# The weights that reach a target come from a singular value decomposition of V.
MAX_CELLS = 1 << 17
TOLERANCE = 1e-12


def move(
    x: Array,
    V: Array,
    weights: Array,
    target: Array | None = None,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Trace:
    """x, V, weights, contributions wᵢvᵢ, update, moved; how near a target that came, and could.

    x, target (1, d), V (n, d), weights (1, n) -> contributions (n, d), update and moved (1, d).
    Raises ShapeError if they do not fit together, TooLarge, OverflowingStep.
    Source: Vaswani et al. 2017, sections 3.1 and 3.2.1.
    """
    n, d = V.shape
    for name, vector in (("x", x), ("target", target)):
        if vector is not None and vector.shape[1] != d:
            given = counted(vector.shape[1], "numbers")
            said = f"{name} has {given}, but V has {counted(d, 'columns')}; send {d}."
            raise ShapeError(name, said)
    if weights.shape[1] != n:
        given = there_are(weights.shape[1], "weights").capitalize()
        said = f"{given}, but V has {counted(n, 'rows')}; each value needs one."
        raise ShapeError("weights", said)
    if n * d > MAX_CELLS:
        raise TooLarge("V", f"V is {n:,} × {d:,}; at most {MAX_CELLS:,} numbers are weighed.")
    axes = {
        "key": Axis(n, labels_for("tokens", tokens, n, "rows of V")),
        "d_model": Axis(d, labels_for("features", features, d, "columns of V")),
        "1": Axis(1),
    }
    with np.errstate(over="ignore", invalid="ignore"):
        C = weights.T * V
        C += 0.0  # 0 · (−1) is −0.0, which would be looked for and written once more
        delta = np.add.reduce(C, axis=0, keepdims=True)
        y = x + delta
        steps = [
            Step(rules.X, x),
            Step(rules.V, V),
            Step(rules.WEIGHTS, weights),
            Step(rules.CONTRIBUTIONS, C),
            Step(rules.UPDATE, delta),
            Step(rules.MOVED, y),
        ]
        # What overflows before y is no number in y either.
        if not norm(y) < np.inf:
            check_finite(steps)
        try:
            judged = attention_weights(weights[0].tolist(), tokens, TOLERANCE)
        except OverflowError:
            raise OverflowingStep(
                "weights", "The sum of the weights overflows a float64. Use smaller weights."
            ) from None
        more: dict[str, Any] = {"attention_weights": judged}
        inputs = []
        if target is not None:
            inputs.append(Step(rules.TARGET, target))
            more["towards"] = towards(x[0].tolist(), y[0].tolist(), target[0].tolist())
            more["reaching"] = reaching(x, V, target, tokens, TOLERANCE)
    conventions = {"angle": "degrees", "tolerance": TOLERANCE}
    return Trace(axes, inputs, steps, conventions, [], more)
