"""The scaling laboratory from what a caller sends: Q and K, scores, or a seed."""

from typing import Any

from service.engine.errors import EngineError
from service.engine.scaling import Labels, Options, scaling_of_projections, scaling_of_scores
from service.engine.scaling_laboratory import laboratory
from service.engine.trace import Array


def scaling_experiments(
    Q: Array | None = None,
    K: Array | None = None,
    scores: Array | None = None,
    d_k: list[int] | None = None,
    seed: int | None = None,
    n_keys: int | None = None,
    draws: int | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    tokens: list[str] | None = None,
    keys: list[str] | None = None,
) -> dict[str, Any]:
    """Experiments with a trace each: one of the caller's own numbers, or one for each width drawn.

    Raises EngineError where members of different ways are mixed, and what each way raises.
    """
    options, labels = Options(scale, temperature), Labels(tokens, keys)
    given = next((n for n, m in (("Q", Q), ("K", K), ("scores", scores)) if m is not None), None)
    if given is None:
        if seed is None:
            raise EngineError("Q", "Send Q and K, or scores, or a seed to draw them from.")
        for name, value in (("tokens", tokens), ("keys", keys)):
            if value is not None:
                raise EngineError(name, f"{name} are labels of Q, K or scores; leave them out.")
        return laboratory(seed, d_k, n_keys, draws, options)

    for name, number in (("seed", seed), ("n_keys", n_keys), ("draws", draws)):
        if number is not None:
            raise EngineError(
                name, f"{name} is for drawn numbers, but {given} is given; leave one out."
            )
    if scores is not None:
        return {"experiments": [_of_scores(scores, Q, K, d_k, options, labels)]}
    if Q is None or K is None:
        missing = "Q" if Q is None else "K"
        raise EngineError(missing, f"{missing} is missing; Q and K are sent together.")
    if d_k is not None:
        raise EngineError("d_k", "d_k is the width of Q and K; leave it out.")
    trace = scaling_of_projections(Q, K, options, labels)
    return {"experiments": [{"d_k": Q.shape[1], "trace": trace}]}


def _of_scores(
    scores: Array,
    Q: Array | None,
    K: Array | None,
    d_k: list[int] | None,
    options: Options,
    labels: Labels,
) -> dict[str, Any]:
    if Q is not None or K is not None:
        raise EngineError("scores", "scores are Q Kᵀ; send them, or Q and K.")
    if d_k is None:
        return {"trace": scaling_of_scores(scores, None, options, labels)}
    if len(d_k) != 1:
        raise EngineError("d_k", f"scores come from one width, but d_k has {len(d_k)}; send one.")
    return {"d_k": d_k[0], "trace": scaling_of_scores(scores, d_k[0], options, labels)}
