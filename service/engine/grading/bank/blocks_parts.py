"""Questions on the parts of a transformer: which there are, in which order, and what they do. What
is right is read off the engine's drawings."""

from service.engine.architecture.decoder_only import DECODER_ONLY
from service.engine.architecture.differences import ABSENT_BLOCKS
from service.engine.architecture.figure import FIGURE_1
from service.engine.grading.marking.rules import ShortText
from service.engine.grading.marking.task import Misconception, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.questions.chapters import BLOCKS
from service.engine.grading.questions.orders import in_order, order_task
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import decided, matrix, quantity, worked
from service.engine.grading.questions.tasks import Offer, choice_task
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

# By the block of Figure 1: the option, and what is wrong with it if GPT has that block too.
_PARTS: dict[str, tuple[str, ...]] = {
    "encoder_attention": ("The attention that sees the whole source, with no mask",),
    "cross_attention": ("The attention whose keys and values come from another text",),
    "encoder_feed_forward": ("The MLPs that digest the source",),
    "decoder_attention": (
        "The attention that sees only what has been written so far",
        "gpt_without_mask",
        "GPT writes word by word too, and must not see what it has to guess.",
    ),
    "decoder_feed_forward": (
        "The MLP that follows attention in each layer of the decoder",
        "gpt_without_mlp",
        "Most of the weights of GPT are in these.",
    ),
    "softmax": (
        "The softmax that makes probabilities of the next token",
        "gpt_without_output",
        "GPT guesses the next token too, and gives each a probability.",
    ),
}


def gpt_leaves_out(seed: int | None = None) -> Question:
    """Which blocks of Figure 1 are absent in GPT."""
    offers = {Offer(*said): block for block, said in _PARTS.items()}
    task = choice_task(offers, seed, "gpt-leaves-out", partial=True)

    def solution() -> Trace:
        by_text = {offer.text: block for offer, block in offers.items()}
        blocks = [by_text[option.text] for option in task.choices]
        rows = [[float(block in ABSENT_BLOCKS) for block in blocks]]
        absent = matrix("absent", "a", "1 where GPT lacks the part", rows, ("drawing", "option"))
        return decided(task, absent)

    return Question(
        id="gpt-leaves-out",
        title="What GPT leaves out",
        chapter=BLOCKS,
        difficulty=1,
        prompt="GPT is the decoder of the original transformer, with some parts gone. Which parts "
        "of the original does it do without? Choose all.",
        hints=(
            "How many texts does a translator have before it, and how many has GPT?",
            "Whatever has to do with a source text of its own is gone.",
        ),
        task=task,
        explanation="There is one text only, so there is no encoder, and no cross-attention that "
        "would look at it. Masked attention, MLP and the output stay.",
        solution=solution,
    )


_KINDS = {
    "gpt": ("a layer of GPT-2 or GPT-3", DECODER_ONLY, "decoder_layer"),
    "encoder": ("an encoder layer of the original transformer", FIGURE_1, "encoder_layer"),
    "decoder": ("a decoder layer of the original transformer", FIGURE_1, "decoder_layer"),
}
_CALLED = {
    "encoder_attention": "Attention of all tokens to all",
    "encoder_attention_norm": "Add and norm for what attention found",
    "encoder_feed_forward": "MLP for each token",
    "encoder_feed_forward_norm": "Add and norm for what the MLP made",
    "decoder_attention": "Masked attention to the text so far",
    "decoder_attention_norm": "Add and norm for what masked attention found",
    "cross_attention": "Attention to the source",
    "cross_attention_norm": "Add and norm for what was found in the source",
    "decoder_feed_forward": "MLP for each token",
    "decoder_feed_forward_norm": "Add and norm for what the MLP made",
}
_CALLED_IN_GPT = _CALLED | {
    "decoder_attention_norm": "Norm of what attention is to read",
    "decoder_attention_sum": "Sum of the vectors and what attention found",
    "decoder_feed_forward_norm": "Norm of what the MLP is to read",
    "decoder_feed_forward_sum": "Sum of the vectors and what the MLP made",
}


def layer_in_order(seed: int | None = None) -> Question:
    """The parts of one layer, in the order of the engine's drawing."""
    kind = pick("gpt", tuple(_KINDS), seed, "kind")
    title, drawing, group = _KINDS[kind]
    called = _CALLED_IN_GPT if kind == "gpt" else _CALLED
    parts = [called[block.id] for block in drawing.members(group)]

    def mistakes() -> dict[str, list[str]]:
        half = len(parts) // 2
        if kind == "gpt":
            first, second = parts[:half], parts[half:]
            return {
                "norms_last": [*first[1:], first[0], *second[1:], second[0]],
                "mlp_first": [*second, *first],
            }
        swapped = {
            "norms_first": [
                part for i in range(0, len(parts), 2) for part in parts[i : i + 2][::-1]
            ],
            "mlp_first": [*parts[-2:], *parts[:-2]],
        }
        if kind == "decoder":
            swapped["source_first"] = [*parts[2:4], *parts[:2], *parts[4:]]
        return swapped

    task = order_task(parts, seed, "layer-in-order", mistakes)
    return Question(
        id="layer-in-order",
        title="A layer from bottom to top",
        chapter=BLOCKS,
        difficulty=2,
        prompt=f"Put the parts of {title} in the order in which vectors pass them.",
        hints=(
            "Tokens exchange something first; then each digests it by itself.",
            "GPT norms what a sublayer is to read."
            if kind == "gpt"
            else "In the original, add and norm follow each sublayer.",
        ),
        task=task,
        explanation=f"From the bottom to the top: {'; '.join(map(_lower, parts))}.",
        solution=lambda: in_order(task),
    )


def _lower(part: str) -> str:
    return part if part.startswith("MLP") else part[0].lower() + part[1:]


def part_by_itself(_seed: int | None = None) -> Question:
    """The MLP, by what it does."""
    accepted = (
        "mlp", "mlps", "the mlp", "feed forward network", "the feed forward network", "ffn",
        "feed forward layer", "position-wise feed forward network", "feedforward",
        "multi-layer perceptron", "multilayer perceptron", "feed forward block",
        "feed forward sublayer", "feedforward network", "perceptron", "mlp layer", "mlp block",
    )  # fmt: skip

    def misconceptions() -> tuple[Misconception, ...]:
        return (
            known("attention_by_itself", "attention"),
            known("norm_has_few_weights", "layer norm"),
            known("embedding_outside_layers", "embedding"),
        )

    def solution() -> Trace:
        shares = (
            quantity("attention", "a", "Weights of attention in a layer, in units of d²", 4),
            quantity("mlp", "f", "Weights of this part, in units of d²", 8),
        )
        return worked(*shares)

    return Question(
        id="part-by-itself",
        title="Each token by itself",
        chapter=BLOCKS,
        difficulty=1,
        prompt="One part of a layer takes the vector of each token by itself, widens it, bends it "
        "and brings it back; in GPT-3 two thirds of a layer's weights are in it. What is it "
        "called?",
        hints=(
            "Tokens do not meet here, so it is not the part that this lecture is named after.",
            "Two matrices with a ReLU or GELU in between; in Figure 1 it is a box with two words.",
        ),
        task=Task(ShortText(accepted), "feed forward", misconceptions=misconceptions),
        explanation="It is the feed-forward network, or MLP: the same two matrices for every "
        "token, and none of them sees another.",
        solution=solution,
    )


PARTS: Bank = {
    "gpt-leaves-out": gpt_leaves_out,
    "layer-in-order": layer_in_order,
    "part-by-itself": part_by_itself,
}
