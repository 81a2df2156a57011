"""Questions on why positions are told, and on ALiBi, which tells them as distances."""

from fractions import Fraction

import numpy as np

from service.engine.blocks import whole
from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.questions.chapters import POSITIONS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import decided, matrix
from service.engine.grading.questions.tasks import Offer, Rows, choice_task, matrix_task
from service.engine.grading.questions.typeset import row
from service.engine.grading.questions.variants import pick
from service.engine.one_head import attention
from service.engine.positions.alibi import slopes
from service.engine.positions.encode import alibi
from service.engine.trace import Trace, find

_TO_THREE_DECIMALS = Fraction(1, 2000)

_WHY = (
    Offer(
        "Without them, attention gives a token the same update whatever the order of the others."
    ),
    Offer(
        "Softmax needs numbers of a certain size, which positions provide.",
        "positions_for_softmax",
        "Softmax takes any scores; what keeps them of a fair size is the division by √d_k.",
    ),
    Offer(
        "They mark the end of the context, beyond which nothing may be seen.",
        "positions_as_mask",
        "What may be seen is for the mask to say; positions say where a token stands.",
    ),
    Offer(
        "They tell tokens apart that have different embeddings.",
        "positions_for_meanings",
        "Different tokens differ by their embeddings already; positions tell equal ones apart.",
    ),
)


def why_positions(seed: int | None = None) -> Question:
    """Attention without a mask does not change if other tokens change places."""
    task = choice_task(_WHY, seed, "why-positions")

    def solution() -> Trace:
        """The last token looks at the others in one order, then in the other."""
        X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        one, other = (
            whole(find(attention(Q=x, K=x, V=x).steps, "head").value)[2:] for x in (X, X[[1, 0, 2]])
        )
        rows = np.concatenate([one, other])
        title = "What the last token finds, with the others in either order"
        return decided(task, matrix("heads", "H", title, rows, ("order", "d_v")))

    return Question(
        id="why-positions",
        title="Why positions are told",
        chapter=POSITIONS,
        difficulty=1,
        prompt="Encoders without a mask add something to the embeddings, or turn queries and keys, "
        "so that each token says where it stands. Why is that needed?",
        hints=(
            "Does a dot product of a query and a key know how far apart the two stand?",
            "Shuffle the tokens of a text. Which scores of a token change, and does its weighted "
            "sum?",
        ),
        task=task,
        explanation="A score depends on the two vectors alone, and a sum does not depend on the "
        "order of its terms. So *dog bites man* and *man bites dog* would be the same to "
        "attention.",
        solution=solution,
    )


def alibi_row(seed: int | None = None) -> Question:
    """−m (i − j) for the keys up to the query."""
    n_heads = pick(8, (4, 8), seed, "n_heads")
    head = pick(1, (2, 3, 4, 5) if n_heads == 8 else (1, 2, 3), seed, "head")
    place = pick(4, (3, 5, 6, 7), seed, "place")
    slope = Fraction(1, 2 ** (8 * head // n_heads))
    biases = [slope * (key - place) for key in range(place + 1)]

    def mistakes() -> dict[str, Rows]:
        next_slope = float(slopes(n_heads)[head, 0])
        return {
            "sign_lost": [[-bias for bias in biases]],
            "distance_from_start": [biases[::-1]],
            "slope_forgotten": [[bias / slope for bias in biases]],
            "next_to_itself": [[bias - slope for bias in biases]],
            "slope_of_next_head": [[float(bias / slope) * next_slope for bias in biases]],
        }

    def solution() -> Trace:
        """One query, which stands at the end of its keys."""
        trace = alibi(n_heads, 1, place + 1, offset=place)
        names = ("slopes", f"alibi_{head}")
        return trace._replace(steps=[find(trace.steps, name) for name in names])

    power = -8 * head // n_heads
    return Question(
        id="alibi-row",
        title="Scores that fall off with the distance",
        chapter=POSITIONS,
        difficulty=2,
        prompt="ALiBi tells positions by lowering each score, the further away its key the more. "
        f"Head {head} of {n_heads}, counted from 1, has the slope $2^{{{power}}}$. Which row of "
        f"biases does it add to the scores of the query at position {place} with the keys at "
        f"positions 0 to {place}? Give three decimals or more where it takes them.",
        hints=(
            "What is added for the key at the query's own position, and what for its neighbour?",
            "Take the distance to each key, times the slope, with a minus sign.",
        ),
        task=matrix_task(Cells(Absolute(_TO_THREE_DECIMALS)), [biases], mistakes),
        explanation=f"The slope is {float(slope):g}, and the distances are {place} down to 0: "
        f"${row([float(bias) for bias in biases])}$.",
        solution=solution,
    )


TOLD: Bank = {"why-positions": why_positions, "alibi-row": alibi_row}
