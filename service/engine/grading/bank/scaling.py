"""Questions on the division by √d_k."""

from fractions import Fraction
from math import exp, log, sqrt

from service.engine.grading.bank.scaling_formulas import scaled_formula, smallest_slope
from service.engine.grading.marking.rules import Integer, Range, SignificantFigures
from service.engine.grading.questions.chapters import SCALING
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

_PAIRS = tuple((low, high) for low in (60, 70, 75, 80, 90) for high in (95, 96, 98, 99))
_NO_SQUARES = tuple(d for d in range(20, 300, 4) if sqrt(d) % 1)


def divisor(seed: int | None = None) -> Question:
    """√d_k to three significant figures."""
    d_k = pick(128, _NO_SQUARES, seed, "d_k")
    model = "In a model" if seed else "In GPT-3"
    root = sqrt(d_k)

    def solution() -> Trace:
        width = quantity("d_k", "d_k", "Entries of a query and of a key", d_k)
        return worked(width, computed("root", "divisor", "c", "The divisor", width))

    return Question(
        id="divisor",
        title="What scores are divided by",
        chapter=SCALING,
        difficulty=1,
        prompt=f"{model}, the queries and keys of a head have {d_k} numbers each. By which number "
        "is each score divided before softmax? Give exactly three significant figures.",
        hints=(
            "The divisor depends on one width alone: that of queries and keys.",
            "It brings a spread back to 1, not a variance; take the root.",
        ),
        task=number_task(
            SignificantFigures(3, written_so=True),
            sqrt(d_k),
            lambda: {
                "divided_by_d_k": d_k,
                "half_for_the_root": Fraction(d_k, 2),
                "multiplier_for_divisor": 1 / sqrt(d_k),
            },
        ),
        explanation=rf"$\sqrt{{d_k}} = \sqrt{{{d_k}}} \approx {root:.{2 - (root > 10)}f}$.",
        solution=solution,
    )


def spread_of_scores(seed: int | None = None) -> Question:
    """The standard deviation √d_k of a dot product."""
    root = pick(8, tuple(n for n in range(3, 33) if n != 8), seed, "root")
    d_k = root**2
    where = "a head" if seed else "the original transformer"

    def solution() -> Trace:
        width = quantity("d_k", "d_k", "Entries of a query and of a key", d_k)
        one = quantity("product", r"\sigma^2_1", "Variance of the product of two entries", 1)
        total = computed("product", "variance", r"\sigma^2", "Variance of the score", width, one)
        return worked(
            width, one, total, computed("root", "spread", r"\sigma", "Standard deviation", total)
        )

    return Question(
        id="spread-of-scores",
        title="How far scores scatter",
        chapter=SCALING,
        difficulty=2,
        prompt=f"In {where} queries and keys have {d_k} entries. Suppose that all entries are "
        "random and independent, with mean 0 and variance 1. What is the standard deviation of a "
        "score before it is scaled?",
        hints=(
            "A score is a sum; what happens to variances when independent terms are added?",
            "Each product of two entries has variance one. Add up, then go from a variance to a "
            "standard deviation.",
        ),
        task=number_task(
            Integer(),
            root,
            lambda: {
                "variance_for_the_spread": d_k,
                "spread_after_scaling": 1,
                "spread_of_a_sum_of_pairs": sqrt(2 * d_k),
            },
        ),
        explanation=f"The variances of ${d_k}$ products add up to ${d_k}$, so scores scatter by "
        rf"$\sqrt{{{d_k}}} = {root}$ around 0. Dividing by that makes it 1.",
        solution=solution,
    )


def weight_ratio(seed: int | None = None) -> Question:
    """e^gap : 1."""
    gap = Fraction(pick(20, range(3, 25), seed, "gap"), 2)

    def solution() -> Trace:
        apart = quantity("gap", "g", "Difference of the scores", float(gap))
        return worked(apart, computed("exponential", "ratio", "r", "Ratio of the weights", apart))

    return Question(
        id="weight-ratio",
        title="How a gap between scores grows",
        chapter=SCALING,
        difficulty=2,
        prompt=f"Two keys have scores that differ by {_short(gap)}, as softmax sees them. How "
        "many times as large as the other is the larger weight? Give three significant figures.",
        hints=(
            "Softmax divides both by the same sum, so the sum does not matter here.",
            "A quotient of two powers of $e$ is a power of $e$ again.",
        ),
        task=number_task(
            SignificantFigures(3),
            exp(gap),
            lambda: {
                "gap_for_the_ratio": gap,
                "base_two": 2.0 ** float(gap),
                "base_ten": 10.0 ** float(gap),
            },
        ),
        explanation=rf"$e^{{{_short(gap)}}} : 1$, so about {exp(gap):,.1f} times.",
        solution=solution,
    )


def gap_for_share(seed: int | None = None) -> Question:
    """Any gap from ln(low / (1 − low)) to ln(high / (1 − high))."""
    low, high = pick((90, 99), _PAIRS, seed, "shares")
    lowest, highest = log(low / (100 - low)), log(high / (100 - high))

    def solution() -> Trace:
        two = quantity("two", "2", "To find the middle", 2)
        all_of_it = quantity("all", "a", "Both weights together, in percent", 100)
        least, most = (
            quantity(f"{name}_share", symbol, f"The {name} share of the larger, in percent", share)
            for name, symbol, share in (("least", "p", low), ("largest", "P", high))
        )
        other, others = (
            computed("difference", f"{name}_rest", symbol, "What the other gets", all_of_it, share)
            for name, symbol, share in (("least", "q", least), ("largest", "Q", most))
        )
        ratio = computed("quotient", "least_ratio", "r", "Ratio of the weights", least, other)
        ratios = computed("quotient", "largest_ratio", "R", "Ratio of the weights", most, others)
        gap = computed("logarithm", "least_gap", "g", "The gap that makes it", ratio)
        gaps = computed("logarithm", "largest_gap", "G", "The gap that makes it", ratios)
        total = computed("sum", "both", "b", "Both gaps", gap, gaps)
        middle = computed("quotient", "middle", "m", "A gap between them", total, two)
        first = (two, all_of_it, least, most, other, others)
        return worked(*first, ratio, ratios, gap, gaps, total, middle)

    return Question(
        id="gap-for-share",
        title="A gap to choose",
        chapter=SCALING,
        difficulty=3,
        prompt=f"There are two keys. Name a difference of their scores for which softmax gives the "
        f"larger one more than {low} % and less than {high} % of the weight.",
        hints=(
            "First turn the two shares into ratios of one weight to the other.",
            "The ratio of the weights is $e$ to the power of the difference; the logarithm leads "
            "back.",
        ),
        task=number_task(
            Range(Fraction(str(lowest)), Fraction(str(highest)), False, False),
            (lowest + highest) / 2,
            lambda: {
                "ratio_for_the_gap": Fraction(high, 100 - high),
                "logarithm_to_base_ten": log(low / (100 - low), 10),
                "shares_subtracted": Fraction(low - (100 - low), 100),
            },
        ),
        explanation=f"The difference lies between $\\ln({low} / {100 - low}) \\approx "
        f"{lowest:.2f}$ and $\\ln({high} / {100 - high}) \\approx {highest:.2f}$.",
        solution=solution,
    )


def _short(number: Fraction) -> str:
    return f"{float(number):g}"


SCALING_QUESTIONS: Bank = {
    "divisor": divisor,
    "spread-of-scores": spread_of_scores,
    "weight-ratio": weight_ratio,
    "gap-for-share": gap_for_share,
    "smallest-slope": smallest_slope,
    "scaled-formula": scaled_formula,
}
