"""Several heads side by side, each with its own update, and what they say together.

MultiHead(X) = [head₁ | … | head_h] W_O = Σ headᵢ W_Oⁱ: the concatenated form and the sum of the
heads' own updates are the same. Source: Vaswani et al. 2017, section 3.2.2.
"""

from functools import cache
from typing import Any

import numpy as np

from service.engine import attention_rules as rules
from service.engine.attention import Options
from service.engine.blocks import block, blocked, rows_a_block
from service.engine.errors import EngineError
from service.engine.heads import Head, cut, packed
from service.engine.limits import SAFE, check_cells, check_finite
from service.engine.mask import Mask
from service.engine.one_head import assemble, bound, output_step
from service.engine.positions.alibi import Slopes
from service.engine.positions.rotary import Rotary
from service.engine.projection import OUT_IN
from service.engine.sources import Tokens, Weights, computed_projections
from service.engine.trace import ANY, Array, Axis, Read, Rule, Step, Trace, find


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
        heads = cut(whole, n_heads, n_kv_heads, weights_layout)
        prefix = ""
    else:
        check_alone(heads, whole, n_heads, n_kv_heads)
        prefix = "heads/{}/"
    source = context or Tokens()
    n_k = len(X if source.X is None else source.X)
    check_cells("X", len(X), n_k, len(heads))
    check_cells("X", len(X), X.shape[1], len(heads))

    options = Options(mask, scale, softcap, weights_layout, rotary)
    slopes = alibi.of(len(heads)) if alibi else None
    limits, traces = [], []
    for i, head in enumerate(heads):
        own = options if head.mask is None else options._replace(mask=head.mask)
        if slopes is not None:
            own = own._replace(alibi=slopes[i])
        limits.append(bound(X, source.X, head.weights, (None, None, None), own))
        try:
            traces.append(head_trace(X, source, head.weights, own, tokens, features, limits[-1]))
        except EngineError as error:
            field = prefix.format(i) + error.field if error.field else ""
            raise type(error)(field, f"{head.name}: {error.message}") from None
    together = combined(X, heads, traces, options)
    if not sum(limits) < SAFE:
        with np.errstate(over="ignore", invalid="ignore"):
            check_finite(together.steps)
    return {
        "heads": [
            {"name": head.name, "trace": trace} for head, trace in zip(heads, traces, strict=True)
        ],
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


def head_trace(
    X: Array,
    source: Tokens,
    weights: Weights,
    options: Options,
    tokens: list[str] | None,
    features: list[str] | None,
    limit: float,
) -> Trace:
    """One head's own trace, which ends with its update."""
    with np.errstate(over="ignore", invalid="ignore"):
        projections = computed_projections(X, source.X, weights, options.layout)
        trace = assemble(X, source, projections, weights.W_O, options, tokens, features, add=False)
        if not limit < SAFE:
            check_finite(trace.steps)
    return trace


def combined(X: Array, heads: list[Head], traces: list[Trace], options: Options) -> Trace:
    """concat, update (the sum of the heads' updates), output."""
    n_q, n_heads, layout = len(X), len(heads), options.layout
    elsewhere = {
        f"heads/{i}/{step.rule.name}": step
        for i, trace in enumerate(traces)
        for step in trace.steps
        if step.rule.name in ("head", "update")
    }
    H = [find(trace.steps, "head").value for trace in traces]
    width = sum(value.shape[1] for value in H)
    check_cells("heads", n_q, width)
    rows = rows_a_block(traces[0].axes["key"].size)
    concat = blocked(
        (n_q, width),
        rows,
        lambda i, _, __: np.concatenate([block(value, i) for value in H], axis=1),
        keep=True,
    )
    steps = [Step(concat_rule(n_heads), concat)]
    axes = {"query": traces[0].axes["query"], "concat": Axis(width)}
    inputs = [Step(rules.X, X)]
    if heads[0].weights.W_O is not None:
        inputs.append(Step(rules.weight("W_O", layout, "d_model", "concat"), packed(heads, layout)))
        updates = [find(trace.steps, "update").value for trace in traces]
        update = blocked(
            updates[0].shape, rows, lambda i, _, __: sum(block(u, i) for u in updates), keep=True
        )
        axes["d_model"] = traces[0].axes["d_model"]
        steps += [Step(update_rule(n_heads, layout), update), output_step(X, update)]
    return Trace(axes, inputs, steps, traces[0].conventions, [], {}, elsewhere)


@cache
def concat_rule(n_heads: int) -> Rule:
    """[head₁ | … | head_h]; a cell copies one of the heads' cells in its row."""
    names = [f"H_{{{i + 1}}}" for i in range(n_heads)]
    if n_heads > 3:
        names[2:-1] = [r"\dots"]
    beside, below = r" \mid ".join(names), r" \\ ".join(names)
    return Rule(
        "concat",
        "The heads beside each other",
        "C",
        f"C = [{beside}]",
        rf"C = \begin{{bmatrix}} {below} \end{{bmatrix}}",
        "concat",
        ("query", "concat"),
        tuple(Read(f"heads/{i}/head", ("query", ANY)) for i in range(n_heads)),
    )


@cache
def update_rule(n_heads: int, layout: str) -> Rule:
    """Σ headᵢ W_Oⁱ, which is [head₁ | … | head_h] W_O."""
    out_in = layout == OUT_IN
    rows = r"C W_O^\top" if out_in else "C W_O"
    columns = "W_O C" if out_in else r"W_O^\top C"
    return Rule(
        "update",
        "Update: the sum of what the heads propose",
        r"\Delta",
        rf"\Delta = \sum_{{i=1}}^{{{n_heads}}} \Delta_i = {rows}",
        rf"\Delta = \sum_{{i=1}}^{{{n_heads}}} \Delta_i = {columns}",
        "sum",
        ("query", "d_model"),
        tuple(Read(f"heads/{i}/update", ("query", "d_model")) for i in range(n_heads)),
    )
