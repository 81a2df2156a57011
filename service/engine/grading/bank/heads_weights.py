"""Questions on the weights of heads. Keys come from the sizes in the prompt, wrong answers from the
engine's count of another model."""

from service.engine.grading.marking.rules import Integer
from service.engine.grading.questions import counting
from service.engine.grading.questions.chapters import HEADS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed, quantity, worked
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.typeset import grouped
from service.engine.grading.questions.variants import pick
from service.engine.trace import Step, Trace

D_MODEL = r"d_\mathrm{model}"


def width(d_model: int) -> Step:
    """d_model, as given in a prompt."""
    return quantity("d_model", D_MODEL, "Numbers of an embedding", d_model)


def matrix_weights(seed: int | None = None) -> Question:
    """d_k · d_model."""
    d_k = pick(128, (32, 48, 64, 80, 96, 160, 192, 256), seed, "d_k")
    d_model = pick(12_288, (512, 768, 1280, 1536, 2560, 4096, 5120), seed, "d_model")
    weights = d_k * d_model

    def mistakes() -> dict[str, int]:
        biases = counting.one_of("b_Q", d_model=d_model, d_head=d_k, biases=True)
        return {
            "sides_added": d_k + d_model,
            "full_width_head": counting.one_of("W_Q", d_model=d_model, d_head=d_model),
            "biases_counted": weights + biases,
        }

    def solution() -> Trace:
        rows = quantity("d_k", "d_k", "Rows: numbers of a query", d_k)
        columns = width(d_model)
        title = "A weight for each row and column"
        return worked(rows, columns, computed("product", "weights", "N", title, rows, columns))

    return Question(
        id="matrix-weights",
        title="The weights of one $W_Q$",
        chapter=HEADS,
        difficulty=1,
        prompt=f"Embeddings have ${D_MODEL} = {grouped(d_model)}$ numbers, and the queries of one "
        f"head have $d_k = {d_k}$. How many weights does the $W_Q$ of this head have? It has no "
        "bias.",
        hints=(
            "What goes into $W_Q$, and what comes out? These are its two sides.",
            rf"It is a $d_k \times {D_MODEL}$ matrix. Count its cells.",
        ),
        task=number_task(Integer(), weights, mistakes),
        explanation="$W_Q$ turns an embedding into a query, so it has a row for each number of the "
        rf"query and a column for each of the embedding: ${d_k} \cdot {grouped(d_model)} = "
        f"{grouped(weights)}$.",
        solution=solution,
    )


def attention_weights(seed: int | None = None) -> Question:
    """4 d_head d_model a head, times heads, times layers."""
    n_layers = pick(96, (10, 12, 20, 24, 32, 40), seed, "n_layers")
    n_heads = pick(96, (8, 14, 16, 25, 36), seed, "n_heads")
    d_head = pick(128, (32, 64, 80), seed, "d_head")
    d_model = n_heads * d_head
    head = 4 * d_head * d_model
    weights = head * n_heads * n_layers

    def mistakes() -> dict[str, int]:
        sizes = {"d_model": d_model, "d_head": d_head}
        all_of_them = {**sizes, "n_heads": n_heads, "n_layers": n_layers}
        one_head = counting.attention_weights(**sizes)
        square = counting.one_of("W_V", d_model=d_model, d_head=d_model)
        return {
            "one_head_only": one_head,
            "one_layer_only": counting.attention_weights(**sizes, n_heads=n_heads),
            "added_not_multiplied": one_head * (n_heads + n_layers),
            "output_matrix_not_counted": 3 * weights // 4,
            "full_value_matrix": weights // 2 + square * n_heads * n_layers,
            "biases_counted": counting.attention_weights(**all_of_them, biases=True),
        }

    def solution() -> Trace:
        four = quantity("kinds", "k", "Matrices of a head: Q, K, V and O", 4)
        narrow = quantity("d_head", r"d_\mathrm{head}", "Numbers of a query", d_head)
        wide = width(d_model)
        heads = quantity("n_heads", "h", "Heads of a layer", n_heads)
        layers = quantity("n_layers", "L", "Layers", n_layers)
        of_head = computed("product", "head", "N_1", "One head", four, narrow, wide)
        of_layer = computed("product", "layer", "N_2", "One layer", heads, of_head)
        whole = computed("product", "model", "N", "The whole model", layers, of_layer)
        return worked(four, narrow, wide, heads, layers, of_head, of_layer, whole)

    return Question(
        id="attention-weights",
        title="All the weights of attention",
        chapter=HEADS,
        difficulty=2,
        prompt=f"A model has {n_layers} layers of {n_heads} heads each. Embeddings have "
        f"${D_MODEL} = {grouped(d_model)}$ numbers; queries, keys and values of one head have "
        f"{d_head}. A head has $W_Q$, $W_K$, $W_V$ and its part of $W_O$, all without biases. How "
        "many weights are that in the whole model?",
        hints=(
            "Begin with one matrix of one head, then go on to the head, the layer, the model.",
            rf"One head has $4 \cdot {d_head} \cdot {D_MODEL}$ weights.",
        ),
        task=number_task(Integer(), weights, mistakes),
        explanation=rf"Each matrix of a head has ${d_head} \cdot {grouped(d_model)}$ weights, so a "
        f"head has ${grouped(head)}$, a layer ${grouped(head * n_heads)}$, and {n_layers} layers "
        f"have ${grouped(weights)}$.",
        solution=solution,
    )


WEIGHTS: Bank = {"matrix-weights": matrix_weights, "attention-weights": attention_weights}
