"""Questions on where the norm stands, and on what gain and bias leave of it."""

from fractions import Fraction

from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.questions.chapters import NORMS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, decided, quantity, worked
from service.engine.grading.questions.tasks import Offer, choice_task, matrix_task
from service.engine.grading.questions.typeset import cell
from service.engine.grading.questions.variants import pick
from service.engine.grading.questions.vectors import collected
from service.engine.trace import Trace

_FORMULAS = {
    "post": r"$\mathrm{LayerNorm}(x + \mathrm{Sublayer}(x))$",
    "pre": r"$x + \mathrm{Sublayer}(\mathrm{LayerNorm}(x))$",
    "no_residual": r"$\mathrm{LayerNorm}(\mathrm{Sublayer}(x))$",
    "update_normed": r"$x + \mathrm{LayerNorm}(\mathrm{Sublayer}(x))$",
}
_MODELS = {"post": "the original transformer", "pre": "GPT-2 and GPT-3"}
_ERRORS = {
    "post": (
        "post_for_pre",
        "That is the older order: here the sum of all updates runs past the norms untouched.",
    ),
    "pre": (
        "pre_for_post",
        "That is the later order: here everything that passes goes through the norm.",
    ),
    "no_residual": (
        "residual_path_cut",
        "Without a path around the sublayer, what it did not pass on would be lost.",
    ),
    "update_normed": (
        "update_normed",
        "Neither order norms the update alone before it is added.",
    ),
}
_HINTS = {
    "post": "In this model the norm comes last, and everything passes through it.",
    "pre": "In this model the sublayer reads a normed copy, and the sum is left as it is.",
}
_REASONS = {
    "post": "The update is added to what it is an update of, and the norm is taken of the sum.",
    "pre": "The norm only prepares what the sublayer reads; its update is added to the embedding "
    "itself, which thus runs from the first layer to the last without a norm in its way.",
}
_CLOSE = Fraction(1, 200)


def norm_order(seed: int | None = None) -> Question:
    """Post-norm or pre-norm, by the model that is asked about."""
    asked = pick("post", ("post", "pre"), seed, "asked")
    offers = [
        Offer(formula, *(() if order == asked else _ERRORS[order]))
        for order, formula in _FORMULAS.items()
    ]
    task = choice_task(offers, seed, "norm-order")

    def solution() -> Trace:
        """How many norms a number of x passes on its way through two sublayers, past both."""
        sublayers = quantity("sublayers", "s", "Sublayers of a layer", 2)
        on_the_way = quantity("each", "e", "Norms around each, seen from x", int(asked == "post"))
        title = "Norms that x itself passes"
        passed = computed("product", "norms", "n", title, sublayers, on_the_way)
        return decided(task, sublayers, on_the_way, passed)

    return Question(
        id="norm-order",
        title="Where the norm stands",
        chapter=NORMS,
        difficulty=1,
        prompt=f"What does a sublayer together with its add and norm give in {_MODELS[asked]}?",
        hints=(
            "Ask two things: what is added to what, and what the norm is taken of.",
            _HINTS[asked],
        ),
        task=task,
        explanation=_REASONS[asked],
        solution=solution,
    )


def normed_statistics(seed: int | None = None) -> Question:
    """Mean β and variance γ² of γ ⊙ n + β, where n has mean 0 and variance 1."""
    gain = pick(Fraction(3), _halves(5, 4, 12, -3, -5, 1), seed, "gain")
    bias = pick(Fraction(2), _halves(1, -2, 6, 7, -10), seed, "bias")

    def solution() -> Trace:
        gamma = quantity("gain", r"\gamma", "Gain", float(gain))
        beta = quantity("bias", r"\beta", "Bias", float(bias))
        before = quantity("mean_normed", r"\mu_n", "Mean of a normed row", 0)
        spread = quantity("variance_normed", r"\sigma_n^2", "Variance of a normed row", 1)
        stretched = computed("product", "stretched", "m", "Its mean, stretched", gamma, before)
        mean = computed("sum", "mean", r"\mu", "Mean of the output", stretched, beta)
        variance = computed(
            "product", "variance", r"\sigma^2", "Variance of the output", gamma, gamma, spread
        )
        both = collected("statistics", "s", "Both", "statistic", mean, variance)
        return worked(gamma, beta, before, spread, stretched, mean, variance, both)

    return Question(
        id="normed-statistics",
        title="What gain and bias do to mean and variance",
        chapter=NORMS,
        difficulty=2,
        prompt=rf"A LayerNorm has the gain $\gamma = {cell(float(gain))}$ and the bias "
        rf"$\beta = {cell(float(bias))}$ in each place. Which mean and which variance has a row "
        r"that it gives? Leave $\varepsilon$ out of account; give (mean, variance).",
        hints=(
            r"What are mean and variance just before $\gamma$ and $\beta$?",
            "A variance is a mean of squares. What becomes of a square if its number is stretched, "
            "and what if all numbers are shifted?",
        ),
        task=matrix_task(
            Cells(Absolute(_CLOSE)),
            [[bias, gain**2]],
            lambda: {
                "gain_forgotten": [[0, 1]],
                "variance_stretched_once": [[bias, abs(gain)]],
                "bias_before_gain": [[gain * bias, gain**2]],
                "bias_in_variance": [[bias, gain**2 + bias]],
            },
        ),
        explanation="Before gain and bias the row has mean 0 and variance 1. Stretching multiplies "
        rf"the variance by $\gamma^2 = {cell(float(gain**2))}$, shifting leaves it alone and moves "
        rf"the mean to $\beta = {cell(float(bias))}$.",
        solution=solution,
    )


def _halves(*numbers: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(number, 2) for number in numbers)


ORDER: Bank = {"norm-order": norm_order, "normed-statistics": normed_statistics}
