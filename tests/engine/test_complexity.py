"""Table 1 with numbers put in: published figures, exact integers, and where curves cross."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.complexity import complexity
from service.engine.complexity_layers import log_path
from service.engine.errors import EngineError


def rows(**sizes):
    return {row["name"]: row for row in complexity(**sizes)["layers"]}


@pytest.mark.parametrize(
    ("n", "d", "attention", "recurrent"),
    [
        (100, 512, 5_120_000, 26_214_400),
        (512, 512, 134_217_728, 134_217_728),
        (2048, 512, 2_147_483_648, 536_870_912),
        (2048, 12288, 51_539_607_552, 309_237_645_312),
    ],
)
def test_work_per_layer_is_what_the_table_says(n, d, attention, recurrent):
    found = rows(n=n, d=d)
    assert found["self_attention"]["work"]["value"] == attention
    assert found["recurrent"]["work"]["value"] == recurrent


def test_every_layer_has_its_terms():
    found = rows(n=10, d=4, k=3, r=2)
    terms = {
        name: [row[part]["value"] for part in ("work", "sequential", "path")]
        for name, row in found.items()
    }
    log = math.log(10) / math.log(3)
    assert terms == {
        "self_attention": [400, 1, 1],
        "recurrent": [160, 10, 10],
        "convolutional": [480, 1, pytest.approx(log, rel=1e-15)],
        "convolutional_contiguous": [480, 1, 10 / 3],
        "convolutional_separable": [120 + 160, 1, pytest.approx(log, rel=1e-15)],
        "self_attention_restricted": [80, 1, 5],
    }
    assert [found[f"convolutional{kind}"]["path"]["layers"] for kind in ("", "_contiguous")] == [
        3,
        4,
    ]


def test_formulas_are_shown_with_numbers():
    work = rows(n=10, d=4, k=3)["convolutional_separable"]["work"]
    assert work["formula"] == r"k \cdot n \cdot d + n \cdot d^2"
    assert work["substituted"] == r"3 \cdot 10 \cdot 4 + 10 \cdot 4^2"


@given(st.integers(1, 10**9), st.integers(2, 10**9))
def test_a_path_has_as_few_layers_as_span_the_text(n, k):
    layers = log_path(n, k)["layers"]
    assert layers >= 1
    assert k**layers >= n
    assert layers == 1 or k ** (layers - 1) < n
    assert log_path(n, k)["value"] == pytest.approx(math.log(n) / math.log(k), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("n", "k", "log"), [(243, 3, 5), (1000, 10, 3), (2**30, 2, 30), (1, 5, 0)])
def test_the_logarithm_of_a_power_is_whole(n, k, log):
    assert log_path(n, k)["value"] == log


SIZES = st.tuples(st.integers(1, 300), st.integers(1, 300), st.integers(2, 9), st.integers(1, 300))


@given(SIZES)
def test_a_crossover_agrees_with_the_work_of_both_layers(sizes):
    n, d, k, r = sizes
    report = complexity(n, d, k, min(r, n))
    work = {row["name"]: row["work"]["value"] for row in report["layers"]}
    for one in report["crossovers"]:
        first, second = (work[name] for name in one["layers"])
        assert one["holds"] == (first < second)
        expected = None if first == second else one["layers"][first > second]
        assert one["less_work"] == expected


def test_attention_does_less_work_than_recurrence_while_texts_are_shorter_than_vectors_are_wide():
    first = {n: complexity(n, 512)["crossovers"][0] for n in (511, 512, 513)}
    assert [first[n]["less_work"] for n in first] == ["self_attention", None, "recurrent"]
    assert [first[n]["substituted"] for n in first] == ["511 < 512", "512 = 512", "513 > 512"]
    assert first[511]["turns_at"] == 512


def test_gpt3_has_this_many_scores_and_four_times_as_many_with_twice_the_text():
    report = complexity(2048, 12288)
    assert report["scores"] == {
        "n": 2048,
        "per_head": 4_194_304,
        "per_layer": 96 * 4_194_304,
        "total": 38_654_705_664,
        "bytes_per_head": 8 * 2**20,
        "bytes_total": 72 * 2**30,
    }
    assert report["scores_other"]["per_head"] == 16_777_216
    assert report["factor"]["value"] == 4


def test_word_1_to_word_100_is_99_steps_against_1():
    report = complexity(2048, 512, to_word=100)["words_apart"]
    assert (report["recurrent"], report["self_attention"]) == (99, 1)
    assert report["convolutional"] == 5  # 3⁴ = 81 < 100 ≤ 3⁵


def test_a_word_is_no_step_from_itself():
    report = complexity(9, 4, from_word=3, to_word=3)["words_apart"]
    assert {report[name] for name in ("recurrent", "self_attention", "convolutional")} == {0}


def test_numbers_are_exact_however_large():
    report = complexity(10**9, 10**9, n_heads=10**9, n_layers=10**9)
    assert report["layers"][0]["work"]["value"] == 10**27
    assert report["scores"]["total"] == 10**36


@pytest.mark.parametrize(
    ("sizes", "field", "message"),
    [
        ({"r": 11}, "r", "r is 11, but n is 10; r is at most n."),
        ({"to_word": 11}, "to_word", "to_word is 11, but n is 10: there is no such word."),
        ({"from_word": 12}, "from_word", "from_word is 12, but n is 10: there is no such word."),
    ],
)
def test_what_is_beyond_the_text_is_refused(sizes, field, message):
    with pytest.raises(EngineError) as error:
        complexity(10, 4, **sizes)
    assert (error.value.field, error.value.message) == (field, message)
