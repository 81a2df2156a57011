"""The scaling laboratory, an embedding moved, and Table 1 over HTTP."""

from typing import Any

import pytest
from flask.testing import FlaskClient

SOFTMAX, MOVE, COMPLEXITY = "/v1/softmax", "/v1/move", "/v1/complexity"
QK = {"Q": [[1, 0]], "K": [[2, 0], [0, 2]]}
STEP = {"x": [1, 2], "V": [[1, 0], [0, 1]], "weights": [0.5, 0.5]}
SIZES = {"n": 100, "d": 512}


def refusal(client: FlaskClient, path: str, body: dict[str, Any]) -> tuple[str, str]:
    reply = client.post(path, json=body)
    assert reply.status_code == 422, reply.text
    assert reply.content_type == "application/problem+json"
    (error,) = reply.get_json()["errors"]
    return error["pointer"], error["detail"]


def test_given_vectors_are_one_experiment_with_a_trace(ask: Any) -> None:
    reply = ask("softmax", QK)
    (one,) = reply["experiments"]
    assert reply.keys() == {"experiments"}
    assert one["d_k"] == 2
    names = [step["name"] for step in one["trace"]["steps"]]
    assert names == ["Q", "K", "scores", "scaled", "weights_raw", "weights"]
    assert "over_draws" not in one


def test_a_seed_gives_an_experiment_for_each_width(ask: Any) -> None:
    reply = ask("softmax", {"seed": 3, "d_k": [2, 16], "n_keys": 4, "draws": 5})
    assert [one["d_k"] for one in reply["experiments"]] == [2, 16]
    shapes = [one["trace"]["steps"][1]["shape"] for one in reply["experiments"]]
    assert shapes == [[4, 2], [4, 16]]
    assert reply["drawn"]["seed"] == 3
    assert reply["experiments"][1]["over_draws"]["raw"]["predicted_variance"] == 16


def test_a_null_score_is_minus_infinity(ask: Any) -> None:
    trace = ask("softmax", {"scores": [[1, None, 2]]})["experiments"][0]["trace"]
    assert trace["steps"][1]["value"] == [[1, None, 2]]
    assert trace["steps"][1]["hidden"] == [[0, 1, 0]]
    assert trace["steps"][3]["value"][0][1] == 0


def test_one_of_several_widths_can_be_explained(ask: Any) -> None:
    cell = {"step": "scaled", "row": 0, "column": 0, "trace": "experiments/1"}
    body = {"seed": 3, "d_k": [2, 16], "draws": 1, "explain": [cell], "steps": ["scaled"]}
    first, second = (one["trace"] for one in ask("softmax", body)["experiments"])
    assert first["explanations"] == []
    assert second["explanations"][0]["text"].split()[1:3] == ["/", "√16"]


def test_a_temperature_is_in_the_arithmetic_and_in_the_formula(ask: Any) -> None:
    body = {"scores": [[2, 4]], "temperature": 2, "explain": [{"step": "weights", "column": 0}]}
    trace = ask("softmax", body)["experiments"][0]["trace"]
    assert trace["explanations"][0]["text"].startswith("e^(2 / 2) / (e^(2 / 2) + e^(4 / 2)) = ")
    assert r"/ \tau" in trace["steps"][-1]["formula"]


@pytest.mark.parametrize(
    ("body", "pointer", "detail"),
    [
        ({}, "#/Q", "Send Q and K, or scores, or a seed to draw them from."),
        ({"seed": 1, "d_k": [2, 2.5]}, "#/d_k/1", "This must be a whole number, not 2.5."),
        ({"seed": 1, "d_k": 64}, "#/d_k", "This must be a list of whole numbers, not a number."),
        ({"seed": -1}, "#/seed", None),
        ({"seed": 1, "d_k": [0]}, "#/d_k/0", None),
        ({"scores": [[1, 2]], "temperature": 0}, "#/temperature", None),
        ({"scores": [[1, "2"]]}, "#/scores/0/1",
         "A cell must be a number or null, not a string."),
        ({"Q": [[1]], "K": [[1, 2]]}, "#/K", "K has 2 columns, but Q has 1; both need d_k."),
        ({"seed": 1, "d_k": [512], "draws": 2000}, "#/draws", None),
        ({"seed": 1, "d_k": [1] * 65}, "#/d_k", "This must have at most 64 widths, not 65."),
        ({"logits": [[1, 2]]}, "#/logits", None),
    ],
)  # fmt: skip
def test_what_cannot_be_weighed_is_refused_with_its_place(
    client: FlaskClient, body: dict[str, Any], pointer: str, detail: str | None
) -> None:
    found = refusal(client, SOFTMAX, body)
    assert found[0] == pointer
    assert detail is None or found[1] == detail


def test_a_moved_embedding_has_its_steps_and_no_way_to_a_target_without_one(ask: Any) -> None:
    reply = ask("move", STEP)
    names = [step["name"] for step in reply["steps"]]
    assert names == ["x", "V", "weights", "contributions", "update", "moved"]
    assert "towards" not in reply
    assert "reaching" not in reply


def test_a_target_is_an_input_and_shows_the_way(ask: Any) -> None:
    reply = ask("move", STEP | {"target": [2, 2], "tokens": ["a", "b"]})
    assert [one["name"] for one in reply["inputs"]] == ["target"]
    assert reply["reaching"]["weights"] == pytest.approx([1, 0], abs=1e-15)
    assert reply["towards"]["distance_before"] == 1


def test_what_does_not_fit_a_move_is_refused_with_its_place(client: FlaskClient) -> None:
    assert refusal(client, MOVE, STEP | {"weights": [1]}) == (
        "#/weights",
        "There is 1 weight, but V has 2 rows; each value needs one.",
    )
    assert refusal(client, MOVE, STEP | {"tokens": ["a"]})[0] == "#/tokens"


def test_table_1_names_what_it_counts(ask: Any) -> None:
    reply = ask("complexity", SIZES)
    assert reply["layers"][0]["work"]["value"] == 5_120_000
    assert "not FLOPs" in reply["conventions"]["counts"]
    assert reply["words_apart"]["recurrent"] == 99


def test_a_number_that_no_double_holds_is_also_text(ask: Any) -> None:
    reply = ask("complexity", {"n": 10**9, "d": 10**9})
    work = reply["layers"][0]["work"]
    assert work["exact"] == {"value": "1" + 27 * "0"}
    assert work["value"] == 1e27
    assert "exact" not in reply["layers"][0]["sequential"]


def test_layers_that_do_the_same_work_have_none_that_does_less(ask: Any) -> None:
    crossover = ask("complexity", {"n": 512, "d": 512})["crossovers"][0]
    assert "less_work" not in crossover
    assert crossover["holds"] is False


@pytest.mark.parametrize(
    ("change", "pointer"),
    [({"k": 1}, "#/k"), ({"r": 101}, "#/r"), ({"n": 0}, "#/n"), ({"n": None}, "#/n")],
)
def test_sizes_that_are_none_are_refused(
    client: FlaskClient, change: dict[str, Any], pointer: str
) -> None:
    assert refusal(client, COMPLEXITY, SIZES | change)[0] == pointer
