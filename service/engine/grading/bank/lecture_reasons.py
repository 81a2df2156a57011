"""The questions of the lecture that ask for a reason."""

from service.engine.grading.questions.chapters import MASKING, SCALING
from service.engine.grading.questions.question import Question
from service.engine.grading.questions.solutions import computed, decided, quantity
from service.engine.grading.questions.tasks import Offer, choice_task
from service.engine.trace import Trace

_WHY_SCALE = (
    Offer(
        "It gives every query and key unit length, so scores become cosines.",
        "scores_as_cosines",
        "The divisor is the same for every pair; cosines would need each vector's own length.",
    ),
    Offer(
        "It makes the weights of each row sum to 1.",
        "scaling_as_normalisation",
        "Softmax makes any row sum to 1, whatever was done to its scores before.",
    ),
    Offer(
        r"It holds the variance of the scores near 1 whatever $d_k$ is, so softmax stays out of "
        "saturation and its gradients stay useful."
    ),
    Offer(
        "It cuts the number of multiplications that the scores take.",
        "scaling_saves_work",
        "It costs one division more for each score, and saves none.",
    ),
)

_WHY_MASK = (
    Offer(
        "Memory: the blocked half of the scores need not be stored.",
        "mask_saves_memory",
        "The table is as large as before; its blocked cells are filled, not left out.",
    ),
    Offer(
        "Every position of a text can learn to predict its next token in the same pass, for none "
        "can look at the token that it has to predict."
    ),
    Offer(
        "Padding at the end of short texts is left out of the average.",
        "causal_mask_as_padding_mask",
        "Padding has a mask of its own, which hides the same keys from every query.",
    ),
    Offer(
        "Word order: without the mask there would be no need for positions.",
        "mask_as_positions",
        "The mask says which keys may be seen; positions are added to the embeddings.",
    ),
)


def why_scale(seed: int | None = None) -> Question:
    """The reason for √d_k."""
    task = choice_task(_WHY_SCALE, seed, "why-scale")

    def solution() -> Trace:
        d_k = quantity("d_k", "d_k", "Entries of a query and of a key", 64)
        one = quantity("product", r"\sigma^2_1", "Variance of the product of two entries", 1)
        raw = computed("product", "variance", r"\sigma^2", "Variance of their sum", d_k, one)
        root = computed("root", "root", "r", "The divisor", d_k)
        square = computed("product", "square", "r^2", "What variance is divided by", root, root)
        scaled = computed(
            "quotient", "variance_scaled", r"\tilde\sigma^2", "Variance after scaling", raw, square
        )
        return decided(task, d_k, one, raw, root, square, scaled)

    return Question(
        id="why-scale",
        title="What the root of $d_k$ is for",
        chapter=SCALING,
        difficulty=2,
        prompt=r"Attention divides each score by $\sqrt{d_k}$ before softmax. What does that "
        "achieve?",
        hints=(
            "Think of the sum that a score is, and of how large it gets when more terms are added.",
            "What does softmax do with scores that lie far apart, and what is left to learn from?",
        ),
        task=task,
        explanation="A dot product of $d_k$ independent entries of variance 1 has variance $d_k$. "
        r"Dividing by $\sqrt{d_k}$ brings that back to 1; without it, wide heads would put nearly "
        "all weight on one key, where softmax hardly reacts to a change.",
        solution=solution,
    )


def why_mask(seed: int | None = None) -> Question:
    """The reason for the causal mask."""
    task = choice_task(_WHY_MASK, seed, "why-mask")

    def solution() -> Trace:
        n = quantity("n", "n", "Tokens of a text", 6)
        one = quantity("each", "g", "Guesses of a position that sees no later token", 1)
        return decided(
            task, n, one, computed("product", "examples", "N", "Examples in one pass", n, one)
        )

    return Question(
        id="why-mask",
        title="What the causal mask is for",
        chapter=MASKING,
        difficulty=2,
        prompt="GPT blocks every key that comes after the query. What does it gain in training?",
        hints=(
            "What does each position of a text have to guess?",
            "If a position could look ahead, where would it find the answer?",
        ),
        task=task,
        explanation="With the mask, a text of $n$ tokens is $n$ exercises at once: each position "
        "sees itself and what is before it. Without it, the token to be predicted would be in "
        "plain sight.",
        solution=solution,
    )
