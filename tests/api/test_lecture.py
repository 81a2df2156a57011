"""The lecture's numbers, as its demos give them: by hand, or as published."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

Reply = dict[str, Any]
Serve = Callable[..., Reply]

ELEVEN = ["X", "Q", "K", "scores", "scaled", "masked", "weights", "V", "head", "update", "output"]
GPT3_HEAD = 6_291_456
GPT3_LAYER = 603_979_776
GPT3_ATTENTION = 57_982_058_496


@pytest.fixture(scope="module")
def serve(client: FlaskClient) -> Serve:
    """The reply to a demo by its name, with some members of its body changed."""

    def serve(id: str, **changes: Any) -> Reply:
        demo = client.get(f"/v1/examples/{id}").get_json()
        body = demo["body"] | changes
        response = client.post(demo["path"], json=body)
        assert response.status_code == 200, response.text
        return response.get_json()

    return serve


def values(trace: Reply) -> dict[str, Any]:
    return {step["name"]: step["value"] for step in trace["steps"]}


def near(expected: Any, digits: int = 4) -> Any:
    """As the lecture prints it, to so many decimals."""
    return pytest.approx(expected, rel=0, abs=0.5 * 10**-digits)


# 3. The calculator


def test_the_calculator_has_the_eleven_steps_of_the_lecture_in_order(serve: Serve) -> None:
    assert [step["name"] for step in serve("calculator")["steps"]] == ELEVEN


BY_HAND = {
    "X": [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]],
    "Q": [[0, 0], [0, 0], [0, 0], [2, 0]],
    "K": [[0, 0], [2, 0], [2, 0], [0, 0]],
    "scores": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 4, 4, 0]],
    "masked": [
        [0, None, None, None],
        [0, 0, None, None],
        [0, 0, 0, None],
        [0, math.sqrt(8), math.sqrt(8), 0],
    ],
    "V": [[0, 0], [1, 0], [0, 1], [0, 0]],
}


@pytest.mark.parametrize("step", BY_HAND)
def test_a_step_of_the_calculator_is_as_by_hand(serve: Serve, step: str) -> None:
    for row, expected in zip(values(serve("calculator"))[step], BY_HAND[step], strict=True):
        blocked = [i for i, cell in enumerate(expected) if cell is None]
        assert [i for i, cell in enumerate(row) if cell is None] == blocked
        seen = [cell for cell in expected if cell is not None]
        assert [cell for cell in row if cell is not None] == pytest.approx(seen, rel=1e-15)


def test_the_scaled_score_of_creature_and_an_adjective_is_2_83(serve: Serve) -> None:
    assert values(serve("calculator"))["scaled"][3] == near([0, 2.83, 2.83, 0], 2)


def test_the_weights_of_creature_are_47_percent_for_each_adjective(serve: Serve) -> None:
    weights = values(serve("calculator"))["weights"]
    assert weights[3] == near([0.0279, 0.4721, 0.4721, 0.0279])


def test_the_other_words_of_the_calculator_spread_over_what_they_see(serve: Serve) -> None:
    weights = values(serve("calculator"))["weights"]
    assert weights[0] == [1, 0, 0, 0]
    assert weights[1] == [0.5, 0.5, 0, 0]
    assert weights[2] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_creature_gains_fluffiness_and_blueness(serve: Serve) -> None:
    assert values(serve("calculator"))["update"][3] == near([0, 0, 0.4721, 0.4721])


def test_the_gain_is_added_to_creature_and_does_not_replace_it(serve: Serve) -> None:
    assert values(serve("calculator"))["output"][3] == near([1, 0, 0.4721, 0.4721])


def test_the_axes_of_the_calculator_carry_its_words(serve: Serve) -> None:
    axes = serve("calculator")["axes"]
    words = ["the", "fluffy", "blue", "creature"]
    assert axes["query"] == axes["key"] == {"size": 4, "labels": words}
    assert axes["d_model"]["labels"] == ["noun", "adjective", "fluffiness", "blueness"]
    assert axes["d_k"]["size"] == 2


def test_the_arithmetic_of_creature_and_fluffy_is_printed(serve: Serve) -> None:
    cell = {"step": "scores", "row": 3, "column": 1}
    (one,) = serve("calculator", explain=[cell])["explanations"]
    assert one["text"] == "2·2 + 0·0 = 4"


def test_hovering_a_score_lights_up_a_row_of_q_and_a_row_of_k(serve: Serve) -> None:
    cell = {"step": "scores", "row": 3, "column": 1}
    (one,) = serve("calculator", explain=[cell])["explanations"]
    lit = {(cell["name"], cell["row"], cell["column"]) for cell in one["operands"]}
    assert lit == {("Q", 3, 0), ("Q", 3, 1), ("K", 1, 0), ("K", 1, 1)}


def test_with_the_noun_first_the_mask_hides_its_adjectives(serve: Serve) -> None:
    reply = serve("calculator-noun-first")
    assert reply["axes"]["query"]["labels"] == ["the", "creature", "fluffy", "blue"]
    assert values(reply)["weights"][1] == [0.5, 0.5, 0, 0]


def test_with_the_noun_first_creature_gains_nothing(serve: Serve) -> None:
    reply = values(serve("calculator-noun-first"))
    assert reply["update"][1] == [0, 0, 0, 0]
    assert reply["output"][1] == [1, 0, 0, 0]


def test_of_a_fluffier_word_creature_gains_0_9442(serve: Serve) -> None:
    assert values(serve("calculator-fluffier"))["update"][3] == near([0, 0, 0.9442, 0.4721])


def test_a_fluffier_word_changes_no_weight(serve: Serve) -> None:
    fluffier, fluffy = values(serve("calculator-fluffier")), values(serve("calculator"))
    assert fluffier["weights"] == fluffy["weights"]


# 4. Why divide by √d_k


@pytest.mark.parametrize(("d_k", "divisor"), [(64, 8), (128, 11.3)])
def test_scores_are_divided_by_the_root_of_the_width(
    serve: Serve, d_k: int, divisor: float
) -> None:
    wide = [[1] + [0] * (d_k - 1)]
    reply = serve("queries-keys-values", Q=wide, K=wide * 2, scale=None)
    assert 1 / values(reply)["scaled"][0][0] == near(divisor, 1)


@pytest.mark.parametrize(("difference", "ratio"), [(1, math.e), (10, 22_026)])
def test_a_difference_of_scores_is_a_ratio_of_weights(
    serve: Serve, difference: int, ratio: float
) -> None:
    (row,) = values(serve("mask-table", scores=[[difference, 0]], tokens=None, mask=None))[
        "weights"
    ]
    assert row[0] / row[1] == pytest.approx(ratio, rel=3e-5)


@pytest.fixture(scope="module")
def laboratory(serve: Serve) -> dict[int, Reply]:
    """By width, what 1,000 draws gave."""
    experiments = serve("scaling-laboratory")["experiments"]
    return {experiment["d_k"]: experiment["over_draws"] for experiment in experiments}


def test_the_laboratory_tries_widths_from_2_to_512_with_6_keys(serve: Serve) -> None:
    reply = serve("scaling-laboratory")
    assert [experiment["d_k"] for experiment in reply["experiments"]] == [2, 8, 64, 512]
    assert reply["drawn"]["n_keys"] == 6


@pytest.mark.parametrize("d_k", [2, 8, 64, 512])
def test_the_dot_product_of_random_vectors_has_mean_0(
    laboratory: dict[int, Reply], d_k: int
) -> None:
    # 6,000 scores of 1,000 queries: a mean within 5 standard errors of 1,000 of them.
    assert abs(laboratory[d_k]["raw"]["mean"]) < 5 * math.sqrt(d_k / 1000)


@pytest.mark.parametrize("d_k", [2, 8, 64, 512])
def test_the_dot_product_of_random_vectors_has_variance_d_k(
    laboratory: dict[int, Reply], d_k: int
) -> None:
    raw = laboratory[d_k]["raw"]
    assert raw["predicted_variance"] == d_k
    assert raw["variance"] == pytest.approx(d_k, rel=0.25)


@pytest.mark.parametrize("d_k", [2, 8, 64, 512])
def test_scaled_scores_have_variance_1_whatever_the_width(
    laboratory: dict[int, Reply], d_k: int
) -> None:
    scaled = laboratory[d_k]["scaled"]
    assert scaled["predicted_variance"] == pytest.approx(1)
    assert scaled["variance"] == pytest.approx(1, rel=0.25)


def test_the_spread_of_raw_scores_grows_like_the_root_of_the_width(
    laboratory: dict[int, Reply],
) -> None:
    growth = laboratory[512]["raw"]["mean_range"] / laboratory[8]["raw"]["mean_range"]
    assert growth == pytest.approx(8, rel=0.1)


def test_of_wide_raw_scores_one_key_takes_nearly_all(laboratory: dict[int, Reply]) -> None:
    found = laboratory[512]
    assert found["raw"]["mean_largest_weight"] > 0.9
    assert found["scaled"]["mean_largest_weight"] < 0.6


def test_a_saturated_softmax_has_nearly_no_gradient(serve: Serve) -> None:
    (experiment,) = serve("scaling-saturated")["experiments"]
    statistics = experiment["trace"]["statistics"]
    assert statistics["raw"]["largest_weight"] == near([0.9997])
    assert statistics["raw"]["gradient_norm"][0] < 0.001
    assert statistics["scaled"]["gradient_norm"][0] > 0.1


# 5. The causal mask


def test_what_comes_after_the_query_has_a_weight_of_exactly_0(serve: Serve) -> None:
    weights = values(serve("mask-table"))["weights"]
    assert [[weights[i][j] for j in range(i + 1, 6)] for i in range(6)] == [
        [0] * n for n in (5, 4, 3, 2, 1, 0)
    ]


def test_the_rest_of_a_masked_row_rescales_to_1(serve: Serve) -> None:
    weights = values(serve("mask-table"))["weights"]
    assert [sum(row) for row in weights] == pytest.approx([1] * 6)
    # scores 1.5 and 2.5: 1 / (1 + e) and e / (1 + e)
    assert weights[1][:2] == near([0.2689, 0.7311])


def test_a_blocked_score_is_minus_infinity(serve: Serve) -> None:
    masked = values(serve("mask-table"))["masked"]
    assert masked[2] == [0.5, 3.0, 1.5, None, None, None]


def test_a_row_says_what_its_token_sees_and_has_to_guess(serve: Serve) -> None:
    assert serve("mask-table")["rows"][2] == {
        "token": "sat",
        "sees": ["The", "cat", "sat"],
        "guesses": "on",
        "cheats": False,
    }


def test_without_the_mask_sat_cheats_and_gives_on_weight(serve: Serve) -> None:
    reply = serve("mask-table-off")
    assert reply["rows"][2]["cheats"] is True
    # scores 0.5, 3, 1.5, 2.5, 0.5, 1: e^2.5 / (e^0.5 + e^3 + e^1.5 + e^2.5 + e^0.5 + e^1)
    assert values(reply)["weights"][2][3] == near(0.2849)


def test_the_last_token_has_nothing_to_guess(serve: Serve) -> None:
    assert serve("mask-table")["rows"][5]["guesses"] is None


def test_a_text_of_six_tokens_is_six_examples(serve: Serve) -> None:
    rows = serve("mask-table")["rows"]
    assert [row["guesses"] for row in rows] == ["cat", "sat", "on", "the", "mat", None]
    assert [len(row["sees"]) for row in rows] == [1, 2, 3, 4, 5, 6]


# 6. Many heads


def test_each_head_proposes_its_own_change(serve: Serve) -> None:
    fluffiness, blueness = serve("two-heads")["heads"]
    assert values(fluffiness["trace"])["update"][3] == near([0, 0, 0.4721, 0])
    assert values(blueness["trace"])["update"][3] == near([0, 0, 0, 0.4721])


def test_the_changes_of_the_heads_are_added(serve: Serve) -> None:
    combined = values(serve("two-heads")["combined"])
    assert combined["update"][3] == near([0, 0, 0.4721, 0.4721])
    assert combined["output"][3] == near([1, 0, 0.4721, 0.4721])


def test_the_original_has_8_heads_of_64(serve: Serve) -> None:
    said = serve("transformer-base")["conventions"]
    assert (said["n_heads"], said["d_model"], said["d_head"], said["d_v"]) == (8, 512, 64, 64)


def test_gpt3_has_96_heads_of_128_in_each_of_96_layers(serve: Serve) -> None:
    said = serve("gpt3")["conventions"]
    assert (said["n_heads"], said["d_model"], said["d_head"]) == (96, 12_288, 128)
    assert said["n_decoder_layers"] == 96


def test_gpt3_has_9216_heads(serve: Serve) -> None:
    assert serve("gpt3")["totals"]["n_heads_total"] == 9_216


@pytest.mark.parametrize("layers", [1, 12, 96])
def test_the_head_counter_counts_96_for_each_layer(serve: Serve, layers: int) -> None:
    reply = serve("gpt3", n_layers=layers)
    assert reply["totals"]["n_heads_total"] == 96 * layers


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("W_Q", [128, 12_288]),
        ("W_K", [128, 12_288]),
        ("W_V", [128, 12_288]),
        ("W_O", [12_288, 128]),
    ],
)
def test_each_matrix_of_a_head_of_gpt3_has_1572864_weights(
    serve: Serve, name: str, shape: list[int]
) -> None:
    (part,) = [part for part in serve("gpt3")["components"] if part["name"] == name]
    assert (part["shape"], part["count"]) == (shape, 1_572_864)


def test_one_head_of_gpt3_has_6291456_weights(serve: Serve) -> None:
    assert serve("gpt3")["totals"]["per_head"]["weights"] == GPT3_HEAD


def test_the_heads_of_one_layer_of_gpt3_have_603979776_weights(serve: Serve) -> None:
    (layer,) = serve("gpt3")["totals"]["per_layer"]
    assert layer["attention"]["weights"] == GPT3_LAYER


def test_the_heads_of_gpt3_have_57982058496_weights(serve: Serve) -> None:
    assert serve("gpt3")["totals"]["groups"]["attention"]["weights"] == GPT3_ATTENTION


def test_the_heads_are_a_third_of_gpt3_and_the_rest_is_mostly_in_the_mlps(serve: Serve) -> None:
    totals = serve("gpt3")["totals"]
    assert totals["groups"]["attention"]["total"] / totals["total"] == near(0.33, 2)
    assert totals["groups"]["mlp"]["total"] / totals["total"] > 0.6


def test_a_value_matrix_that_is_not_factored_would_have_150994944_weights(serve: Serve) -> None:
    reply = serve("gpt3", n_heads=1, n_kv_heads=1, d_head=12_288, d_v=12_288)
    (part,) = [part for part in reply["components"] if part["name"] == "W_V"]
    assert part["count"] == 150_994_944


# 7. An embedding moved


def test_47_and_47_percent_get_almost_there(serve: Serve) -> None:
    reply = serve("move")
    # (2, 1) + 0.47 (−1, 2) + 0.47 (2, 2) = (2.47, 2.88); the target is (2.5, 3)
    assert values(reply)["moved"] == [pytest.approx([2.47, 2.88])]
    assert reply["towards"]["distance_after"] == pytest.approx(math.hypot(0.03, 0.12))
    assert reply["towards"]["distance_before"] == pytest.approx(math.hypot(0.5, 2))


def test_the_weights_that_land_on_the_target_are_found(serve: Serve) -> None:
    # −a + 2b = 0.5 and 2a + 2b = 2
    reaching = serve("move")["reaching"]
    assert reaching["weights"] == pytest.approx([0.5, 0.5])
    assert reaching["attention_weights"]["holds"] is True


def test_a_target_out_of_reach_needs_weights_that_sum_to_more_than_1(serve: Serve) -> None:
    # −a + 2b = 4 and 2a + 2b = 2: a = −2/3, b = 5/3
    reaching = serve("move-out-of-reach")["reaching"]
    assert reaching["weights"] == pytest.approx([-2 / 3, 5 / 3])
    assert reaching["attention_weights"]["holds"] is False


# 8. Add & norm


def test_add_and_norm_adds_delta_times_its_factor(serve: Serve) -> None:
    assert values(serve("add-and-norm"))["sum"] == [[2, 1, 3, 5, 4]]


def test_the_norm_makes_mean_0_and_variance_1(serve: Serve) -> None:
    reply = serve("add-and-norm")
    # the sum has mean 3 and squares 1 + 4 + 0 + 4 + 1 of the deviations
    root = math.sqrt(2 + 1e-5)
    assert values(reply)["mean"] == [[3]]
    assert values(reply)["variance"] == [[2]]
    expected = [-1 / root, -2 / root, 0, 2 / root, 1 / root]
    assert values(reply)["normalised"] == [pytest.approx(expected)]
    assert reply["statistics"]["normalised"]["mean"] == pytest.approx([0], abs=1e-15)
    assert reply["statistics"]["normalised"]["variance"] == pytest.approx([2 / (2 + 1e-5)])


def test_gain_and_bias_stretch_and_shift(serve: Serve) -> None:
    reply = serve("add-and-norm", gamma=[2] * 5, beta=[10] * 5)
    assert reply["statistics"]["output"]["mean"] == pytest.approx([10])
    assert reply["statistics"]["output"]["variance"] == near([4], 3)


def test_delta_may_weigh_20_times(serve: Serve) -> None:
    reply = serve("add-and-norm", delta_factor=20)
    assert values(reply)["sum"] == [[11, -8, 3, 14, -5]]


def test_before_the_sublayer_the_norm_is_of_x_and_nothing_is_normed_after(serve: Serve) -> None:
    reply = values(serve("add-and-norm-before"))
    root = math.sqrt(2 + 1e-5)
    expected = [-2 / root, -1 / root, 0, 1 / root, 2 / root]
    assert reply["normalised"] == [pytest.approx(expected)]
    assert reply["output"] == [[1.5, 1.5, 3, 4.5, 4.5]]


def test_rms_norm_divides_by_the_root_of_the_mean_square(serve: Serve) -> None:
    # (3² + 4²) / 2 = 12.5
    assert values(serve("rms-norm"))["output"] == [near([0.8485, 1.1314])]


# 9. Sizes


def test_the_base_model_has_6_and_6_layers_and_an_mlp_of_2048(serve: Serve) -> None:
    said = serve("transformer-base")["conventions"]
    assert (said["n_encoder_layers"], said["n_decoder_layers"], said["d_ff"]) == (6, 6, 2_048)


def test_the_published_sizes_are_65_million_and_175_billion(serve: Serve) -> None:
    assert serve("transformer-base")["published"]["value"] == 65_000_000
    assert serve("gpt3")["published"]["value"] == 175_000_000_000


def test_the_counts_come_near_to_the_published_sizes(serve: Serve) -> None:
    assert serve("gpt3")["totals"]["total"] == pytest.approx(175e9, rel=0.01)
    assert serve("transformer-base")["totals"]["total"] == pytest.approx(65e6, rel=0.1)


def test_the_context_of_gpt3_is_2048(serve: Serve) -> None:
    assert serve("gpt3")["conventions"]["context"] == 2_048


# 10. Cross-attention


def test_gesehen_looks_back_at_seen(serve: Serve) -> None:
    reply = serve("cross-attention")
    assert reply["axes"]["query"]["labels"][2] == "gesehen"
    assert reply["axes"]["key"]["labels"][2] == "seen"
    # e^√3 / (e^√3 + 2)
    assert values(reply)["weights"][2] == near([0.1307, 0.1307, 0.7386])


def test_over_the_source_there_is_no_mask(serve: Serve) -> None:
    (masked,) = [s for s in serve("cross-attention")["steps"] if s["name"] == "masked"]
    assert masked["hidden"] == [[0, 0, 0]] * 3


# 11. The price


def test_table_1_has_numbers(serve: Serve) -> None:
    layers = {layer["name"]: layer["work"]["value"] for layer in serve("layers")["layers"]}
    assert layers["self_attention"] == 100**2 * 512
    assert layers["recurrent"] == 100 * 512**2
    assert layers["convolutional"] == 3 * 100 * 512**2


def test_table_1_has_sequential_steps(serve: Serve) -> None:
    steps = {layer["name"]: layer["sequential"]["value"] for layer in serve("layers")["layers"]}
    assert (steps["self_attention"], steps["recurrent"], steps["convolutional"]) == (1, 100, 1)


@pytest.mark.parametrize("demo", ["layers", "price"])
def test_word_1_to_word_100_is_99_steps_or_1(serve: Serve, demo: str) -> None:
    apart = serve(demo)["words_apart"]
    assert (apart["from_word"], apart["to_word"]) == (1, 100)
    assert (apart["recurrent"], apart["self_attention"]) == (99, 1)


def test_a_context_of_2048_has_4194304_scores_a_head(serve: Serve) -> None:
    assert serve("price")["scores"]["per_head"] == 4_194_304
    assert serve("gpt3")["scores"]["per_head"] == 4_194_304


def test_twice_the_context_has_four_times_the_scores(serve: Serve) -> None:
    assert serve("price")["scores_other"]["per_head"] == 16_777_216
    assert serve("price")["factor"]["value"] == 4
    assert serve("gpt3", context=4_096)["scores"]["per_head"] == 16_777_216


def test_all_heads_of_gpt3_have_9216_times_as_many_scores(serve: Serve) -> None:
    assert serve("price")["scores"]["total"] == 4_194_304 * 9_216
    assert serve("gpt3")["scores"]["total"] == 4_194_304 * 9_216


# 12. The quiz


def test_q_and_k_of_the_quiz_have_the_score_1(serve: Serve) -> None:
    assert values(serve("queries-keys-values"))["scores"][0][0] == 1


def test_a_row_of_1_1_and_a_blocked_one_has_the_weights_of_the_quiz(serve: Serve) -> None:
    hide = {"block": [[False, False, True]]}
    reply = serve("mask-table", scores=[[1, 1, 9]], tokens=None, mask=hide)
    assert values(reply)["weights"] == [[0.5, 0.5, 0]]


def test_the_answers_of_the_demo_are_all_right(serve: Serve) -> None:
    reply = serve("quiz")
    assert [item["verdict"] for item in reply["items"]] == ["correct"] * len(reply["items"])
    assert reply["score"]["scaled"] == 1


ANSWERS = {
    "dot-product": {"kind": "number", "number": 1},
    "masked-weights": {"kind": "matrix", "matrix": [[0.5, 0.5, 0]]},
    "why-scale": {"kind": "choice", "choices": ["c"]},
    "why-mask": {"kind": "choice", "choices": ["b"]},
    "heads-gpt3": {"kind": "text", "text": "9216"},
    "context-doubling": {"kind": "text", "text": "4"},
}


def test_the_six_questions_take_the_answers_of_the_lecture(serve: Serve) -> None:
    items = [{"question": name, "answer": answer} for name, answer in ANSWERS.items()]
    reply = serve("quiz", items=items)
    assert {item["question"]: item["verdict"] for item in reply["items"]} == dict.fromkeys(
        ANSWERS, "correct"
    )
    assert reply["score"] == {"given": 6, "maximum": 6, "scaled": 1}


# 13. The video's convention


def test_in_columns_the_weights_of_a_query_run_down_its_column(serve: Serve) -> None:
    reply = serve("calculator-columns")
    weights = values(reply)["weights"]
    assert [row[3] for row in weights] == near([0.0279, 0.4721, 0.4721, 0.0279])
    assert [sum(column) for column in zip(*weights, strict=True)] == pytest.approx([1] * 4)


def test_in_columns_the_causal_mask_clears_the_lower_left_triangle(serve: Serve) -> None:
    weights = values(serve("calculator-columns"))["weights"]
    assert all(weights[i][j] == 0 for i in range(4) for j in range(i))
    assert all(weights[i][j] > 0 for i in range(4) for j in range(i, 4))


def test_in_columns_the_numbers_are_those_of_the_calculator(serve: Serve) -> None:
    rows, columns = (values(serve(name)) for name in ("calculator", "calculator-columns"))
    assert list(rows) == list(columns)
    for name in rows:
        assert [list(row) for row in zip(*columns[name], strict=True)] == rows[name]


def test_in_an_encoder_the_creature_sees_the_adjectives_after_it(serve: Serve) -> None:
    attention = serve("block-encoder")["blocks"][0]["attention"]["heads"][0]["trace"]
    assert values(attention)["weights"][1] == near([0.0279, 0.0279, 0.4721, 0.4721])


# Where the words look, and alignment: patterns made by hand


@pytest.fixture
def looks(client: FlaskClient, ask: Any) -> Any:
    body = client.get("/v1/examples/four-heads").get_json()["body"]
    reply = ask("multihead", body)
    weights = {head["name"]: head["trace"]["steps"][0]["value"] for head in reply["heads"]}
    return body["tokens"], weights


def strongest(tokens: list[str], row: list[float], most: int = 1) -> set[str]:
    return {tokens[j] for j in sorted(range(len(row)), key=row.__getitem__)[-most:]}


def test_where_the_words_look_four_heads_are_named(looks: Any) -> None:
    assert list(looks[1]) == ["adjectives", "pronoun", "subject", "previous word"]


def test_where_the_words_look_each_row_sums_to_one_and_only_looks_back(looks: Any) -> None:
    for rows in looks[1].values():
        for i, row in enumerate(rows):
            assert sum(row) == pytest.approx(1, abs=0.01)
            assert row[i + 1 :] == [0] * (len(row) - i - 1)


def test_where_the_words_look_a_noun_looks_at_its_own_adjectives(looks: Any) -> None:
    tokens, weights = looks
    assert strongest(tokens, weights["adjectives"][3], 2) == {"tired", "old"}
    assert strongest(tokens, weights["adjectives"][7]) == {"quiet"}


def test_where_the_words_look_it_looks_at_the_garden(looks: Any) -> None:
    tokens, weights = looks
    assert tokens[9] == "it"
    assert strongest(tokens, weights["pronoun"][9]) == {"garden"}


def test_where_the_words_look_each_word_looks_at_the_one_before(looks: Any) -> None:
    _, weights = looks
    for i in range(1, 12):
        assert weights["previous word"][i][i - 1] > 0.9


def test_alignment_the_verb_at_the_end_looks_into_the_middle(client: FlaskClient, ask: Any) -> None:
    body = client.get("/v1/examples/alignment").get_json()["body"]
    steps = {step["name"]: step["value"] for step in ask("attention", body)["steps"]}
    assert body["tokens"][5] == "gesehen"
    assert strongest(body["context"]["tokens"], steps["weights"][5]) == {"seen"}
    assert all(sum(row) == pytest.approx(1) for row in steps["weights"])
