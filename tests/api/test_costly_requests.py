"""Small requests that once cost much, or slipped past a bound: each is refused, or cheap."""

import gc
import tracemalloc

import numpy as np
import pytest
from refusals import assert_problem

from service.api.rounding import round_significant
from service.engine.sight import band

ONES = [[1]]


def test_overflow_is_seen_where_the_squares_of_an_input_vanish(client):
    # 1e-162 squared is 0 as a float64, but 1e-162 · 1e153 · 1e253 · 1e308 is not.
    body = {
        "X": [[1e-162]],
        "context": {"X": [[1e153], [-1e153]]},
        "W_Q": [[1e153]],
        "W_K": [[1e100]],
        "W_V": ONES,
        "scale": 1e308,
    }
    response = client.post("/v1/attention", json=body)
    assert response.status_code == 422
    assert "scaled overflows" in response.get_json()["detail"]


def test_a_scale_that_overflows_over_many_draws_is_refused(client):
    body = {"seed": 1, "d_k": [1], "n_keys": 1, "draws": 1000, "scale": 2e307}
    sentence = "The variance of the scaled scores overflows; use a smaller one."
    assert_problem(client.post("/v1/softmax", json=body), 422, "#/scale", sentence)


def test_a_million_queries_are_not_read_out(client):
    sentence = "n_q is 1,048,576; at most 8,192 queries are read out."
    body = {"n_q": 1 << 20, "n_k": 1}
    assert_problem(client.post("/v1/mask", json=body), 422, "#/n_q", sentence)


def test_rows_longer_than_a_block_are_not_kept_for_the_next_request(client):
    band.cache_clear()
    for window in range(1, 4):
        body = {"n_q": 1, "n_k": 1 << 20, "steps": ["hidden"], "mask": {"window": window}}
        assert client.post("/v1/mask", json=body).status_code == 200
    assert band.cache_info().currsize == 0


def test_wide_rows_leave_nothing_behind(client):
    wide = [1000 * [1.0] + [2.0] * extra for extra in range(200_000, 200_010)]
    body = {"steps": ["normalised"], "significant_digits": 1}
    client.post("/v1/layernorm", json=body | {"x": [wide[0]]})
    tracemalloc.start()
    try:
        for x in wide:
            assert client.post("/v1/layernorm", json=body | {"x": [x]}).status_code == 200
        gc.collect()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 1 << 20  # a single row is 1.6 MB


def test_queries_are_counted_over_all_heads(client):
    body = {
        "X": ONES * 128,
        "n_heads": 16,
        "W_Q": ONES * 131_072,
        "W_K": ONES * 131_072,
        "W_V": ONES * 16,
    }
    response = client.post("/v1/multihead", json=body)
    assert_problem(
        response,
        422,
        "#/W_Q",
        "A step would hold 128 × 131,072 numbers; at most 4,194,304 are computed. Send fewer tokens"
        " or narrower matrices.",
    )


def test_many_small_heads_are_written_one_after_the_other(client):
    W = ONES * 64
    body = {"X": ONES * 90, "n_heads": 64, "W_Q": W, "W_K": W, "W_V": W}
    response = client.post("/v1/multihead", json=body, buffered=False)
    assert response.is_streamed
    assert "Content-Length" not in response.headers
    response.close()


def test_display_is_counted_over_all_traces(client):
    body = {"kind": "alibi", "n": 90, "n_heads": 512, "display": 15}
    response = client.post("/v1/positions", json=body)
    assert response.status_code == 422
    assert response.get_json()["errors"][0]["pointer"] == "#/display"


def test_a_huge_number_is_displayed_with_an_exponent(ask):
    steps = ask("layernorm", {"x": [[1e30, -1e30]], "eps": 1, "display": 2})["steps"]
    assert steps[0]["display"] == [["1.00e+30", "-1.00e+30"]]


@pytest.mark.parametrize("digits", [11, 16])
def test_rounding_that_goes_through_text_is_bounded(client, digits):
    body = {"kind": "sinusoidal", "n": 600, "d_model": 600, "significant_digits": digits}
    response = client.post("/v1/positions", json=body)
    assert response.status_code == 422
    assert response.get_json()["errors"][0]["pointer"] == "#/significant_digits"


