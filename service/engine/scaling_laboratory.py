"""Random queries and keys of several widths: what scaling does to their scores, over many draws."""

import math
from typing import Any

import numpy as np

from service.engine import scaling_rules as rules
from service.engine.errors import EngineError, TooLarge
from service.engine.normals import Normals, dot
from service.engine.scaling import Labels, Options, scaling
from service.engine.softmax_statistics import weigh
from service.engine.trace import Array, Step

D_K = (2, 8, 64, 512)
N_KEYS, DRAWS = 6, 1000
# Numbers drawn in one request, (n_keys + 1) · d_k · draws over all widths, and scores that are
# weighed, n_keys · draws for each width: half a second at most.
MAX_NUMBERS = 1 << 22
MAX_SCORES = 1 << 18
_NUMBERS_A_CHUNK = 1 << 16

CONSTRUCTION = (
    "Philox4x64-10 with key (seed, d_k) and counter 0; of each integer the upper 52 bits k as"
    " u = (k + 1/2) / 2^52; AS 241's quantile of u. Each draw takes the query's d_k numbers, then"
    " those of each key in turn; products are added in halves, the second half to the first."
)


def laboratory(
    seed: int,
    d_k: list[int] | None = None,
    n_keys: int | None = None,
    draws: int | None = None,
    options: Options = Options(),  # noqa: B008 - a tuple
) -> dict[str, Any]:
    """For each width one drawn query and its keys as a trace, and the statistics of many draws.

    Entries are independent and standard normal, so q·k has mean 0 and variance d_k, and scaled by
    1/√d_k variance 1 (Vaswani et al. 2017, footnote 4). The trace is the first draw. Draws and
    scores have the same bits on every machine; exponentials may differ in the last.
    Raises TooLarge for more than MAX_NUMBERS numbers or MAX_SCORES scores, EngineError,
    OverflowingStep.
    """
    widths = list(D_K) if d_k is None else d_k
    n_keys, draws = n_keys or N_KEYS, draws or DRAWS
    numbers = (n_keys + 1) * draws * sum(widths)
    if numbers > MAX_NUMBERS:
        raise TooLarge(
            "draws",
            f"(n_keys + 1) · draws · the sum of d_k is {numbers:,}; at most {MAX_NUMBERS:,} numbers"
            " are drawn. Ask for fewer draws, keys or widths.",
        )
    scores = n_keys * draws * len(widths)
    if scores > MAX_SCORES:
        raise TooLarge(
            "draws",
            f"n_keys · draws, for each width, makes {scores:,} scores; at most {MAX_SCORES:,} are"
            " weighed. Ask for fewer draws, keys or widths.",
        )
    return {
        "experiments": [experiment(seed, width, n_keys, draws, options) for width in widths],
        "drawn": {
            "seed": seed,
            "n_keys": n_keys,
            "draws": draws,
            "distribution": "standard normal",
            "construction": CONSTRUCTION,
        },
    }


def experiment(seed: int, d_k: int, n_keys: int, draws: int, options: Options) -> dict[str, Any]:
    """One width: the first draw as a trace, and all draws in numbers."""
    stream = Normals(seed, d_k)
    size = (n_keys + 1) * d_k
    at_once = max(1, _NUMBERS_A_CHUNK // size)
    scores = np.empty((draws, n_keys))
    first: list[Step] = []
    for start in range(0, draws, at_once):
        stop = min(start + at_once, draws)
        vectors = stream.next((stop - start) * size).reshape(stop - start, n_keys + 1, d_k)
        if not first:
            first = [
                Step(rules.DRAWN_Q, vectors[0, :1].copy()),
                Step(rules.DRAWN_K, vectors[0, 1:].copy()),
            ]
        scores[start:stop] = dot(vectors[:, 1:], vectors[:, :1])
    with np.errstate(over="ignore", invalid="ignore"):
        shown = Step(rules.SCORES, scores[:1].copy())
        trace = scaling(first, shown, d_k, math.inf, options, Labels())
        scale = trace.conventions["scale"]
        variance = 1.0 if options.scale is None else scale * scale * d_k
        over = {
            "raw": summary(scores, 0.0, float(d_k), options),
            "scaled": summary(scores * scale, 0.0, variance, options),
        }
    return {"d_k": d_k, "trace": trace, "over_draws": over}


def summary(s: Array, mean: float, variance: float, options: Options) -> dict[str, float]:
    """Means over the draws, beside what is predicted; sums do not depend on an order."""
    _, found = weigh(s, options.temperature)
    empirical = average(s)
    centred = s - empirical
    said = {
        "mean": empirical,
        "predicted_mean": mean,
        "variance": average(centred * centred),
        "predicted_variance": variance,
    }
    said |= {
        f"mean_{name}": average(np.asarray(each))
        for name, each in zip(found._fields, found, strict=True)
    }
    if not all(map(math.isfinite, said.values())):
        raise EngineError(
            "scale", "The variance of the scaled scores overflows; use a smaller one."
        )
    return said


def average(a: Array) -> float:
    """The mean, from the exact sum rounded once."""
    try:
        return math.fsum(a.ravel().tolist()) / a.size
    except OverflowError:
        return math.inf  # said to be too large where it would be replied
