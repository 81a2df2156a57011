"""Questions on what a context costs: scores, growth, cache. Keys come from the sizes in the prompt,
wrong answers from the engine's count with something left out."""

from fractions import Fraction

from service.engine.complexity import scores
from service.engine.grading.marking.rules import Absolute, Integer
from service.engine.grading.questions import counting
from service.engine.grading.questions.chapters import COST
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.typeset import grouped
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace


def all_scores(seed: int | None = None) -> Question:
    """n² scores a head, times heads, times layers."""
    n = pick(2048, (100, 256, 300, 500, 512, 1000, 1024), seed, "n")
    n_heads = pick(96, (8, 12, 16, 20, 32), seed, "n_heads")
    n_layers = pick(96, (6, 10, 24, 36, 48), seed, "n_layers")
    total = n * n * n_heads * n_layers

    def mistakes() -> dict[str, int]:
        return {
            "one_head_only": scores(n, n_heads, n_layers, 1)["per_head"],
            "one_layer_only": scores(n, n_heads, n_layers, 1)["per_layer"],
            "heads_forgotten": scores(n, 1, n_layers, 1)["total"],
            "linear_in_n": n * n_heads * n_layers,
            "added_not_multiplied": n * n * (n_heads + n_layers),
            "values_not_scores": 2 * total,
        }

    def solution() -> Trace:
        tokens = quantity("n", "n", "Tokens", n)
        heads = quantity("n_heads", "h", "Heads of a layer", n_heads)
        layers = quantity("n_layers", "L", "Layers", n_layers)
        table = computed("product", "table", "S_1", "Scores of one head", tokens, tokens)
        layer = computed("product", "layer", "S_2", "Scores of one layer", heads, table)
        whole = computed("product", "model", "S", "All scores", layers, layer)
        return worked(tokens, heads, layers, table, layer, whole)

    return Question(
        id="all-scores",
        title="All the scores of a text",
        chapter=COST,
        difficulty=2,
        prompt=f"A model has {n_layers} layers of {n_heads} heads each and reads a text of {n:,} "
        "tokens. How many scores does it compute? Count full tables, masked cells included.",
        hints=(
            "How many scores does one head of one layer make?",
            "The table of one head has as many rows as tokens, and as many columns.",
        ),
        task=number_task(Integer(), total, mistakes),
        explanation=rf"A head makes ${grouped(n)}^2 = {grouped(n * n)}$ scores, and there are "
        rf"${n_heads} \cdot {n_layers} = {grouped(n_heads * n_layers)}$ heads: ${grouped(total)}$.",
        solution=solution,
    )


def scores_growth(seed: int | None = None) -> Question:
    """(1 + p)² − 1."""
    percent = pick(50, (10, 20, 25, 30, 40, 60, 70, 75, 80, 90, 120, 150), seed, "percent")
    n = pick(1000, (400, 600, 2000, 3000), seed, "n")
    longer = n + n * percent // 100
    growth = Fraction(longer**2 - n**2, n**2)

    def solution() -> Trace:
        before, after = quantity("n", "n", "Before", n), quantity("n_longer", "n'", "After", longer)
        first = computed("product", "scores", "S", "Scores before", before, before)
        second = computed("product", "scores_longer", "S'", "Scores after", after, after)
        more = computed("difference", "more", "M", "Scores that are new", second, first)
        share = computed("quotient", "growth", "g", "Their share of those before", more, first)
        return worked(before, after, first, second, more, share)

    return Question(
        id="scores-growth",
        title="A text that grows",
        chapter=COST,
        difficulty=2,
        prompt=f"A text grows by {percent} % from {n:,} tokens to {longer:,}. By how many percent "
        "does the number of scores in a head grow? Give it with the percent sign.",
        hints=(
            "How many scores are there before, and how many after?",
            "Take the scores that are new over the scores that there were; a growth is less by 1 "
            "than the factor.",
        ),
        task=number_task(
            Absolute(Fraction(1, 200)),
            growth,
            lambda: {
                "linear_in_n": Fraction(percent, 100),
                "growth_doubled": Fraction(2 * percent, 100),
                "factor_for_growth": growth + 1,
                "percent_sign_missing": 100 * growth,
            },
        ),
        explanation=rf"${grouped(longer)}^2$ over ${grouped(n)}^2$ is "
        f"{float(growth + 1):g}, so {float(100 * growth):g} % are new.",
        solution=solution,
    )


def cache_bytes(seed: int | None = None) -> Question:
    """Keys and values, each d numbers a layer, 2 bytes each."""
    n_layers = pick(96, (12, 24, 32, 36, 40, 48), seed, "n_layers")
    n_heads = pick(96, (10, 14, 16, 20, 25, 28), seed, "n_heads")
    d_head = pick(128, (32, 64, 80), seed, "d_head")
    size = pick(2, (4, 8), seed, "bytes")
    total = 2 * n_layers * n_heads * d_head * size

    def mistakes() -> dict[str, int]:
        sizes = {
            "d_model": n_heads * d_head, "n_heads": n_heads, "n_layers": n_layers,
            "bytes_per_value": size,
        }  # fmt: skip
        one_layer = counting.counted(**{**sizes, "n_layers": 1})["kv_cache"]
        one_head = counting.counted(**{**sizes, "n_kv_heads": 1})["kv_cache"]
        found = {
            "keys_only": total // 2,
            "one_layer_only": one_layer["bytes_per_token"],
            "one_head_only": one_head["bytes_per_token"],
            "queries_kept": total // 2 * 3,
        }
        if size > 2:  # else it is the same as keys alone
            found["values_not_bytes"] = counting.counted(**sizes)["kv_cache"]["values_per_token"]
        return found

    def solution() -> Trace:
        two = quantity("kinds", "k", "Vectors that are kept: key and value", 2)
        width = quantity("d_head", "d", "Numbers of each", d_head)
        heads = quantity("n_heads", "h", "Heads of a layer", n_heads)
        layers = quantity("n_layers", "L", "Layers", n_layers)
        each = quantity("bytes", "b", "Bytes of a number", size)
        title = "Numbers that are kept"
        values = computed("product", "values", "N", title, two, width, heads, layers)
        whole = computed("product", "cache", "B", "Bytes", each, values)
        return worked(two, width, heads, layers, each, values, whole)

    return Question(
        id="cache-bytes",
        title="What a written token leaves behind",
        chapter=COST,
        difficulty=3,
        prompt="While it writes, GPT keeps the key and the value of every token in every head, so "
        f"that later tokens can look at it. There are {n_layers} layers of {n_heads} heads; keys "
        f"and values have {d_head} numbers each, and a number takes {size} bytes. How many bytes "
        "does one token take?",
        hints=(
            "What do later tokens need of an earlier one? Not its query.",
            "Two vectors for each head of each layer, times the bytes of a number.",
        ),
        task=number_task(Integer(), total, mistakes),
        explanation=rf"$2 \cdot {d_head}$ numbers for each of ${n_heads} \cdot {n_layers}$ heads, "
        f"{size} bytes each: ${grouped(total)}$ bytes for every token.",
        solution=solution,
    )


COUNTS: Bank = {
    "all-scores": all_scores,
    "scores-growth": scores_growth,
    "cache-bytes": cache_bytes,
}
