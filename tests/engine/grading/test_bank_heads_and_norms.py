"""Keys of the questions on heads, moves and norms, worked out from their prompts alone."""

import re
from fractions import Fraction
from math import dist, isqrt

import mpmath
import pytest
from asked import (
    asked,
    cells,
    close,
    in_every_variant,
    integers,
    key,
    numbers,
    plus,
    right_texts,
    rows,
    scaled,
)

from service.engine.grading.bank.whole import BANK
from service.engine.grading.questions.wording import plain

# Many heads


@in_every_variant
def test_a_matrix_has_rows_times_columns(seed):
    d_model, d_k = integers("matrix-weights", seed)
    assert key("matrix-weights", seed) == d_model * d_k


@in_every_variant
def test_attention_has_four_matrices_in_each_head_of_each_layer(seed):
    n_layers, n_heads, d_model, d_head = integers("attention-weights", seed)
    assert key("attention-weights", seed) == n_layers * n_heads * 4 * d_head * d_model


@in_every_variant
def test_two_thin_factors_have_their_sides_times_each_other(seed):
    d_model, straight, d_v = integers("value-factors", seed)
    assert straight == d_model**2
    assert key("value-factors", seed) == Fraction(straight, d_model * d_v + d_v * d_model)


@in_every_variant
def test_the_share_of_attention_is_its_part_of_all(seed):
    billions, n_layers, rows, columns = integers("attention-share", seed)
    assert key("attention-share", seed) == Fraction(4 * rows * columns * n_layers, billions * 10**9)


@in_every_variant
def test_all_heads_add_to_the_embedding(seed):
    assert cells("heads-added", seed) == plus(*rows("heads-added", seed))


@in_every_variant
def test_a_group_of_query_heads_shares_keys(seed):
    n_heads, n_kv, _, head = integers("shared-keys", seed)
    groups = [list(range(n_heads))[at :: n_heads // n_kv] for at in range(n_heads // n_kv)]
    (column,) = [column for column in groups if head in column]
    assert key("shared-keys", seed) == column.index(head)


@in_every_variant
def test_each_of_two_heads_proposes_its_own_mixed_value(seed):
    x_1, x_2, *matrices = rows("heads-apart", seed)
    for head, down, up in zip(key("heads-apart", seed), *[iter(matrices)] * 2, strict=True):
        first, second = (sum(w * one for w, one in zip(down, x, strict=True)) for x in (x_1, x_2))
        assert list(head[0]) == scaled(first, up)
        assert list(head[1]) == scaled((first + second) / 2, up)


# An embedding moves


@in_every_variant
def test_an_embedding_moves_by_its_weighted_values(seed):
    text = asked("moved-embedding", seed)
    x, v_1, v_2 = rows("moved-embedding", seed)
    first, second = (Fraction(weight) for weight in re.findall(r"weight (0\.\d+)", text))
    assert cells("moved-embedding", seed) == plus(x, scaled(first, v_1), scaled(second, v_2))


@in_every_variant
def test_the_weights_land_on_the_target_and_could_be_attention(seed):
    x, v_1, v_2, target = rows("weights-that-reach", seed)
    first, second = cells("weights-that-reach", seed)
    assert plus(x, scaled(first, v_1), scaled(second, v_2)) == target
    assert min(first, second) >= 0
    assert first + second <= 1


@in_every_variant
def test_the_distance_is_from_where_the_embedding_lands(seed):
    x, update, target = rows("distance-to-target", seed)
    assert float(key("distance-to-target", seed)) == pytest.approx(dist(plus(x, update), target))


@in_every_variant
def test_a_mean_of_values_lies_between_them(seed):
    values = numbers(asked("possible-mixtures", seed))
    assert len(values) == 3
    offered = {plain(one.text) for one in BANK["possible-mixtures"](seed).task.choices}
    assert len(offered) == 5
    due = {text for text in offered if min(values) < numbers(text)[0] < max(values)}
    assert right_texts("possible-mixtures", seed) == due
    assert len(due) == 2


# Add and norm


def statistics(row):
    mean = Fraction(sum(row), len(row))
    return mean, Fraction(sum((one - mean) ** 2 for one in row), len(row))


def root(number):
    with mpmath.workdps(30):
        return mpmath.sqrt(mpmath.mpf(number.numerator) / number.denominator)


@in_every_variant
def test_post_norm_norms_the_sum(seed):
    x, update, *_ = rows("add-norm-cell", seed)
    place = int(re.search(r"number (\d) of LayerNorm", asked("add-norm-cell", seed))[1])
    total = plus(x, update)
    mean, variance = statistics(total)
    due = float(total[place - 1] - mean) / root(variance)
    assert float(key("add-norm-cell", seed)) == pytest.approx(float(due))


@in_every_variant
def test_a_normed_row_is_stretched_then_shifted(seed):
    (x,), (*_, gain, bias) = rows("normed-row", seed), numbers(asked("normed-row", seed))
    mean, variance = statistics(x)
    spread = isqrt(int(variance))
    assert spread**2 == variance
    assert cells("normed-row", seed) == [gain * (one - mean) / spread + bias for one in x]


@in_every_variant
def test_rms_norm_divides_by_the_root_of_the_mean_square(seed):
    (x,) = rows("rms-row", seed)
    due = root(Fraction(sum(one**2 for one in x), len(x)))
    assert close(cells("rms-row", seed), [float(one) / due for one in x])


@in_every_variant
def test_gain_and_bias_become_deviation_and_mean(seed):
    gain, bias = numbers(asked("normed-statistics", seed))[:2]
    row = [bias + gain * one for one in (1, -1, 1, -1)]  # a normed row, stretched and shifted
    assert cells("normed-statistics", seed) == list(statistics(row))


@in_every_variant
def test_the_original_norms_last_and_gpt_first(seed):
    due = {
        "the original transformer": "LayerNorm(x + Sublayer(x))",
        "GPT-2 and GPT-3": "x + Sublayer(LayerNorm(x))",
    }
    model = asked("norm-order", seed).rpartition(" in ")[2].rstrip("?")
    assert right_texts("norm-order", seed) == {due[model]}
