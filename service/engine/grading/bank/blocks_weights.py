"""Questions on the weights of MLPs and layers. Keys come from the sizes in the prompt, wrong
answers from the engine's count of another layer."""

from service.engine.grading.bank.heads_weights import D_MODEL, width
from service.engine.grading.marking.rules import Expression, Integer, Variable
from service.engine.grading.marking.task import Misconception, Task
from service.engine.grading.misconceptions.catalogue import known
from service.engine.grading.questions import counting
from service.engine.grading.questions.chapters import BLOCKS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.typeset import grouped
from service.engine.grading.questions.variants import pick
from service.engine.trace import Trace

D_FF = r"d_\mathrm{ff}"


def mlp_weights(seed: int | None = None) -> Question:
    """2 d_model d_ff weights and d_ff + d_model biases."""
    d_model = pick(12_288, (256, 384, 512, 640, 1024, 1280, 2048), seed, "d_model")
    times = pick(4, (3, 5, 6, 8), seed, "times")
    d_ff = times * d_model
    weights = 2 * d_model * d_ff

    def mistakes() -> dict[str, int]:
        gated = counting.mlp_weights(d_model=d_model, d_ff=d_ff, mlp="gated", biases=True)
        return {
            "biases_forgotten": counting.mlp_weights(d_model=d_model, d_ff=d_ff),
            "one_mlp_matrix": d_model * d_ff + d_ff,
            "mlp_not_widened": counting.mlp_weights(d_model=d_model, d_ff=d_model, biases=True),
            "third_matrix_counted": gated,
        }

    def solution() -> Trace:
        two, wide = quantity("matrices", "k", "Matrices: one up, one down", 2), width(d_model)
        inner = quantity("d_ff", D_FF, "Numbers between the two", d_ff)
        matrices = computed("product", "weights", "N_1", "Weights", two, wide, inner)
        biases = computed("sum", "biases", "N_2", "Biases", inner, wide)
        both = computed("sum", "parameters", "N", "Parameters", matrices, biases)
        return worked(two, wide, inner, matrices, biases, both)

    return Question(
        id="mlp-weights",
        title="How large is an MLP?",
        chapter=BLOCKS,
        difficulty=2,
        prompt=rf"The MLP of a layer brings an embedding of ${D_MODEL} = {grouped(d_model)}$ "
        rf"numbers up to ${D_FF} = {grouped(d_ff)}$ and down again. It has a matrix for each way, "
        "and each has a bias. How many parameters is that, weights and biases?",
        hints=(
            "Two matrices, and a bias as long as what each of them gives.",
            rf"The matrices have ${D_MODEL} \cdot {D_FF}$ weights each.",
        ),
        task=number_task(Integer(), weights + d_ff + d_model, mistakes),
        explanation=rf"$2 \cdot {grouped(d_model)} \cdot {grouped(d_ff)} = {grouped(weights)}$ "
        f"weights, and ${grouped(d_ff)} + {grouped(d_model)}$ biases: "
        f"${grouped(weights + d_ff + d_model)}$.",
        solution=solution,
    )


