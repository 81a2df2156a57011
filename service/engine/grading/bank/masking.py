"""Questions on the causal mask: what it hides, and what is won by it."""

from fractions import Fraction

from service.engine.grading.bank.masking_tables import MASKED_TABLES
from service.engine.grading.marking.rules import Integer, ShortText
from service.engine.grading.marking.task import Misconception, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.questions.chapters import MASKING
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.typeset import grouped
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

_TEXTS = (
    "a fluffy blue creature roamed our forest",
    "she read his long letter twice yesterday",
    "every mole digs deep tunnels at night",
    "we drink green tea after lunch",
    "nobody knows when that old train leaves",
)


def visible_cells(seed: int | None = None) -> Question:
    """n (n + 1) / 2."""
    n = pick(6, range(4, 65), seed, "n")
    visible = n * (n + 1) // 2

    def solution() -> Trace:
        tokens = quantity("n", "n", "Tokens", n)
        one = quantity("one", "1", "The token itself", 1)
        two = quantity("two", "2", "A square is two such triangles", 2)
        longer = computed("sum", "longer", "m", "One more", tokens, one)
        whole = computed("product", "oblong", "N", "Two triangles together", tokens, longer)
        visible = computed("quotient", "visible", "V", "Visible cells", whole, two)
        return worked(tokens, one, two, longer, whole, visible)

    return Question(
        id="visible-cells",
        title="What the mask leaves",
        chapter=MASKING,
        difficulty=2,
        prompt=f"A head of GPT reads a text of {n} tokens. How many cells of its table of scores "
        "does the causal mask leave visible?",
        hints=(
            "How many keys may the first query see, how many the second, how many the last?",
            "Add up one, two, three and so on up to the number of tokens; the diagonal counts.",
        ),
        task=number_task(
            Integer(),
            visible,
            lambda: {
                "mask_forgotten": n * n,
                "mask_hides_itself": n * (n - 1) // 2,
                "half_of_the_table": Fraction(n * n, 2),
            },
        ),
        explanation=rf"$1 + 2 + \ldots + {n} = \frac{{{n} \cdot {n + 1}}}{{2}} = "
        f"{grouped(visible)}$.",
        solution=solution,
    )


def examples_in_one_pass(seed: int | None = None) -> Question:
    """Texts times tokens."""
    texts = pick(32, (4, 8, 12, 16, 24, 48, 64), seed, "texts")
    n = pick(2048, (100, 128, 200, 256, 400, 512, 1000, 1024), seed, "n")

    def solution() -> Trace:
        batch = quantity("texts", "b", "Texts", texts)
        tokens = quantity("n", "n", "Guesses in each: one at every position", n)
        return worked(
            batch, tokens, computed("product", "examples", "N", "Guesses in all", batch, tokens)
        )

    return Question(
        id="examples-in-one-pass",
        title="How much one pass teaches",
        chapter=MASKING,
        difficulty=1,
        prompt=f"In training, {texts} texts of {n:,} tokens each go through GPT at once; the token "
        "that follows the last one of each is known too. How many guesses of a next token does "
        "this one pass train?",
        hints=(
            "Which positions of a text have something to guess?",
            "Every position guesses its own next token, and none can see it. Count positions.",
        ),
        task=number_task(
            Integer(),
            texts * n,
            lambda: {
                "one_guess_a_text": texts,
                "one_text_only": n,
                "visible_cells_counted": texts * n * (n + 1) // 2,
                "texts_and_tokens_added": texts + n,
            },
        ),
        explanation="Each position is an example of its own: "
        rf"${texts} \cdot {grouped(n)} = {grouped(texts * n)}$.",
        solution=solution,
    )


def next_token(seed: int | None = None) -> Question:
    """The token after the one at a position."""
    words = pick("the cat sat on my mat", _TEXTS, seed, "text").split()
    place = pick(2, range(1, len(words) - 2), seed, "place")

    def misconceptions() -> tuple[Misconception, ...]:
        return (
            known("guesses_itself", words[place]),
            known("guesses_the_last", words[-1]),
            known("guesses_the_one_before", words[place - 1]),
        )

    def solution() -> Trace:
        own = quantity("place", "i", "The place of the word, counted from 1", place + 1)
        one = quantity("step", "1", "One further", 1)
        return worked(own, one, computed("sum", "guessed", "j", "The place to guess", own, one))

    return Question(
        id="next-token",
        title="What is to be guessed here?",
        chapter=MASKING,
        difficulty=1,
        prompt=f"GPT is trained on the text *{' '.join(words)}*, each word a token. Which word "
        f"does the position of *{words[place]}* have to guess, and so must not see?",
        hints=(
            "A language model continues texts.",
            "Each position sees itself and what is before it; it guesses its neighbour.",
        ),
        task=Task(ShortText(), words[place + 1], misconceptions=misconceptions),
        explanation=f"The position of *{words[place]}* guesses the next word, "
        f"*{words[place + 1]}*. If it could look there, it would copy instead of learning.",
        solution=solution,
    )


MASKING_QUESTIONS: Bank = {
    "visible-cells": visible_cells,
    "examples-in-one-pass": examples_in_one_pass,
    "next-token": next_token,
    **MASKED_TABLES,
}
