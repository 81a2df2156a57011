"""Keys of the chapters up to the mask, worked out from the numbers in the prompts alone."""

import re
from fractions import Fraction
from itertools import accumulate
from math import log

import mpmath
import pytest
from asked import asked, in_every_variant, integers, numbers

from service.engine.grading.bank.whole import BANK
from service.engine.grading.questions.wording import plain

TABLE = re.compile(r"\(([^()]*)\)")


def tables(id, seed):
    """What stands in brackets: rows with semicolons between, cells with commas."""
    found = TABLE.findall(asked(id, seed))
    return [
        [[int(cell.replace("−", "-")) for cell in row.split(",")] for row in table.split(";")]
        for table in found
        if not re.search("[a-z∞]", table)
    ]


def key(id, seed):
    return BANK[id](seed).task.key


def rows_of(id, seed):
    return [[float(cell) for cell in row] for row in key(id, seed)]


def softmax(row):
    with mpmath.workdps(30):
        powers = [mpmath.exp(score) if score is not None else 0 for score in row]
        return [float(power / sum(powers)) for power in powers]


@in_every_variant
def test_a_token_has_one_vector(seed):
    task = BANK["same-token"](seed).task
    assert [option.text for option in task.choices if option.id in task.key] == [
        "All three vectors are the same."
    ]


@in_every_variant
def test_the_numbers_of_a_text_are_one_row_for_each_token(seed):
    n, d_model = integers("embedding-numbers", seed)
    assert key("embedding-numbers", seed) == n * d_model


@in_every_variant
def test_a_token_is_replaced_by_its_row(seed):
    table, (ids,) = tables("embedding-lookup", seed)
    assert rows_of("embedding-lookup", seed) == [table[id] for id in ids]


@in_every_variant
def test_a_row_sums_to_one(seed):
    first, second = numbers(asked("missing-weight", seed))
    assert first + second + key("missing-weight", seed) == 1
    fluffy, blue = numbers(asked("attention-left", seed))
    assert fluffy + blue + 100 * key("attention-left", seed) == 100


@in_every_variant
def test_exactly_the_lawful_rows_are_right(seed):
    task = BANK["lawful-rows"](seed).task
    (word,) = re.findall("second|third|fourth", asked("lawful-rows", seed))
    seen = 2 + ["second", "third", "fourth"].index(word)
    lawful = set()
    for id, text in task.choices:
        weights = numbers(plain(text))
        assert len(weights) == 5
        if sum(weights) == 1 and min(weights) >= 0 and not any(weights[seen:]):
            lawful.add(id)
    assert task.key == lawful
    assert len(lawful) == 2


@in_every_variant
def test_a_scaled_score_is_the_product_over_the_root(seed):
    (q,), (k,) = tables("scaled-score", seed)
    score = sum(a * b for a, b in zip(q, k, strict=True))
    assert float(key("scaled-score", seed)) == pytest.approx(float(score / mpmath.sqrt(3)))
    assert score != 0


@in_every_variant
def test_a_cell_of_the_table_is_query_times_key(seed):
    queries, keys = tables("score-table", seed)
    due = [[sum(a * b for a, b in zip(q, k, strict=True)) for k in keys] for q in queries]
    assert rows_of("score-table", seed) == due


@in_every_variant
def test_the_creature_weighs_its_scaled_scores(seed):
    (d_k,) = [int(found) for found in re.findall(r"d_k = (\d+)", asked("creature-weights", seed))]
    ((scores,),) = tables("creature-weights", seed)
    due = softmax([score / mpmath.sqrt(d_k) for score in scores])
    assert rows_of("creature-weights", seed) == [pytest.approx(due)]


def test_the_lecture_s_creature_has_the_lecture_s_weights():
    (weights,) = rows_of("creature-weights", None)
    assert [round(weight, 4) for weight in weights] == [0.0279, 0.4721, 0.4721, 0.0279]
    assert key("creature-gain", None) == Fraction("0.9442")


@in_every_variant
def test_the_gain_is_weight_times_value(seed):
    weight, fluffiness = numbers(asked("creature-gain", seed))
    assert key("creature-gain", seed) == weight * fluffiness


@in_every_variant
def test_what_comes_later_gets_nothing_and_the_rest_is_shared(seed):
    before, *_ = integers("order-swapped", seed)
    ((scores,),) = tables("order-swapped", seed)
    share = 1 / (before + 1)
    due = [share if i <= before else 0 for i in range(len(scores))]
    assert rows_of("order-swapped", seed) == [pytest.approx(due)]
    assert not any(scores[: before + 1])


