"""Questions on how far apart words are for three kinds of layers."""

import numpy as np

from service.engine.complexity import apart, complexity
from service.engine.grading.marking.rules import Integer
from service.engine.grading.questions.chapters import COST
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import (
    computed,
    decided,
    quantity,
    step,
    vector,
    worked,
)
from service.engine.grading.questions.tasks import Offer, choice_task, number_task
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace


def steps_apart(seed: int | None = None) -> Question:
    """An RNN takes a step from each word to the next."""
    first = pick(1, range(2, 30), seed, "first")
    between = pick(99, range(20, 150), seed, "between")
    last = first + between

    def solution() -> Trace:
        b = quantity("to_word", "b", "The later word", last)
        a = quantity("from_word", "a", "The earlier word", first)
        return worked(b, a, computed("difference", "steps", "s", "Steps from word to word", b, a))

    return Question(
        id="steps-apart",
        title="A long way in an RNN",
        chapter=COST,
        difficulty=1,
        prompt="A recurrent network hands its state on from each word to the next. How many such "
        f"steps does what it knows of word {first} take to reach word {last}?",
        hints=(
            "How many steps is it to the very next word?",
            "Count the gaps between the words, not the words.",
        ),
        task=number_task(
            Integer(),
            between,
            lambda: {
                "ends_counted": between + 1,
                "attention_for_rnn": apart(first, last, 3)["self_attention"],
                "convolution_for_rnn": apart(first, last, 3)["convolutional"],
            },
        ),
        explanation=f"One step for each gap: ${last} - {first} = {between}$. In self-attention it "
        "is a single step, whatever the distance.",
        solution=solution,
    )


def layers_to_meet(seed: int | None = None) -> Question:
    """The least m with kᵐ ≥ n."""
    k = pick(3, (2, 4, 5), seed, "k")
    n = pick(100, range(20, 600, 7), seed, "n")
    m = 1
    while k**m < n:
        m += 1

    def mistakes() -> dict[str, float]:
        found = {layer["name"]: layer["path"] for layer in complexity(n, 1, k)["layers"]}
        return {
            "one_layer_too_few": m - 1,
            "contiguous_kernels": found["convolutional_contiguous"]["layers"],
            "rnn_for_convolution": found["recurrent"]["value"],
            "attention_for_convolution": found["self_attention"]["value"],
        }

    def solution() -> Trace:
        words, width = quantity("n", "n", "Words", n), quantity("k", "k", "Width of a kernel", k)
        joined = [width]
        for layer in range(2, m + 1):
            title = f"Words that {layer} layers join"
            joined.append(
                computed("product", f"joined_{layer}", f"J_{layer}", title, joined[-1], width)
            )
        each = vector("each", "e", "1 for each layer", [1] * m, "layer")
        value = np.array([[float(m)]])
        last = step("sum", "layers", "m", "Layers until all are joined", r"\sum_i e_i", value, each)
        return worked(words, *joined, each, last)

    return Question(
        id="layers-to-meet",
        title="Convolutions that reach the whole text",
        chapter=COST,
        difficulty=3,
        prompt=f"In a stack of dilated convolutions of width {k} each layer reaches {k} times as "
        f"far as the one below. How many layers does it take until all of {n} words can meet?",
        hints=(
            "How many words meet after the first layer, and how many after the second?",
            "Multiply the width by itself until it is no less than the number of words, and count "
            "the factors.",
        ),
        task=number_task(Integer(), m, mistakes),
        explanation=f"${k}^{{{m - 1}}} = {k ** (m - 1)}$ is too little for {n} words, "
        f"${k}^{{{m}}} = {k**m}$ is enough.",
        solution=solution,
    )


_LAYERS = (
    Offer("Self-attention"),
    Offer(
        "A recurrent layer",
        "path_through_all_words",
        "A recurrent layer hands on from word to word, so the way is as long as the text.",
    ),
    Offer(
        "A stack of dilated convolutions",
        "path_through_levels",
        "Convolutions join a few words at a time; far words meet only some layers up.",
    ),
    Offer(
        "All alike: a layer is a layer",
        "paths_alike",
        "What differs is how many steps lie between two words that have to do with each other.",
    ),
)


def shortest_path(seed: int | None = None) -> Question:
    """Self-attention: one step between any two words."""
    task = choice_task(_LAYERS, seed, "shortest-path")
    n = 100

    def solution() -> Trace:
        paths = {layer["name"]: layer["path"] for layer in complexity(n, 1)["layers"]}
        steps = (
            paths["self_attention"]["value"],
            paths["recurrent"]["value"],
            paths["convolutional"]["layers"],
        )
        title = f"Longest ways between {n} words: self-attention, recurrent, convolutions"
        return decided(task, vector("paths", "p", title, steps, "layer"))

    return Question(
        id="shortest-path",
        title="The shortest way between two words",
        chapter=COST,
        difficulty=1,
        prompt="A verb stands at the end of a long sentence, its subject at the beginning. In "
        "which kind of layer is the way from one to the other shortest?",
        hints=(
            "Through how many steps does what is known of the subject have to pass?",
            "In one of them every word can look at every other at once.",
        ),
        task=task,
        explanation="A query meets every key in one step, so the distance does not matter. A "
        "recurrent layer takes a step for each word, a stack of convolutions a layer for each "
        "power of its width.",
        solution=solution,
    )


PATHS: Bank = {
    "steps-apart": steps_apart,
    "layers-to-meet": layers_to_meet,
    "shortest-path": shortest_path,
}
