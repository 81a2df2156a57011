"""Questions on what meets in cross-attention: where the parts come from, which shape that has, what
is hidden."""

from service.engine.grading.marking.rules import Cells, Integer
from service.engine.grading.questions.chapters import CROSS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, decided, matrix, quantity, worked
from service.engine.grading.questions.tasks import Offer, choice_task, matrix_task, number_task
from service.engine.grading.questions.variants import pick
from service.engine.grading.questions.vectors import collected
from service.engine.sight import band
from service.engine.trace import Trace

_SOURCES = (
    Offer("Queries from the translation so far; keys and values from the source"),
    Offer(
        "Queries from the source; keys and values from the translation so far",
        "cross_turned_round",
        "Who asks is who is being written: the translation looks up what it needs in the source.",
    ),
    Offer(
        "Queries and keys from the translation so far; values from the source",
        "keys_apart_from_values",
        "A weight belongs to a key and picks its value, so both come from the same tokens.",
    ),
    Offer(
        "Queries, keys and values from both texts, one after the other",
        "texts_joined",
        "GPT reads source and answer as one text; cross-attention keeps two texts apart.",
    ),
)


def cross_sources(seed: int | None = None) -> Question:
    """Where queries, keys and values come from."""
    task = choice_task(_SOURCES, seed, "cross-sources")

    def solution() -> Trace:
        rows = [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
        title = "Queries, keys, values: from the translation, from the source"
        return decided(task, matrix("from", "F", title, rows, ("part", "text")))

    return Question(
        id="cross-sources",
        title="Who asks, and who is asked",
        chapter=CROSS,
        difficulty=1,
        prompt="A decoder translates. Where do the queries, keys and values of its "
        "cross-attention come from?",
        hints=(
            "Which of the two texts needs something from the other?",
            "The one that is being written asks. What is known already answers.",
        ),
        task=task,
        explanation="Each token of the translation asks with a query of its own; the encoder's "
        "vectors of the source give the keys to compare it with and the values to take along.",
        solution=solution,
    )


def cross_shape(seed: int | None = None) -> Question:
    """n_q × n_k: a row for each target token, a column for each source token."""
    n_target = pick(5, (3, 4, 6, 8, 9), seed, "n_target")
    n_source = pick(7, (10, 11, 12, 14, 15), seed, "n_source")
    d_model = pick(512, (64, 128, 256, 768), seed, "d_model")

    def solution() -> Trace:
        rows = quantity("n_q", "n_q", "Queries: tokens of the translation", n_target)
        columns = quantity("n_k", "n_k", "Keys: tokens of the source", n_source)
        title = "Rows and columns of the weights"
        return worked(rows, columns, collected("shape", "s", title, "side", rows, columns))

    return Question(
        id="cross-shape",
        title="The shape of the weights in cross-attention",
        chapter=CROSS,
        difficulty=1,
        prompt=f"The source has {n_source} tokens and the translation so far {n_target}; "
        f"embeddings have {d_model} numbers. How many rows and how many columns has the "
        "table of weights of one cross-attention head? Give (rows, columns), with a query in "
        "each row.",
        hints=(
            "What does one row of weights belong to, and what one column?",
            "Queries come from the translation, keys from the source. The width of the embeddings "
            "is used up in the dot product.",
        ),
        task=matrix_task(
            Cells(Integer()),
            [[n_target, n_source]],
            lambda: {
                "keys_as_queries": [[n_source, n_target]],
                "self_attention_shape": [[n_target, n_target]],
                "source_with_itself": [[n_source, n_source]],
                "width_not_used_up": [[n_target, d_model]],
            },
        ),
        explanation=f"{n_target} tokens of the translation ask, {n_source} tokens of the source "
        f"are looked at: ${n_target} \\times {n_source}$.",
        solution=solution,
    )


def decoder_hidden(seed: int | None = None) -> Question:
    """n(n − 1)/2 in the masked self-attention, none in the cross-attention."""
    n_target = pick(6, (5, 7, 8, 9, 10, 12), seed, "n_target")
    n_source = pick(9, (11, 13, 14, 15, 16), seed, "n_source")
    hidden = n_target * (n_target - 1) // 2

    def solution() -> Trace:
        n = quantity("n_target", "n", "Tokens of the translation", n_target)
        one, two = quantity("one", "e", "One", 1), quantity("two", "z", "Two", 2)
        none = quantity("cross", "h_2", "Hidden in cross-attention", 0)
        less = computed("difference", "others", "m", "Other tokens than a token itself", n, one)
        pairs = computed("product", "pairs", "p", "Pairs of two tokens, both ways", n, less)
        half = computed("quotient", "masked", "h_1", "Hidden in masked attention", pairs, two)
        both = computed("sum", "hidden", "h", "Hidden in both", half, none)
        return worked(n, one, two, none, less, pairs, half, both)

    return Question(
        id="decoder-hidden",
        title="What a decoder layer hides",
        chapter=CROSS,
        difficulty=3,
        prompt=f"A decoder reads a source of {n_source} tokens and has written {n_target} tokens "
        "so far. One head of its masked self-attention and one head of its cross-attention each "
        "make a table of scores. How many cells are blocked in the two tables together?",
        hints=(
            "Which of the two texts must not be seen to its end?",
            "In a square table count the cells above the diagonal; the table over the source has "
            "nothing to hide.",
        ),
        task=number_task(
            Integer(),
            hidden,
            lambda: {
                "cross_attention_masked": hidden
                + int(band(True, None, 0, n_source, 0, n_target)[1].sum()),
                "mask_hides_itself": hidden + n_target,
                "half_the_square": n_target**2 / 2,
                "pairs_counted_twice": 2 * hidden,
            },
        ),
        explanation="The source is known from end to end, so nothing of it is blocked. Of the "
        f"${n_target} \\times {n_target}$ scores of the self-attention those above the diagonal "
        rf"are: $\frac{{{n_target} \cdot {n_target - 1}}}{{2}} = {hidden}$.",
        solution=solution,
    )


SHAPES: Bank = {
    "cross-sources": cross_sources,
    "cross-shape": cross_shape,
    "decoder-hidden": decoder_hidden,
}
