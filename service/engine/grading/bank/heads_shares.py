"""Questions that compare counts of weights: two factors with one matrix, attention with the whole
model."""

from fractions import Fraction

from service.engine.grading.bank.heads_weights import D_MODEL, width
from service.engine.grading.marking.rules import Absolute, Integer
from service.engine.grading.questions import counting
from service.engine.grading.questions.chapters import HEADS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.typeset import grouped
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

_HALF_A_PERCENT = Fraction(1, 200)


def value_factors(seed: int | None = None) -> Question:
    """d_model² / (2 d_v d_model) = d_model / (2 d_v)."""
    d_v = pick(128, (16, 32, 40, 64, 80, 96), seed, "d_v")
    factor = pick(48, (4, 5, 6, 8, 10, 12, 15, 20, 24), seed, "factor")
    d_model = 2 * factor * d_v
    full, thin = d_model**2, 2 * d_v * d_model

    def mistakes() -> dict[str, Fraction]:
        down = counting.one_of("W_V", d_model=d_model, d_head=d_v)
        return {
            "one_factor_only": Fraction(full, down),
            "ratio_upside_down": Fraction(thin, full),
            "ratio_not_taken": Fraction(thin),
        }

    def solution() -> Trace:
        two = quantity("factors", "f", "Matrices: one down, one up", 2)
        narrow = quantity("d_v", "d_v", "Numbers of a value", d_v)
        wide = width(d_model)
        straight = computed("product", "full", "N_1", "The one thick matrix", wide, wide)
        factored = computed("product", "thin", "N_2", "The two thin ones", two, narrow, wide)
        ratio = computed("quotient", "ratio", "r", "How many times fewer", straight, factored)
        return worked(two, narrow, wide, straight, factored, ratio)

    return Question(
        id="value-factors",
        title="Two thin matrices for a thick one",
        chapter=HEADS,
        difficulty=2,
        prompt="A value map that leads straight from an embedding to an update of it, both of "
        f"{d_model:,} numbers, has {full:,} weights. A head has two matrices in its place: one "
        f"down to $d_v = {d_v}$ numbers, one up again. How many times fewer weights do the two "
        "have together?",
        hints=(
            "How many cells has each of the two, and how many have they together?",
            rf"Divide ${D_MODEL}^2$ by $2 \cdot d_v \cdot {D_MODEL}$; one width cancels.",
        ),
        task=number_task(Integer(), factor, mistakes),
        explanation=rf"The two have $2 \cdot {d_v} \cdot {grouped(d_model)} = {grouped(thin)}$ "
        f"weights, and the one has ${factor}$ times that.",
        solution=solution,
    )


def attention_share(seed: int | None = None) -> Question:
    """4 d² L over all parameters, to a percent."""
    n_layers = pick(96, (24, 28, 32, 36, 48, 60), seed, "n_layers")
    d_model = pick(12_288, (4096, 4608, 5120, 6144, 7168), seed, "d_model")
    tenths = pick(30, (31, 33, 36, 41, 47), seed, "tenths")
    weights = 4 * d_model**2 * n_layers
    billions = weights * tenths // 10**10 + 1 if seed else 175
    total = billions * 10**9
    share = Fraction(weights, total)

    def mistakes() -> dict[str, Fraction]:
        mlps = counting.mlp_weights(d_model=d_model, n_layers=n_layers)
        layer = counting.attention_weights(d_model=d_model)
        return {
            "percent_sign_missing": Fraction(round(100 * share)),
            "one_matrix_only": share / 4,
            "one_layer_only": Fraction(layer, total),
            "mlp_counted": Fraction(mlps, total),
        }

    def solution() -> Trace:
        four = quantity("kinds", "k", "Matrices of a layer: Q, K, V and O", 4)
        d = width(d_model)
        layers = quantity("n_layers", "L", "Layers", n_layers)
        whole = quantity("total", "N", "All parameters", total)
        part = computed("product", "attention", "N_1", "Weights of attention", four, d, d, layers)
        of_it = computed("quotient", "share", "s", "Their share", part, whole)
        return worked(four, d, layers, whole, part, of_it)

    return Question(
        id="attention-share",
        title="How much of a model is attention?",
        chapter=HEADS,
        difficulty=2,
        prompt=f"{'A model' if seed else 'GPT-3'} has {billions} billion parameters. Each of its "
        f"{n_layers} layers has four attention matrices, which with all heads taken together are "
        rf"${grouped(d_model)} \times {grouped(d_model)}$ each. Which share of the parameters is "
        "in attention? Give it to a whole percent, with the percent sign.",
        hints=(
            "Count the attention weights of one layer first.",
            r"Divide $4 \cdot d^2 \cdot L$ by all parameters, with $d$ the width and $L$ the "
            "number of layers.",
        ),
        task=number_task(Absolute(_HALF_A_PERCENT), share, mistakes),
        explanation=rf"Attention has $4 \cdot {grouped(d_model)}^2 \cdot {n_layers} = "
        f"{grouped(weights)}$ weights, about {100 * float(share):.1f} % of {billions} billion. "
        "Most of the rest is in the MLPs.",
        solution=solution,
    )


SHARES: Bank = {"value-factors": value_factors, "attention-share": attention_share}