@pytest.mark.parametrize("digits", [10, 17])
def test_rounding_that_does_not_is_not(client, digits):
    body = {"kind": "sinusoidal", "n": 600, "d_model": 600, "significant_digits": digits}
    response = client.post("/v1/positions", json=body, buffered=False)
    assert response.status_code == 200
    response.close()


def test_seventeen_digits_leave_nothing_to_round():
    cells = np.array([[0.1, 1 / 3, 5e-324]])
    assert round_significant(cells, 17) is cells


def test_answers_are_bounded_by_what_there_is_to_read(client):
    item = {"question": "dot-product", "answer": {"kind": "text", "text": "1" * 200}}
    assert_problem(
        client.post("/v1/quiz/grade", json={"items": [item] * 400}),
        422,
        "#/items",
        "The answers count as 80,000 characters; at most 65,536 are read at once. Send fewer in one"
        " request.",
    )


def test_more_cells_to_explain_than_are_explained_are_refused_before_any_is(client):
    body = {"Q": ONES, "K": ONES, "V": ONES, "explain": [{"step": "scores"}] * 1001}
    response = client.post("/v1/attention", json=body)
    assert_problem(response, 422, "#/explain", "This must have at most 1,000 members, not 1,001.")


def test_cells_are_explained_in_the_order_in_which_they_were_asked_for(ask):
    cells = [{"step": "weights", "row": row, "column": 0} for row in (2, 0, 1, 0)]
    body = {"Q": ONES * 3, "K": ONES, "V": ONES, "explain": cells}
    rows = [one["row"] for one in ask("attention", body)["explanations"]]
    assert rows == [2, 0, 1, 0]


def test_the_sign_of_zero_is_not_told_in_plain_data_either(client):
    target = {"x": [0], "V": [[1e10]], "weights": [0], "target": [-5e-324]}
    slopes = {"X": ONES, "heads": [{"W_Q": ONES, "W_K": ONES, "W_V": ONES}]}
    replies = [
        client.post("/v1/move", json=target),
        client.post("/v1/multihead", json={**slopes, "alibi": {"slopes": [-0.0]}}),
        client.post(
            "/v1/softmax", json={"seed": 0, "d_k": [1], "n_keys": 2, "draws": 300, "scale": 1e-323}
        ),
    ]
    for reply in replies:
        assert reply.status_code == 200
        assert not any(zero in reply.data for zero in (b"-0.0,", b"-0.0]", b"-0.0}"))


@pytest.mark.parametrize("x", [[0.1] * 3, [1e9 + 0.1, 1e9 + 0.3, 1e9 + 0.7]])
def test_large_and_equal_numbers_are_centred_to_the_last_bit(ask, x):
    laws = ask("layernorm", {"x": [x], "eps": 1e-300 if x[0] == x[1] else 1e-5})["invariants"]
    assert all(law["holds"] for law in laws)


def test_a_list_that_is_too_long_is_refused_before_its_members_are_read(client):
    body = {"X": ONES, "blocks": [{"no member": 1}] * 97}
    response = client.post("/v1/block", json=body)
    assert_problem(response, 422, "#/blocks", "This must have at most 96 members, not 97.")


def test_what_is_wrong_with_a_megabyte_is_said_in_a_sentence(client):
    response = client.post("/v1/attention", json={"weights_layout": "in" * 500_000})
    problem = response.get_json()
    assert problem["errors"][0]["detail"].startswith(
        'This must be one of out_in, in_out, not "inin'
    )
    assert len(problem["errors"][0]["detail"]) == len(problem["detail"]) == 2_001


def test_blocks_hold_no_more_numbers_than_can_be_kept(client):
    body = {"seed": 1, "d_model": 16, "d_ff": 513, "n_heads": 1, "n_tokens": 2048, "steps": ["X"]}
    sentence = (
        "Tokens · width · blocks is 2,048 · 513 · 1 = 1,050,624; at most 1,048,576 numbers are"
        " held. Send fewer tokens or narrower matrices."
    )
    assert_problem(client.post("/v1/block", json=body), 422, "#/blocks", sentence)