def decoder_layer_weights(seed: int | None = None) -> Question:
    """Two attentions, 4 d² each, and an MLP, 2 d d_ff."""
    n_heads = pick(8, (4, 6, 10, 12, 16), seed, "n_heads")
    d_head = pick(64, (16, 32, 48), seed, "d_head")
    times = pick(4, (3, 5, 6), seed, "times")
    d_model = n_heads * d_head
    d_ff = times * d_model
    attention, mlp = 4 * d_model**2, 2 * d_model * d_ff

    def mistakes() -> dict[str, int]:
        sizes = {"d_model": d_model, "d_ff": d_ff, "n_heads": n_heads}
        wide = counting.attention_weights(**sizes, d_head=d_model)
        encoder, decoder = counting.per_layer(**sizes, architecture="encoder_decoder")
        return {
            "cross_attention_forgotten": encoder["layer"]["weights"],
            "mlp_forgotten": decoder["attention"]["weights"],
            "heads_not_sharing": 2 * wide + mlp,
            "output_matrix_not_counted": 6 * d_model**2 + mlp,
        }

    def solution() -> Trace:
        wide = width(d_model)
        inner = quantity("d_ff", D_FF, "Numbers between the two matrices of the MLP", d_ff)
        attentions = quantity("attentions", "a", "Attentions: masked, and cross", 2)
        four = quantity("kinds", "k", "Matrices of an attention: Q, K, V and O", 4)
        two = quantity("matrices", "m", "Matrices of the MLP: up and down", 2)
        title = "Weights of the attentions"
        first = computed("product", "attention", "N_1", title, attentions, four, wide, wide)
        second = computed("product", "mlp", "N_2", "Weights of the MLP", two, wide, inner)
        whole = computed("sum", "layer", "N", "Weights of the layer", first, second)
        return worked(wide, inner, attentions, four, two, first, second, whole)

    return Question(
        id="decoder-layer-weights",
        title="One layer of the original decoder",
        chapter=BLOCKS,
        difficulty=3,
        prompt="A decoder layer, built as in the original transformer, has "
        f"${D_MODEL} = {d_model}$, {n_heads} heads of {d_head} numbers in each attention, and "
        f"${D_FF} = {grouped(d_ff)}$. How many weights do its matrices have? Leave out biases and "
        "norms.",
        hints=(
            "Which three sublayers has a decoder layer?",
            rf"An attention has four matrices of ${D_MODEL} \times {D_MODEL}$ with all its heads "
            "taken together. Count the attentions, then add the MLP.",
        ),
        task=number_task(Integer(), 2 * attention + mlp, mistakes),
        explanation=rf"Two attentions, $2 \cdot 4 \cdot {d_model}^2 = {grouped(2 * attention)}$, "
        rf"and the MLP, $2 \cdot {d_model} \cdot {grouped(d_ff)} = {grouped(mlp)}$: "
        f"${grouped(2 * attention + mlp)}$. The heads divide the width among themselves.",
        solution=solution,
    )


def layer_formula(seed: int | None = None) -> Question:
    """4 d² for attention and 2 r d² for an MLP r times as wide."""
    times = pick(4, (3, 5, 6, 7, 8), seed, "times")

    def misconceptions() -> tuple[Misconception, ...]:
        return (
            known("mlp_forgotten", "4*d^2"),
            known("attention_forgotten", f"{2 * times}*d^2"),
            known("linear_in_d", f"{4 + 2 * times}*d"),
            known("output_matrix_not_counted", f"{3 + 2 * times}*d^2"),
        )

    def solution() -> Trace:
        """With d = 1: the factor of d²."""
        four = quantity("attention", "a", "Attention: Q, K, V and O, in units of d²", 4)
        two = quantity("matrices", "m", "Matrices of the MLP", 2)
        wide = quantity("times", "r", "Each of them, in units of d²", times)
        mlp = computed("product", "mlp", "f", "The MLP, in units of d²", two, wide)
        whole = computed("sum", "layer", "N", "The layer, in units of d²", four, mlp)
        return worked(four, two, wide, mlp, whole)

    return Question(
        id="layer-formula",
        title="The weights of a layer as a formula",
        chapter=BLOCKS,
        difficulty=2,
        prompt="A layer of GPT has embeddings of $d$ numbers, attention whose heads together are "
        f"$d$ wide, and an MLP that is {times} times as wide in between. How many weights do its "
        "matrices have? Leave out biases and norms, and give a formula in $d$.",
        hints=(
            r"$W_Q$ of all heads together is a $d \times d$ matrix. What are the others?",
            rf"The two matrices of the MLP are $d \times {times}d$ each. Add attention to them.",
        ),
        task=Task(
            Expression((Variable("d", 1, 1000),)),
            f"{4 + 2 * times}*d^2",
            misconceptions=misconceptions,
        ),
        explanation=rf"Attention has $4 d^2$ and the MLP $2 \cdot {times} d^2$: "
        rf"${4 + 2 * times} d^2$ together.",
        solution=solution,
    )


OF_LAYERS: Bank = {
    "mlp-weights": mlp_weights,
    "decoder-layer-weights": decoder_layer_weights,
    "layer-formula": layer_formula,
}
