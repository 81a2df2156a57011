"""Counting the weights of a GPT: from one matrix of one head to the whole, as 1 × 1 matrices."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from service.engine.grading.exercises.exercise import Compute, Exercise, Stage, Values
from service.engine.grading.marking.rules import Cells, Integer
from service.engine.grading.questions.chapters import HEADS
from service.engine.grading.questions.solutions import OPERATIONS, computed, quantity, worked
from service.engine.grading.questions.variants import pick
from service.engine.trace import Array, Step

Count = Callable[[dict[str, float]], float]

EXACTLY = Cells(Integer(arithmetic=True))


class Sizes(NamedTuple):
    """What is given of a model."""

    n_layers: int
    d_model: int
    n_heads: int
    d_head: int
    d_ff: int
    n_vocab: int


GPT3 = Sizes(96, 12_288, 96, 128, 49_152, 50_257)
OTHERS = (
    Sizes(12, 768, 12, 64, 3_072, 50_257),
    Sizes(24, 1_024, 16, 64, 4_096, 50_257),
    Sizes(36, 1_280, 20, 64, 5_120, 50_257),
    Sizes(48, 1_600, 25, 64, 6_400, 50_257),
    Sizes(32, 4_096, 32, 128, 16_384, 32_000),
    Sizes(6, 512, 8, 64, 2_048, 37_000),
    Sizes(40, 5_120, 40, 128, 20_480, 32_000),
    Sizes(16, 2_048, 32, 64, 8_192, 30_000),
)

_SYMBOLS = {
    "n_layers": (r"n_\mathrm{layers}", "Layers"),
    "d_model": (r"d_\mathrm{model}", "Numbers in an embedding"),
    "n_heads": (r"n_\mathrm{heads}", "Heads in a layer"),
    "d_head": (r"d_k", "Numbers in a query, a key and a value"),
    "d_ff": (r"d_\mathrm{ff}", "Hidden numbers of an MLP"),
    "n_vocab": (r"n_\mathrm{vocab}", "Tokens in the vocabulary"),
}

# name, operation, symbol, title, what it is made from
_STEPS = (
    ("W_Q", "product", "W_Q", "Weights of one W_Q", ("d_head", "d_model")),
    ("W_K", "product", "W_K", "Weights of one W_K", ("d_head", "d_model")),
    (
        "W_V",
        "product",
        "W_V",
        "Weights of one W_V, the value map's way down",
        ("d_head", "d_model"),
    ),
    ("W_O", "product", "W_O", "Weights of one W_O, its way back up", ("d_model", "d_head")),
    ("head", "sum", r"P_\mathrm{head}", "One head", ("W_Q", "W_K", "W_V", "W_O")),
    ("layer", "product", r"P_\mathrm{layer}", "The heads of one layer", ("n_heads", "head")),
    ("attention", "product", r"P_\mathrm{attention}", "The heads of all", ("n_layers", "layer")),
    ("W_up", "product", r"W_\mathrm{up}", "Weights of an MLP's way up", ("d_ff", "d_model")),
    ("W_down", "product", r"W_\mathrm{down}", "Its way back down", ("d_model", "d_ff")),
    ("mlp", "sum", r"P_\mathrm{MLP}", "The MLP of one layer", ("W_up", "W_down")),
    ("mlps", "product", r"P_\mathrm{MLPs}", "The MLPs of all layers", ("n_layers", "mlp")),
    ("embedding", "product", r"W_E", "The table of embeddings", ("n_vocab", "d_model")),
    ("total", "sum", "P", "All of these", ("attention", "mlps", "embedding")),
)


def _d_plus_d(v: dict[str, float]) -> float:
    return v["d_head"] + v["d_model"]


def _four(v: dict[str, float]) -> float:
    return v["W_Q"] + v["W_K"] + v["W_V"] + v["W_O"]


# code and the count that it leads to, from what is given and the steps before
_SLIPS: dict[str, tuple[tuple[str, Count], ...]] = {
    "W_Q": (("full_value_matrix", lambda v: v["d_model"] ** 2), ("sides_added", _d_plus_d)),
    "W_V": (("full_value_matrix", lambda v: v["d_model"] ** 2), ("sides_added", _d_plus_d)),
    "head": (
        ("no_output_matrix", lambda v: v["W_Q"] + v["W_K"] + v["W_V"]),
        ("full_value_matrix", lambda v: v["W_Q"] + v["W_K"] + v["d_model"] ** 2),
        ("biases_counted", lambda v: _four(v) + 3 * v["d_head"]),
        ("biases_counted", lambda v: _four(v) + 3 * v["d_head"] + v["d_model"]),
    ),
    "layer": (
        ("one_head_only", lambda v: v["head"]),
        ("biases_counted", lambda v: v["n_heads"] * (v["head"] + 3 * v["d_head"]) + v["d_model"]),
    ),
    "attention": (
        ("one_layer_only", lambda v: v["layer"]),
        ("one_head_only", lambda v: v["n_layers"] * v["head"]),
        ("added_not_multiplied", lambda v: (v["n_layers"] + v["n_heads"]) * v["head"]),
    ),
    "mlp": (
        ("one_mlp_matrix", lambda v: v["W_up"]),
        ("biases_counted", lambda v: v["W_up"] + v["W_down"] + v["d_ff"] + v["d_model"]),
    ),
    "mlps": (
        ("one_layer_only", lambda v: v["mlp"]),
        ("one_mlp_matrix", lambda v: v["n_layers"] * v["W_up"]),
    ),
    "total": (
        ("mlp_forgotten", lambda v: v["attention"] + v["embedding"]),
        ("embedding_forgotten", lambda v: v["attention"] + v["mlps"]),
        ("one_layer_only", lambda v: v["layer"] + v["mlp"] + v["embedding"]),
    ),
}


def parameter_counts(seed: int | None = None) -> Exercise:
    """GPT-3's sizes, or others'."""
    sizes = pick(GPT3, OTHERS, seed, "sizes")
    givens = [quantity(name, *_SYMBOLS[name], value=size) for name, size in sizes._asdict().items()]
    steps = {step.rule.name: step for step in givens}
    for name, operation, symbol, title, of in _STEPS:
        steps[name] = computed(operation, name, symbol, title, *(steps[one] for one in of))
    model = "a model of this kind" if seed else "GPT-3"
    return Exercise(
        id="parameter-counts",
        title="Counting the weights",
        chapter=HEADS,
        prompt=f"These are the sizes of {model}. Count its weights: of one head's four matrices, "
        "of one head, of the heads of one layer and of all layers, of the MLPs, and of the table "
        "of embeddings, which is used once more at the end. Leave out biases, norms and "
        "positions. Each step is one whole number; a product such as $3 \\cdot 4$ is read too.",
        givens=tuple(givens),
        stages=tuple(_stage(steps[name], operation, of) for name, operation, _, _, of in _STEPS),
        solution=worked(*steps.values()),
        explanation="A matrix has as many weights as rows times columns. The heads of all layers "
        "together hold about half of what the MLPs hold, for an MLP has $8 d^2$ weights a layer "
        "and the heads have $4 d^2$.",
        difficulty=2,
        hints=("$W_Q$ makes $d_k$ numbers of $d_\\mathrm{model}$ numbers.",),
    )


def _stage(step: Step, operation: str, of: tuple[str, ...]) -> Stage:
    slips = tuple((code, _of_numbers(count)) for code, count in _SLIPS.get(step.rule.name, ()))
    compute = OPERATIONS[operation].compute
    return Stage(step, _of_numbers(lambda v: compute(*[v[name] for name in of])), EXACTLY, slips)


def _of_numbers(count: Count) -> Compute:
    """A count of plain numbers as one of 1 × 1 matrices."""

    def compute(v: Values) -> Array:
        return np.array([[count({name: float(value[0, 0]) for name, value in v.items()})]])

    return compute
