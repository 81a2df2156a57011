"""What several heads say together: beside each other, and as one update.

[head₁ | … | head_h] W_O = Σ headᵢ W_Oⁱ. Source: Vaswani et al. 2017, section 3.2.2.
"""

from functools import lru_cache

import numpy as np

from service.engine import attention_rules as rules
from service.engine.blocks import block, blocked, rows_a_block
from service.engine.heads import Head, packed
from service.engine.limits import check_cells
from service.engine.projection import OUT_IN, check_bias
from service.engine.trace import ANY, UNIT, Array, Axis, Read, Rule, Step, Trace

# Rules of other numbers of heads, or at other places, are made again when they are met again.
KEPT = 256


def combined(
    heads: list[Head],
    traces: list[Trace],
    layout: str,
    path: str = "",
    b_O: Array | None = None,
) -> Trace:
    """concat and, with W_O, update: the sum of the heads' updates, and of b_O.

    `path` leads to the heads in the reply, blocks/0/attention/ for example.
    """
    n_q, n_heads = traces[0].axes["query"].size, len(heads)
    # A head's trace ends with the head itself and, with W_O, its update.
    said = 1 if heads[0].weights.W_O is None else 2
    last = [trace.steps[-said:] for trace in traces]
    elsewhere = {
        f"{path}heads/{i}/{step.rule.name}": step for i, steps in enumerate(last) for step in steps
    }
    H = [steps[0].value for steps in last]
    width = sum(value.shape[1] for value in H)
    check_cells("heads", n_q, width)
    rows = rows_a_block(traces[0].axes["key"].size)
    concat = blocked(
        (n_q, width),
        rows,
        lambda i, _, __: np.concatenate([block(value, i) for value in H], axis=1),
        keep=True,
    )
    steps = [Step(concat_rule(n_heads, path), concat)]
    axes = {"query": traces[0].axes["query"], "concat": Axis(width)}
    inputs = []
    if heads[0].weights.W_O is not None:
        inputs.append(Step(rules.weight("W_O", layout, "d_model", "concat"), packed(heads, layout)))
        updates = [steps[1].value for steps in last]
        first = 0.0 if b_O is None else b_O
        update = blocked(
            updates[0].shape,
            rows,
            lambda i, _, __: sum((block(u, i) for u in updates), first),
            keep=True,
        )
        axes["d_model"] = traces[0].axes["d_model"]
        if b_O is not None:
            check_bias("b_O", b_O, updates[0].shape[1], "W_O")
            inputs.append(Step(rules.bias("b_O", "d_model"), b_O))
            axes[UNIT] = Axis(1)
        steps.append(Step(update_rule(n_heads, layout, path, b_O is not None), update))
    # Mask, scale and positions are each head's own, and said there.
    return Trace(axes, inputs, steps, {"weights_layout": layout}, [], {}, elsewhere)


@lru_cache(maxsize=KEPT)
def concat_rule(n_heads: int, path: str) -> Rule:
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
        tuple(Read(f"{path}heads/{i}/head", ("query", ANY)) for i in range(n_heads)),
    )


@lru_cache(maxsize=KEPT)
def update_rule(n_heads: int, layout: str, path: str, bias: bool) -> Rule:
    """Σ headᵢ W_Oⁱ + b_O, which is [head₁ | … | head_h] W_O + b_O."""
    out_in = layout == OUT_IN
    rows = r"C W_O^\top" if out_in else "C W_O"
    columns = "W_O C" if out_in else r"W_O^\top C"
    plus = " + b_O" if bias else ""
    reads = [Read(f"{path}heads/{i}/update", ("query", "d_model")) for i in range(n_heads)]
    if bias:
        reads.append(Read("b_O", (UNIT, "d_model")))
    return Rule(
        "update",
        "Update: the sum of what the heads propose",
        r"\Delta",
        rf"\Delta = \sum_{{i=1}}^{{{n_heads}}} \Delta_i{plus} = {rows}{plus}",
        rf"\Delta = \sum_{{i=1}}^{{{n_heads}}} \Delta_i{plus} = {columns}{plus}",
        "sum",
        ("query", "d_model"),
        tuple(reads),
    )
