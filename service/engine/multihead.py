"""Several heads side by side, each with its own update, and what they say together.

MultiHead(X) = [head₁ | … | head_h] W_O = Σ headᵢ W_Oⁱ: the concatenated form and the sum of the
heads' own updates are the same. Source: Vaswani et al. 2017, section 3.2.2.
"""

from typing import Any

import numpy as np

from service.engine import attention_rules as rules
from service.engine import blocks
from service.engine.attention import Options
from service.engine.combined import combined
from service.engine.errors import EngineError
from service.engine.fully_masked import ZEROS
from service.engine.heads import Head, cut
from service.engine.limits import SAFE, check_cells, check_finite, check_repeated
from service.engine.mask import Mask
from service.engine.one_head import assemble, bound
from service.engine.positions.alibi import Slopes
from service.engine.positions.rotary import Rotary
from service.engine.projection import OUT_IN
from service.engine.side_by_side import side_by_side
from service.engine.sources import Tokens, Weights, computed_projections
from service.engine.trace import Array, Step, Trace
from service.engine.update import output_step


def multihead(
    X: Array,
    context: Tokens | None = None,
    heads: list[Head] | None = None,
    n_heads: int | None = None,
    n_kv_heads: int | None = None,
    W_Q: Array | None = None,
    W_K: Array | None = None,
    W_V: Array | None = None,
    W_O: Array | None = None,
    mask: Mask | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    rotary: Rotary | None = None,
    alibi: Slopes | None = None,
    fully_masked_rows: str = ZEROS,
    weights_layout: str = OUT_IN,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> dict[str, Any]:
    """{"heads": [{"name", "trace"}], "combined": trace of concat, update, output}.

    From heads with their own matrices, or from packed ones and n_heads. A head's own mask takes
    the place of the shared one. Heads may differ in d_k and d_v.
    Raises what attention() raises; a field of a head is named by its place, heads/0/W_Q.
    """
    whole = Weights(W_Q, W_K, W_V, W_O)
    if heads is None:
        if n_heads is None:
            raise EngineError("heads", "Send heads with matrices of their own, or n_heads.")
        heads, beside = cut(whole, n_heads, n_kv_heads, weights_layout)
        prefix = ""
    else:
        check_alone(heads, whole, n_heads, n_kv_heads)
        beside = None
        prefix = "heads/{}/"
    options = Options(mask, scale, softcap, weights_layout, rotary, None, fully_masked_rows)
    x, source = Step(rules.X, X), context or Tokens()
    traces, limit = traces_of(x, source, heads, options, alibi, tokens, features, prefix, beside)
    with np.errstate(over="ignore", invalid="ignore"):
        together = combined(heads, traces, weights_layout)
        together.inputs.insert(0, x)
        if heads[0].weights.W_O is not None:
            together.steps.append(output_step(X, together.steps[-1].value))
        if not limit < SAFE:
            check_finite(together.steps)
    return reply(heads, traces, together)


def reply(heads: list[Head], traces: list[Trace], together: Trace) -> dict[str, Any]:
    """The heads by name, and what they say together."""
    named = zip(heads, traces, strict=True)
    return {
        "heads": [{"name": head.name, "trace": trace} for head, trace in named],
        "combined": together,
    }


def check_alone(
    heads: list[Head], whole: Weights, n_heads: int | None, n_kv_heads: int | None
) -> None:
    """Raise EngineError for packed matrices beside heads, or a W_O that only some heads have."""
    beside = {**whole._asdict(), "n_heads": n_heads, "n_kv_heads": n_kv_heads}
    for name, value in beside.items():
        if value is not None:
            raise EngineError(name, f"{name} is for packed matrices; leave it out, or heads.")
    with_O = [head.weights.W_O is not None for head in heads]
    if any(with_O) and not all(with_O):
        i = with_O.index(False)
        raise EngineError(
            f"heads/{i}/W_O", "This head has no W_O, but another has; all need one, or none."
        )


def traces_of(
    x: Step,
    source: Tokens,
    heads: list[Head],
    options: Options,
    alibi: Slopes | None,
    tokens: list[str] | None,
    features: list[str] | None,
    prefix: str,
    beside: Weights | None = None,
) -> tuple[list[Trace], float]:
    """Each head's own trace, which ends with its update, and a bound on all their cells.

    `prefix` leads to a head's members in the request, with {} for its place. `beside`: the matrices
    of all heads side by side, of packed ones.
    """
    X = blocks.whole(x.value)
    n_k = len(X if source.X is None else source.X)
    check_cells("X", len(X), n_k, len(heads))
    check_cells("X", len(X), X.shape[1], len(heads))
    for name, n in (("W_Q", len(X)), ("W_K", n_k), ("W_V", n_k)):
        outputs = 0 if options.layout == OUT_IN else 1
        given = [getattr(head.weights, name) for head in heads]
        check_cells(name, n, sum(W.shape[outputs] for W in given if W is not None))
    labels = [*(tokens or ()), *(source.tokens or tokens or ()), *(features or ())]
    check_repeated(labels, len(heads))
    slopes = alibi.of(len(heads)) if alibi else None
    together = side_by_side(x, source, heads, options, slopes, tokens, features, beside)
    if together is not None:
        return together
    traces, limit = [], 0.0
    for i, head in enumerate(heads):
        own = options if head.mask is None else options._replace(mask=head.mask)
        if slopes is not None:
            own = own._replace(alibi=slopes[i])
        try:
            trace, reach = head_trace(x, source, head.weights, own, tokens, features)
        except EngineError as error:
            # Weights and a mask of its own are a head's; all else is shared by all heads.
            member = error.field.split("/")[0]
            of_head = member.startswith("W_") or (member == "mask" and head.mask is not None)
            field = prefix.format(i) + error.field if of_head else error.field
            raise type(error)(field, f"{head.name}: {error.message}") from None
        traces.append(trace)
        limit += reach
    return traces, limit


def head_trace(
    x: Step,
    source: Tokens,
    weights: Weights,
    options: Options,
    tokens: list[str] | None,
    features: list[str] | None,
) -> tuple[Trace, float]:
    """One head's own trace, and a bound on its cells."""
    X, W_O = blocks.whole(x.value), weights.W_O
    limit = bound(X, source.X, weights, (None, None, None), options)
    with np.errstate(over="ignore", invalid="ignore"):
        projections = computed_projections(X, source.X, weights, options.layout)
        trace = assemble(X, source, projections, W_O, options, tokens, features, False, x.rule)
        if not limit < SAFE:
            check_finite(trace.steps)
    return trace, limit
