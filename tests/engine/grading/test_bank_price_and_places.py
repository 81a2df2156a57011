"""Keys of the questions on price and places, worked out from their prompts alone."""

import re
from fractions import Fraction
from math import cos, sin

import pytest
from asked import asked, cells, in_every_variant, integers, key, numbers, right_texts

from service.engine.grading.bank.whole import BANK

SCALED = {"⁻¹": 1, "⁻²": 2, "⁻³": 3, "⁻⁴": 4, "⁻⁵": 5, "⁻⁶": 6}


# The price


@in_every_variant
def test_every_head_of_every_layer_has_a_square_of_scores(seed):
    n_layers, n_heads, n = integers("all-scores", seed)
    assert key("all-scores", seed) == n_layers * n_heads * n**2


@in_every_variant
def test_growth_is_of_the_square(seed):
    percent, before, after = integers("scores-growth", seed)
    assert before + before * Fraction(percent, 100) == after
    assert key("scores-growth", seed) == Fraction(after**2, before**2) - 1


@in_every_variant
def test_a_token_leaves_a_key_and_a_value_in_every_head(seed):
    n_layers, n_heads, d_head, size = integers("cache-bytes", seed)
    assert key("cache-bytes", seed) == n_layers * n_heads * (d_head + d_head) * size


@in_every_variant
def test_an_rnn_takes_a_step_for_each_gap(seed):
    first, last = integers("steps-apart", seed)
    assert key("steps-apart", seed) == len(range(first, last))


@in_every_variant
def test_each_convolution_multiplies_the_reach(seed):
    width, times, n = integers("layers-to-meet", seed)
    assert width == times
    enough = [m for m in range(1, 12) if width**m >= n]
    assert key("layers-to-meet", seed) == enough[0]


@in_every_variant
def test_the_ratio_of_work_is_of_the_papers_terms(seed):
    n, d = integers("work-ratio", seed)[:2]
    assert key("work-ratio", seed) == Fraction(n * d * d, n * n * d)


@in_every_variant
def test_the_formulas_of_work_are_the_papers(seed):
    due = {
        "self-attention": lambda n, d, k: n * n * d,
        "recurrent": lambda n, d, k: n * d * d,
        "convolutional": lambda n, d, k: k * n * d * d,
    }
    (kind,) = [kind for kind in due if kind in asked("work-formula", seed)]
    formula = key("work-formula", seed).replace("^", "**")
    assert eval(formula, {"n": 11, "d": 7, "k": 3}) == due[kind](11, 7, 3)


@in_every_variant
def test_a_cheaper_length_is_between_the_two(seed):
    text = asked("cheaper-length", seed)
    (d,) = numbers(re.search(r"d = [\d,]+", text)[0])
    part = Fraction(re.search(r"1/\d", text)[0])
    rule = BANK["cheaper-length"](seed).task.rule
    for n, fits in ((d, False), (d - 1, True), (part * d, False), (part * d + 1, True)):
        work = n * n * d, n * d * d
        assert (part * work[1] < work[0] < work[1]) == fits
        assert (rule.lowest < n < rule.highest) == fits
    assert (rule.lowest_included, rule.highest_included) == (False, False)


@in_every_variant
def test_the_shortest_way_is_a_query_and_a_key(seed):
    assert right_texts("shortest-path", seed) == {"Self-attention"}


# Places


@in_every_variant
def test_an_encoding_has_sines_and_cosines(seed):
    text = asked("sinusoidal-cell", seed)
    d = int(re.search(r"d = (\d)", text)[1])
    p, place = map(int, re.search(r"What is PE_(\d+),(\d)", text).groups())
    wave = (sin, cos)[place % 2]
    due = wave(p / 10000 ** ((place - place % 2) / d))
    assert float(key("sinusoidal-cell", seed)) == pytest.approx(due)


@in_every_variant
def test_rotary_turns_by_the_distance(seed):
    text = asked("rotary-angle", seed)
    d = int(re.search(r"d = (\d)", text)[1])
    pair, query, at = map(
        int, re.findall(r"pair (\d) of a query at position (\d+) .* (\d+)\?", text)[0]
    )
    due = (query - at) * 10000 ** (-2 * pair / d)
    assert float(key("rotary-angle", seed)) == pytest.approx(due)
    turned = [(cos(p * due / (query - at)), sin(p * due / (query - at))) for p in (query, at)]
    product = sum(a * b for a, b in zip(*turned, strict=True))
    assert product == pytest.approx(cos(due))


@in_every_variant
def test_alibi_falls_off_with_the_distance(seed):
    text = asked("alibi-row", seed)
    head, n_heads = map(int, re.search(r"Head (\d) of (\d)", text).groups())
    power = SCALED[re.search(r"2(⁻.)", text)[1]]
    assert power == Fraction(8 * head, n_heads)
    place = int(re.search(r"at position (\d)", text)[1])
    due = [-Fraction(1, 2**power) * abs(place - j) for j in range(place + 1)]
    assert cells("alibi-row", seed) == due


@in_every_variant
def test_attention_does_not_see_an_order(seed):
    (right,) = right_texts("why-positions", seed)
    assert "whatever the order" in right
