"""Questions on how much work self-attention is beside a recurrent layer: n²d against n d²."""

from fractions import Fraction

from service.engine.complexity import complexity
from service.engine.grading.marking.rules import Absolute, Expression, Range, Variable
from service.engine.grading.marking.task import Misconception, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.questions.chapters import COST
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.typeset import grouped
from service.engine.grading.questions.variants import pick
from service.engine.trace import Step, Trace

_NOT_FLOPS = "Count by the leading terms of the paper's table, without constant factors."


def work_ratio(seed: int | None = None) -> Question:
    """n d² / (n²d) = d / n."""
    n = pick(100, (40, 50, 60, 80, 125, 160), seed, "n")
    d = pick(512, (256, 320, 384, 600, 768, 1000), seed, "d")

    def mistakes() -> dict[str, Fraction]:
        work = {one["name"]: one["work"]["value"] for one in complexity(n, d)["layers"]}
        return {
            "ratio_upside_down": Fraction(work["self_attention"], work["recurrent"]),
            "convolution_for_rnn": Fraction(work["convolutional"], work["self_attention"]),
            "ratio_squared": Fraction(d * d, n * n),
            "neighbours_alone": Fraction(work["recurrent"], work["self_attention_restricted"]),
        }

    def solution() -> Trace:
        tokens, width = _sizes(n, d)
        first = computed("product", "attention", "W_1", "Self-attention", tokens, tokens, width)
        second = computed("product", "recurrent", "W_2", "Recurrent", tokens, width, width)
        ratio = computed("quotient", "ratio", "r", "How many times more", second, first)
        return worked(tokens, width, first, second, ratio)

    return Question(
        id="work-ratio",
        title="Which layer works harder?",
        chapter=COST,
        difficulty=2,
        prompt=f"A text has $n = {n}$ tokens, embeddings have $d = {d}$ numbers. How many times "
        "the work of a self-attention layer does a recurrent layer do? "
        f"{_NOT_FLOPS} Give two decimals.",
        hints=(
            "Self-attention compares every token with every other; a recurrent layer multiplies "
            "each token's vector by a square matrix.",
            r"Divide $n \cdot d^2$ by $n^2 \cdot d$; much cancels.",
        ),
        task=number_task(Absolute(Fraction(1, 200)), Fraction(d, n), mistakes),
        explanation=rf"$\frac{{n \cdot d^2}}{{n^2 \cdot d}} = \frac{{d}}{{n}} = "
        rf"\frac{{{d}}}{{{n}}} \approx {d / n:.2f}$: as long as a text has fewer tokens than an "
        "embedding has numbers, attention is less work.",
        solution=solution,
    )


_WORK = {
    "self-attention": ("n^2*d", "Every token meets every other, which takes $d$ products each."),
    "recurrent": ("n*d^2", r"Each token in turn meets a $d \times d$ matrix."),
    "convolutional": ("k*n*d^2", r"Each token meets $k$ matrices of $d \times d$."),
}
_MISTAKEN = {
    "self-attention": {
        "recurrent_for_attention": "n*d^2",
        "linear_in_n": "n*d",
        "width_forgotten": "n^2",
        "both_squared": "n^2*d^2",
    },
    "recurrent": {
        "attention_for_recurrent": "n^2*d",
        "matrix_forgotten": "n*d",
        "both_squared": "n^2*d^2",
    },
    "convolutional": {
        "kernel_forgotten": "n*d^2",
        "matrix_forgotten": "k*n*d",
        "attention_for_convolutional": "k*n^2*d",
    },
}


def work_formula(seed: int | None = None) -> Question:
    """n²d, n d² or k n d²."""
    layer = pick("self-attention", tuple(_WORK), seed, "layer")
    formula, reason = _WORK[layer]
    letters = "nkd" if layer == "convolutional" else "nd"
    kernel = ", with kernels that are $k$ tokens wide," if layer == "convolutional" else ""

    def misconceptions() -> tuple[Misconception, ...]:
        return tuple(known(code, wrong) for code, wrong in _MISTAKEN[layer].items())

    def solution() -> Trace:
        tokens, width = _sizes(7, 5)
        kernel = quantity("k", "k", "Width of a kernel, say", 3)
        factors = {
            "self-attention": (tokens, tokens, width),
            "recurrent": (tokens, width, width),
            "convolutional": (kernel, tokens, width, width),
        }[layer]
        given = {one.rule.name: one for one in factors}.values()
        return worked(*given, computed("product", "work", "W", "Work", *factors))

    return Question(
        id="work-formula",
        title="Work as a formula",
        chapter=COST,
        difficulty=2,
        prompt=f"A text has $n$ tokens with embeddings of $d$ numbers. How much work is a {layer} "
        f"layer{kernel} for it? {_NOT_FLOPS} Give a formula in these letters, without the O.",
        hints=(
            "What is done for each token, and how many products does that take?",
            "One of the two sizes comes up twice. Is it tokens that meet, or numbers?",
        ),
        task=Task(
            Expression(tuple(Variable(letter, 2, 100) for letter in letters)),
            formula,
            misconceptions=misconceptions,
        ),
        explanation=f"{reason} That is ${formula.replace('*', ' ')}$.",
        solution=solution,
    )


def cheaper_length(seed: int | None = None) -> Question:
    """d/r < n < d: n²d < n d², yet n²d > n d²/r."""
    d = pick(512, range(200, 1100, 20), seed, "d")
    part = pick(4, (2, 5), seed, "part")
    lowest = Fraction(d, part)
    n = (d + lowest) / 2

    def solution() -> Trace:
        width = quantity("d", "d", "Numbers of an embedding", d)
        times = quantity("part", "r", "The part that is asked about, as a divisor", part)
        two = quantity("two", "z", "Two", 2)
        low = computed(
            "quotient", "low", "n_1", "Attention does that part of the work", width, times
        )
        sum_ = computed("sum", "sum", "s", "Both ends together", low, width)
        return worked(
            width, times, two, low, sum_, computed("quotient", "n", "n", "Halfway", sum_, two)
        )

    return Question(
        id="cheaper-length",
        title="A length for which attention is less work",
        chapter=COST,
        difficulty=3,
        prompt=f"Embeddings have $d = {grouped(d)}$ numbers. Name a number of tokens for which a "
        "self-attention layer does less work than a recurrent one, but more than "
        rf"$\frac{{1}}{{{part}}}$ of it. {_NOT_FLOPS}",
        hints=(
            r"The two do $n^2 \cdot d$ and $n \cdot d^2$. What is one over the other?",
            "The ratio grows with the text. Find the lengths at which it takes the two values that "
            "are asked about, and take any length between them.",
        ),
        task=number_task(
            Range(lowest, Fraction(d), lowest_included=False, highest_included=False),
            n,
            lambda: {
                "turning_point_itself": d,
                "longer_for_shorter": 2 * d,
                "part_itself": lowest,
            },
        ),
        explanation=rf"The ratio is $\frac{{n}}{{d}}$: it is 1 at $n = {grouped(d)}$ and "
        rf"$\frac{{1}}{{{part}}}$ at $n = {float(lowest):g}$. Every length between the two will "
        "do.",
        solution=solution,
    )


def _sizes(n: int, d: int) -> tuple[Step, Step]:
    return quantity("n", "n", "Tokens", n), quantity("d", "d", "Numbers of an embedding", d)


WORK: Bank = {
    "work-ratio": work_ratio,
    "work-formula": work_formula,
    "cheaper-length": cheaper_length,
}