@in_every_variant
def test_the_steps_of_a_head_are_in_the_paper_s_order(seed):
    task = BANK["head-in-order"](seed).task
    texts = {option.id: option.text for option in task.choices}
    signs = ["W_Q", "dot product", "sqrt", "infty", "softmax", "values", "W_O", "Add"]
    for id, sign in zip(task.key, signs, strict=True):
        assert sign in texts[id]
    assert [option.id for option in task.choices] != list(task.key)


@in_every_variant
def test_the_divisor_is_the_root_of_the_width(seed):
    (d_k,) = integers("divisor", seed)
    assert float(key("divisor", seed)) == pytest.approx(float(mpmath.sqrt(d_k)))


def test_the_lecture_s_divisors_are_eight_and_about_eleven():
    assert key("spread-of-scores", None) == 8
    assert round(float(key("divisor", None)), 1) == 11.3


@in_every_variant
def test_scores_scatter_by_the_root_of_their_width(seed):
    d_k, mean, variance = integers("spread-of-scores", seed)
    assert key("spread-of-scores", seed) ** 2 == d_k
    assert (mean, variance) == (0, 1)


@in_every_variant
def test_a_gap_becomes_a_power_of_e(seed):
    (gap,) = numbers(asked("weight-ratio", seed))
    assert float(key("weight-ratio", seed)) == pytest.approx(float(mpmath.e ** mpmath.mpf(gap)))


def test_a_gap_of_ten_is_twenty_two_thousand_to_one():
    assert round(float(key("weight-ratio", None))) == 22_026


@in_every_variant
def test_the_gap_gives_a_share_between_the_bounds(seed):
    rule = BANK["gap-for-share"](seed).task.rule
    low, high = (float(number) / 100 for number in numbers(asked("gap-for-share", seed)))
    for gap, share in ((rule.lowest, low), (rule.highest, high)):
        assert softmax([float(gap), 0])[0] == pytest.approx(share)
    assert low < softmax([float(key("gap-for-share", seed)), 0])[0] < high


@in_every_variant
def test_the_slope_is_smallest_at_the_weight_nearest_to_one(seed):
    task = BANK["smallest-slope"](seed).task
    slopes = {}
    for id, text in task.choices:
        (weight,) = numbers(plain(text))
        gap, small = log(weight / (1 - weight)), 1e-6
        slopes[id] = softmax([gap + small, 0])[0] - softmax([gap, 0])[0]
    assert task.key == {min(slopes, key=slopes.get)}


@in_every_variant
def test_the_masked_row_of_the_lecture_follows_from_its_scores(seed):
    scores = tables("masked-weights", seed)[0][0]
    weights = softmax([*scores[:2], None])
    assert rows_of("masked-weights", seed) == [pytest.approx(weights)]


@in_every_variant
def test_each_query_sees_one_key_more(seed):
    (n,) = integers("visible-cells", seed)
    assert key("visible-cells", seed) == [*accumulate(range(n + 1))][-1]


@in_every_variant
def test_every_position_is_an_example(seed):
    texts, n = integers("examples-in-one-pass", seed)
    assert key("examples-in-one-pass", seed) == texts * n


@in_every_variant
def test_the_next_word_is_to_be_guessed(seed):
    found = re.search(
        r"on the text “(.*)”, each .* position of “(\w+)” have", asked("next-token", seed)
    )
    words, word = found[1].split(), found[2]
    assert words.count(word) == 1
    assert key("next-token", seed) == words[words.index(word) + 1]


@in_every_variant
def test_the_mask_hides_what_is_right_of_the_diagonal(seed):
    (scores,) = tables("masked-scores", seed)
    assert rows_of("masked-scores", seed) == hidden(scores, float("-inf"))


@in_every_variant
def test_the_weights_of_a_masked_table_are_softmax_of_its_rows(seed):
    (scores,) = tables("masked-table-weights", seed)
    due = [pytest.approx(softmax(row)) for row in hidden(scores, None)]
    assert rows_of("masked-table-weights", seed) == due


def hidden(scores, sign):
    return [
        [cell if j <= i else sign for j, cell in enumerate(row)] for i, row in enumerate(scores)
    ]
