"""Attention from what a caller sends: X and weight matrices, or Q, K and V themselves."""

import math

import numpy as np

from service.engine import attention_rules as rules
from service.engine.attention import Options, attention_head
from service.engine.counted import counted
from service.engine.errors import ShapeError
from service.engine.fully_masked import ZEROS
from service.engine.labels import labels_for
from service.engine.limits import MAX_CELLS, SAFE, check_finite, norm
from service.engine.mask import Mask
from service.engine.masked_scores import finite
from service.engine.positions.alibi import Alibi
from service.engine.positions.rotary import Rotary, position_inputs, rotary_steps
from service.engine.projection import OUT_IN
from service.engine.sources import (
    Projections,
    Tokens,
    Weights,
    computed_projections,
    given_projections,
)
from service.engine.trace import UNIT, Array, Axis, Rule, Step, Trace, find
from service.engine.update import output_step, update_step


def attention(
    X: Array | None = None,
    context: Tokens | None = None,
    W_Q: Array | None = None,
    W_K: Array | None = None,
    W_V: Array | None = None,
    W_O: Array | None = None,
    Q: Array | None = None,
    K: Array | None = None,
    V: Array | None = None,
    mask: Mask | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    rotary: Rotary | None = None,
    alibi: Alibi | None = None,
    fully_masked_rows: str = ZEROS,
    weights_layout: str = OUT_IN,
    tokens: list[str] | None = None,
    features: list[str] | None = None,
) -> Trace:
    """X, Q, K, scores, scaled, masked, weights, V, head, update, output: one head's trace.

    From X (n_q, d_model) and W_Q, W_K, W_V, or from Q, K, V. With `context` it is
    cross-attention: keys and values come from there. Without W_O the last step is the head,
    without X the update.
    Raises EngineError if something is missing, ShapeError if inputs do not fit together,
    TooLarge before a trace that is too large, OverflowingStep if a finite input overflows.
    Source: Vaswani et al. 2017, sections 3.2.1 and 3.2.3.
    """
    source = context or Tokens()
    weights = Weights(W_Q, W_K, W_V, W_O)
    options = Options(mask, scale, softcap, weights_layout, rotary, alibi, fully_masked_rows)

    def build() -> Trace:
        if Q is not None or K is not None or V is not None:
            projections = given_projections(Q, K, V, weights, source)
        else:
            projections = computed_projections(X, source.X, weights, weights_layout)
        return assemble(X, source, projections, W_O, options, tokens, features)

    if bound(X, source.X, weights, (Q, K, V), options) < SAFE:
        return build()
    with np.errstate(over="ignore", invalid="ignore"):
        trace = build()
        check_finite(trace.steps)
        return trace


def bound(
    X: Array | None,
    context: Array | None,
    weights: Weights,
    given: tuple[Array | None, Array | None, Array | None],
    options: Options,
) -> float:
    """An upper bound on |cell| over all the steps, from the norms of the inputs.

    Rows of weights sum to at most 1, so no cell of A V exceeds the largest of V.
    """
    x = norm(X)
    C, source = (X, x) if context is None else (context, norm(context))
    if given[0] is None:
        queries = x * norm(weights.W_Q) + _bias(weights.b_Q, X)
        keys = source * norm(weights.W_K) + _bias(weights.b_K, C)
        values = source * norm(weights.W_V) + _bias(weights.b_V, C)
    else:
        queries, keys, values = map(norm, given)
    bias = (
        norm(finite(options.mask.bias)) if options.mask and options.mask.bias is not None else 0.0
    )
    scores = queries * keys * max(1.0, abs(options.scale or 1.0)) + bias
    if options.softcap is not None:
        scores += scores / options.softcap
    if options.alibi is not None:
        scores += abs(options.alibi.slope) * (MAX_CELLS + abs(options.alibi.offset))
    return max(queries, keys, scores) + values * max(1.0, norm(weights.W_O)) + x


def _bias(b: Array | None, x: Array | None) -> float:
    """The norm of a bias that is added to every row."""
    return 0.0 if b is None or x is None else norm(b) * math.sqrt(len(x))


def assemble(
    X: Array | None,
    source: Tokens,
    projections: Projections,
    W_O: Array | None,
    options: Options,
    tokens: list[str] | None,
    features: list[str] | None,
    add: bool = True,
    x_rule: Rule = rules.X,
) -> Trace:
    """The trace from Q, K and V on, with X before them and what W_O adds after them.

    Without `add` it ends with the update: one head of several proposes its own, and the sum of
    them is added to X. `x_rule` says where X comes from; the caller sent it if left out.
    """
    q, k, v, inputs, biased = projections
    (n_q, d_k), (n_k, d_v) = q.value.shape[-2:], v.value.shape[-2:]
    labels_for("tokens", tokens, n_q, "queries")
    if source.X is not None or source.tokens is not None:
        key_labels = labels_for("context/tokens", source.tokens, n_k, "keys")
    else:
        key_labels = tokens if n_k == n_q else None

    steps = [q, k]
    if options.rotary is not None:
        inputs += position_inputs(n_q, n_k, options.rotary)
        turning, q, k = rotary_steps(q, k, options.rotary)
        steps += turning
    head = attention_head(q, k, v, options, tokens)
    steps += head.steps
    d_model = None
    if X is not None:
        if len(X) != n_q:
            given = counted(len(X), "rows")
            raise ShapeError("X", f"X has {given}, but Q has {n_q}; each row is one token.")
        d_model = X.shape[1]
        steps.insert(0, Step(x_rule, X))
    if W_O is not None:
        inputs.append(Step(rules.weight("W_O", options.layout, "d_model", "d_v"), W_O))
        update = update_step(head.H, W_O, options.layout, d_model)
        d_model = update.value.shape[-1]
        steps.append(update)
        if X is not None and add:
            steps.append(output_step(X, update.value))
    inputs += head.inputs

    axes = {"query": Axis(n_q, tokens), "key": Axis(n_k, key_labels)}
    if d_model is not None:
        axes["d_model"] = Axis(
            d_model, labels_for("features", features, d_model, "numbers in an embedding")
        )
    if source.X is not None:
        axes["d_context"] = Axis(source.X.shape[1])
    axes["d_k"], axes["d_v"] = Axis(d_k), Axis(d_v)
    if options.rotary is not None:
        axes["pair"] = Axis(find(steps, "frequencies").value.shape[1])
    if options.rotary is not None or biased:
        axes[UNIT] = Axis(1)
    conventions = options.conventions((head.steps[1].constants or {})["scale"])
    return Trace(axes, inputs, steps, conventions, head.warnings)
