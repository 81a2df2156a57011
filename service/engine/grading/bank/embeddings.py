"""Questions on embeddings: a table with one row for each token."""

import numpy as np

from service.engine.block.frame_rules import EMBEDDING, TOKEN_IDS, looked_up
from service.engine.grading.marking.rules import Cells, Integer
from service.engine.grading.questions.chapters import EMBEDDINGS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, decided, quantity, worked
from service.engine.grading.questions.tasks import Offer, choice_task, matrix_task, number_task
from service.engine.grading.questions.typeset import grouped, matrix, row
from service.engine.grading.questions.variants import pick
from service.engine.trace import Step, Trace

_SAME_TOKEN = (
    Offer("All three vectors are the same."),
    Offer(
        "Each is different, for the words around it are different.",
        "context_in_the_table",
        "The table knows the token alone; it is attention that brings the context in.",
    ),
    Offer(
        "They point the same way and differ in length.",
        "context_as_length",
        "Looking a row up changes nothing about it, its length included.",
    ),
    Offer(
        "Each meaning of the word has a row of its own, and the right one is looked up.",
        "row_for_each_meaning",
        "A row belongs to a token as it is spelt; meanings are told apart later.",
    ),
)


def same_token(seed: int | None = None) -> Question:
    """One row a token, whatever the context."""
    task = choice_task(_SAME_TOKEN, seed, "same-token")
    word, meanings = pick(
        ("mole", "an animal, a unit of amount, a spot on the skin"),
        (
            ("bank", "a river's edge, a house for money, a row of switches"),
            ("spring", "a season, a source of water, a coil of wire"),
            ("crane", "a bird, a machine that lifts, a movement of the neck"),
            ("scale", "a fish's skin, a row of notes, a device that weighs"),
        ),
        seed,
        "word",
    )

    def solution() -> Trace:
        first = quantity("first", "t_1", "The token's row in the first text", 17)
        second = quantity("second", "t_2", "The token's row in the second text", 17)
        apart = computed("difference", "apart", "d", "How far apart the rows are", first, second)
        return decided(task, first, second, apart)

    return Question(
        id="same-token",
        title="One word, three meanings",
        chapter=EMBEDDINGS,
        difficulty=1,
        prompt=f"The token *{word}* stands in three texts, where it means different things: "
        f"{meanings}. Compare the three vectors that it gets from the embedding table, before any "
        "position is added and before the first attention.",
        hints=(
            "What does one need to know of a token to find its row in the table?",
            "The table is read without a look at the neighbours.",
        ),
        task=task,
        explanation="An embedding table has one row for each token, and looking it up takes "
        "nothing but the token's number. What the context adds, it adds later, by attention.",
        solution=solution,
    )


def embedding_numbers(seed: int | None = None) -> Question:
    """n · d_model."""
    d_model = pick(12_288, (512, 768, 1024, 1280, 1600, 2048, 4096, 5120), seed, "d_model")
    n = pick(2048, (6, 10, 32, 100, 128, 256, 400, 512, 1000, 1024), seed, "n")
    model = "a model whose embeddings have" if seed else "GPT-3, whose embeddings have"

    def solution() -> Trace:
        tokens = quantity("n", "n", "Tokens", n)
        width = quantity("d_model", r"d_\text{model}", "Numbers of one embedding", d_model)
        return worked(
            tokens, width, computed("product", "numbers", "N", "Numbers in all", tokens, width)
        )

    return Question(
        id="embedding-numbers",
        title="A text in numbers",
        chapter=EMBEDDINGS,
        difficulty=1,
        prompt=f"A text of {n:,} tokens goes into {model} {d_model:,} numbers each. How many "
        "numbers does the first attention layer get?",
        hints=(
            "What does the input look like as a table, and what is one of its rows?",
            "The table has a row for each token and as many columns as an embedding has numbers.",
        ),
        task=number_task(
            Integer(),
            n * d_model,
            lambda: {
                "tokens_and_numbers_added": n + d_model,
                "one_token_only": d_model,
                "scores_counted": n * n,
            },
        ),
        explanation="One row for each token: "
        rf"${grouped(n)} \cdot {grouped(d_model)} = {grouped(n * d_model)}$.",
        solution=solution,
    )


def embedding_lookup(seed: int | None = None) -> Question:
    """The rows of a small table by the tokens' numbers."""
    table = [
        [pick(own, range(-9, 10), seed, "table", i, j) for j, own in enumerate(numbers)]
        for i, numbers in enumerate(((1, 0, 2), (-1, 3, 0), (4, 1, -2), (0, 5, 1)))
    ]
    ids = pick((2, 0, 2), ((1, 2, 1), (2, 1, 2), (0, 2, 0), (2, 0, 0), (1, 1, 0)), seed, "ids")
    rows = [table[id] for id in ids]

    def solution() -> Trace:
        return worked(
            Step(TOKEN_IDS, np.array([[float(id)] for id in ids])),
            Step(EMBEDDING, np.array(table, np.float64)),
            Step(looked_up("X", "X"), np.array(rows, np.float64)),
        )

    return Question(
        id="embedding-lookup",
        title="From tokens to vectors",
        chapter=EMBEDDINGS,
        difficulty=1,
        prompt="A tiny model knows four tokens, numbered from 0 to 3. Its embedding table, one row "
        f"for each of them in this order, is $E = {matrix(table)}$. A text has the tokens "
        f"${row(ids)}$. Give its embeddings $X$, one row for each token of the text.",
        hints=(
            "How many rows has the table of a text, and how many its vocabulary?",
            "The numbers of the tokens say which rows of $E$ to copy, counted from 0.",
        ),
        task=matrix_task(
            Cells(Integer()),
            rows,
            lambda: {
                "rows_counted_from_one": [table[id - 1] for id in ids],
                "rows_of_the_vocabulary": table[:3],
                "repeated_token_counted": [[rows.count(one) * x for x in one] for one in rows],
            },
        ),
        explanation=f"Row by row, copy what the table holds for the token: $X = {matrix(rows)}$. "
        "A token that occurs twice gets the same row twice.",
        solution=solution,
    )


EMBEDDING_QUESTIONS: Bank = {
    "same-token": same_token,
    "embedding-numbers": embedding_numbers,
    "embedding-lookup": embedding_lookup,
}
