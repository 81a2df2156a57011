"""Keys of the questions on blocks and two texts, worked out from their prompts alone."""

from fractions import Fraction
from math import prod

import mpmath
from asked import asked, cells, close, in_every_variant, integers, key, right_texts, rows

from service.engine.grading.bank.whole import BANK

# Blocks


@in_every_variant
def test_an_mlp_has_two_matrices_and_two_biases(seed):
    d_model, d_ff = integers("mlp-weights", seed)
    assert key("mlp-weights", seed) == (d_model + 1) * d_ff + (d_ff + 1) * d_model


@in_every_variant
def test_a_decoder_layer_has_two_attentions_and_an_mlp(seed):
    d_model, n_heads, d_head, d_ff = integers("decoder-layer-weights", seed)
    head = 4 * d_model * d_head
    due = 2 * n_heads * head + d_model * d_ff + d_ff * d_model
    assert key("decoder-layer-weights", seed) == due


@in_every_variant
def test_the_formula_of_a_layer_counts_six_matrices(seed):
    (times,) = integers("layer-formula", seed)
    sides = [(7, 7)] * 4 + [(7, 7 * times)] * 2
    formula = key("layer-formula", seed).replace("^", "**").replace("d", "7")
    assert eval(formula) == sum(map(prod, sides))


@in_every_variant
def test_gpt_has_no_source(seed):
    assert right_texts("gpt-leaves-out", seed) == {
        "The attention that sees the whole source, with no mask",
        "The attention whose keys and values come from another text",
        "The MLPs that digest the source",
    }


ORDERS = {
    "GPT": ["Norm", "Masked attention", "Sum", "Norm", "MLP", "Sum"],
    "encoder": ["Attention of all", "Add and norm", "MLP", "Add and norm"],
    "decoder": [
        *("Masked attention", "Add and norm", "Attention to the source", "Add and norm"),
        *("MLP", "Add and norm"),
    ],
}


@in_every_variant
def test_parts_of_a_layer_stand_as_in_the_papers(seed):
    (kind,) = [kind for kind in ORDERS if kind in asked("layer-in-order", seed)]
    task = BANK["layer-in-order"](seed).task
    texts = {option.id: option.text for option in task.choices}
    in_order = [texts[id] for id in task.key]
    assert len(in_order) == len(ORDERS[kind])
    assert all(map(str.startswith, in_order, ORDERS[kind]))
    assert "attention" in in_order[0] + in_order[1]


# Two texts


@in_every_variant
def test_targets_ask_sources(seed):
    n_source, n_target, _ = integers("cross-shape", seed)
    assert cells("cross-shape", seed) == [n_target, n_source]
    (right,) = right_texts("cross-sources", seed)
    assert right == "Queries from the translation so far; keys and values from the source"


@in_every_variant
def test_what_is_blocked_stands_above_a_diagonal(seed):
    _, n_target = integers("decoder-hidden", seed)[:2]
    later = [(i, j) for i in range(n_target) for j in range(n_target) if j > i]
    assert key("decoder-hidden", seed) == len(later)


@in_every_variant
def test_a_target_looks_at_the_whole_source(seed):
    q, *K = rows("alignment-row", seed)
    assert len(q) == 4
    scores = [sum(a * b for a, b in zip(q, k, strict=True)) / Fraction(2) for k in K]
    with mpmath.workdps(30):
        powers = [mpmath.exp(mpmath.mpf(one.numerator) / one.denominator) for one in scores]
        due = [power / sum(powers) for power in powers]
    assert close(cells("alignment-row", seed), due)
