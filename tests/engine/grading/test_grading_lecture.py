import re
from fractions import Fraction
from math import exp

import pytest

from service.engine.errors import EngineError
from service.engine.grading.bank.lecture import LECTURE
from service.engine.grading.questions.question import find_question
from service.engine.grading.questions.wording import plain

SEEDS = range(1, 60)
DRAWN = ["dot-product", "masked-weights", "heads-gpt3", "context-doubling"]


def numbers(name, seed):
    """The integers of a prompt, with − for minus and commas between thousands."""
    found = re.findall(r"−?\d+(?:,\d{3})*", plain(LECTURE[name](seed).prompt))
    return [int(number.replace("−", "-").replace(",", "")) for number in found]


def test_the_bank_holds_the_six_questions_of_the_lecture():
    assert list(LECTURE) == [
        "dot-product",
        "masked-weights",
        "why-scale",
        "why-mask",
        "heads-gpt3",
        "context-doubling",
    ]


@pytest.mark.parametrize("seed", [None, 0])
def test_without_a_seed_the_numbers_are_the_lectures(seed):
    keys = {name: find_question(LECTURE, name, seed).task.key for name in LECTURE}
    assert keys["dot-product"] == 1
    assert keys["masked-weights"] == ((Fraction(1, 2), Fraction(1, 2), 0),)
    assert keys["heads-gpt3"] == 9216
    assert keys["context-doubling"] == 4


def test_the_right_reasons_are_the_lectures():
    for name, word in (("why-scale", "variance"), ("why-mask", "same pass")):
        question = LECTURE[name](None)
        (right,) = [option for option in question.task.choices if option.id in question.task.key]
        assert word in right.text


@pytest.mark.parametrize("seed", SEEDS)
def test_the_key_follows_from_the_numbers_in_the_prompt(seed):
    q_1, q_2, k_1, k_2 = numbers("dot-product", seed)
    assert LECTURE["dot-product"](seed).task.key == q_1 * k_1 + q_2 * k_2
    n_layers, n_heads = numbers("heads-gpt3", seed)
    assert LECTURE["heads-gpt3"](seed).task.key == n_layers * n_heads
    before, after = numbers("context-doubling", seed)
    assert LECTURE["context-doubling"](seed).task.key == (after // before) ** 2
    first, second, _, same_first, same_second = numbers("masked-weights", seed)
    assert (first, second) == (same_first, same_second)
    total = exp(first) + exp(second)
    (weights,) = LECTURE["masked-weights"](seed).task.key
    due = [exp(first) / total, exp(second) / total, 0]
    assert [float(weight) for weight in weights] == pytest.approx(due)


@pytest.mark.parametrize("name", DRAWN)
def test_a_seed_always_draws_the_same_variant_and_seeds_differ(name):
    one, again = LECTURE[name](7), LECTURE[name](7)
    assert (one.prompt, one.task.key) == (again.prompt, again.task.key)
    assert len({LECTURE[name](seed).prompt for seed in SEEDS}) >= 20


def test_no_variant_has_the_numbers_of_the_lecture():
    for name in DRAWN:
        assert LECTURE[name](None).prompt not in {LECTURE[name](seed).prompt for seed in SEEDS}


@pytest.mark.parametrize("name", LECTURE)
def test_a_question_is_complete(name):
    question = LECTURE[name](3)
    assert question.id == name
    assert question.title
    assert question.chapter.id
    assert question.chapter.title
    assert question.explanation
    if question.task.choices:
        assert [option.id for option in question.task.choices] == ["a", "b", "c", "d"]
        assert len({option.text for option in question.task.choices}) == 4


def test_an_unknown_question_is_told_the_nearest():
    with pytest.raises(EngineError) as caught:
        find_question(LECTURE, "dot-prodct")
    assert caught.value.field == "question"
    assert caught.value.message == (
        "There is no question 'dot-prodct'. Did you mean 'dot-product'?"
    )


def test_a_question_unlike_any_is_told_them_all():
    with pytest.raises(EngineError, match="There are dot-product, masked-weights"):
        find_question(LECTURE, "zzz")
