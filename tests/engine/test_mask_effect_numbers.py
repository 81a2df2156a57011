"""A mask by itself: what each row sees, has to guess, and whether it cheats."""

import numpy as np
import pytest
from heads_by_hand import softmax_row
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.engine.blocks import whole
from service.engine.limits import MOST_BYTES, written
from service.engine.mask import Mask
from service.engine.mask_effect import mask_effect
from service.engine.trace import find

NUMBERS = st.floats(-30, 30, allow_subnormal=False)


@st.composite
def scored(draw):
    n_q, n_k = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    keep = draw(arrays(np.bool_, (n_q, n_k)))
    return draw(arrays(np.float64, (n_q, n_k), elements=NUMBERS)), keep


def step(trace, name):
    return whole(find(trace.steps, name).value)


@given(scored())
def test_weights_are_the_softmax_of_what_is_seen(given_scores):
    scores, keep = given_scores
    found = step(mask_effect(scores, mask=Mask(keep=keep)), "weights")
    expected = [[float(w) for w in softmax_row(*row)] for row in zip(scores, keep, strict=True)]
    np.testing.assert_allclose(found, expected, 1e-13, 1e-300, strict=True)


@given(scored())
def test_weights_without_the_mask_are_the_softmax_of_all(given_scores):
    scores, keep = given_scores
    found = step(mask_effect(scores, mask=Mask(keep=keep)), "weights_unmasked")
    expected = [[float(w) for w in softmax_row(row)] for row in scores]
    np.testing.assert_allclose(found, expected, 1e-13, 1e-300, strict=True)


@given(scored())
def test_hidden_and_seen_share_out_every_pair(given_scores):
    scores, keep = given_scores
    trace = mask_effect(scores, mask=Mask(keep=keep))
    assert step(trace, "hidden").tolist() == (~keep).astype(float).tolist()
    assert find(trace.steps, "masked").hidden.tolist() == (~keep).astype(int).tolist()


@given(scored())
def test_a_row_cheats_if_it_sees_a_key_that_comes_after_it(given_scores):
    scores, keep = given_scores
    rows = mask_effect(scores, mask=Mask(keep=keep)).more["rows"]
    for i, row in enumerate(rows):
        assert row["cheats"] == any(keep[i][j] for j in range(i + 1, keep.shape[1]))


@given(scored())
def test_what_a_row_sees_is_what_is_kept(given_scores):
    scores, keep = given_scores
    rows = mask_effect(scores, mask=Mask(keep=keep)).more["rows"]
    assert [row["sees"] for row in rows] == [
        [str(j) for j, seen in enumerate(row) if seen] for row in keep.tolist()
    ]


def test_under_a_causal_mask_each_token_guesses_the_next_and_none_cheats():
    tokens = ["The", "cat", "sat"]
    rows = mask_effect(np.zeros((3, 3)), mask=Mask(causal=True), tokens=tokens).more["rows"]
    assert rows == [
        {"token": "The", "sees": ["The"], "guesses": "cat", "cheats": False},
        {"token": "cat", "sees": ["The", "cat"], "guesses": "sat", "cheats": False},
        {"token": "sat", "sees": ["The", "cat", "sat"], "guesses": None, "cheats": False},
    ]


def test_without_a_mask_every_token_but_the_last_cheats():
    rows = mask_effect(np.zeros((3, 3))).more["rows"]
    assert [row["cheats"] for row in rows] == [True, True, False]


@pytest.mark.parametrize(
    ("mask", "n_q", "n_k", "expected"),
    [
        (Mask(causal=True), 2, 4, ["1000", "1100"]),
        (Mask(causal=True, alignment="lower_right"), 2, 4, ["1110", "1111"]),
        (Mask(causal=True, alignment="lower_right"), 4, 2, ["00", "00", "10", "11"]),
        (Mask(causal=True), 4, 2, ["10", "11", "11", "11"]),
        (Mask(causal=True, window=1), 3, 3, ["100", "010", "001"]),
        (Mask(causal=True, window=2), 4, 4, ["1000", "1100", "0110", "0011"]),
        (Mask(window=2), 4, 4, ["1100", "1110", "0111", "0011"]),
        (Mask(window=2, alignment="lower_right"), 2, 4, ["0111", "0011"]),
        (Mask(keep_keys=np.array([[True, False, True]])), 2, 3, ["101", "101"]),
        (Mask(keep=np.array([[True], [False]])), 2, 3, ["111", "000"]),
        (Mask(block=np.array([[False, True]])), 2, 2, ["10", "10"]),
        (Mask(bias=np.array([[-np.inf, 3.0]])), 2, 2, ["01", "01"]),
        (Mask(causal=True, keep_keys=np.array([[False, True]])), 2, 2, ["00", "01"]),
    ],
)
def test_a_mask_hides_what_it_says(mask, n_q, n_k, expected):
    hidden = step(mask_effect(n_q=n_q, n_k=n_k, mask=mask), "hidden")
    assert ["".join(str(int(not h)) for h in row) for row in hidden] == expected


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("\x00")
def test_no_label_takes_more_bytes_than_are_reckoned_with(label):
    assert written(label) <= MOST_BYTES * len(label) + 2


def test_a_part_of_a_mask_has_one_rule_whatever_the_request():
    mask = Mask(keep=np.ones((2, 2), np.bool_))
    first, second = (mask_effect(n_q=2, mask=mask).inputs[0].rule for _ in range(2))
    assert first is second
