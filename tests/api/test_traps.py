"""Traps that measured services fell into, one test each."""

import json
import time
from typing import Any

import pytest
from every_request import EVERY, PLAIN, REPEATABLE, Asked, numeric_matrices, pointer, put, put_text
from flask.testing import FlaskClient
from refusals import assert_is_problem, assert_problem

JSON = "application/json"
ATTENTION = "/v1/attention"
ONE: dict[str, Any] = {"Q": [[1.0]], "K": [[1.0]], "V": [[1.0]]}

PLACES = [
    pytest.param(asked, place, id=f"{name} {pointer(place)}")
    for name, asked in EVERY.items()
    for place in numeric_matrices(asked.body)
]
every_matrix = pytest.mark.parametrize(("asked", "place"), PLACES)


def send(client: FlaskClient, text: str | bytes, path: str = ATTENTION) -> Any:
    return client.post(path, data=text, content_type=JSON)


def test_every_operation_with_a_body_is_tried(app: Any) -> None:
    """A new operation belongs into every_request.py, and is then held to all of this."""
    assert {asked.path for asked in EVERY.values()} == set(app.operations)


def test_every_request_is_valid(client: FlaskClient) -> None:
    for asked in EVERY.values():
        assert client.post(asked.path, json=asked.body).status_code == 200


def test_405_keeps_allow(client: FlaskClient) -> None:
    response = client.get(ATTENTION)
    assert_is_problem(response, 405)
    assert "POST" in response.headers["Allow"]


@every_matrix
@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_what_is_no_finite_number_is_refused_in_every_matrix(
    client: FlaskClient, asked: Asked, place: Any, word: str
) -> None:
    response = send(client, put_text(asked.body, place, f"[[0, {word}]]"), asked.path)
    assert_is_problem(response, 400)
    assert response.get_json()["errors"][0]["pointer"] == f"{pointer(place)}/0/1"


def test_nesting_that_overflows_a_stack_is_no_fault_of_the_service(client: FlaskClient) -> None:
    assert send(client, "[" * 100_000 + "]" * 100_000).status_code in (400, 422)


def test_nesting_is_refused_within_half_a_second(client: FlaskClient) -> None:
    start = time.monotonic()
    send(client, "[" * 100_000 + "]" * 100_000)
    assert time.monotonic() - start < 0.5


@every_matrix
def test_cells_of_1e200_never_make_infinity(client: FlaskClient, asked: Asked, place: Any) -> None:
    node = asked.body
    for part in place:
        node = node[part]
    body = put(asked.body, place, [[1e200] * len(row) for row in node])
    response = client.post(asked.path, json=body)
    if response.status_code == 422:
        assert_is_problem(response, 422)
        assert "fit a float64" in response.get_json()["detail"]
    else:
        assert response.status_code == 200
        assert b"Infinity" not in response.data
        assert b"NaN" not in response.data


def test_scores_of_1e400_are_refused_by_name(client: FlaskClient) -> None:
    sentence = (
        "scores overflows: its cell in row 0, column 0 does not fit a float64. Use smaller numbers."
    )
    response = client.post(ATTENTION, json=ONE | {"Q": [[1e200]], "K": [[1e200]]})
    assert_problem(response, 422, "#", sentence)


@every_matrix
@pytest.mark.parametrize("digits", [400, 5000])
def test_an_integer_of_very_many_digits_is_refused_in_every_matrix(
    client: FlaskClient, asked: Asked, place: Any, digits: int
) -> None:
    response = send(client, put_text(asked.body, place, f"[[{'9' * digits}]]"), asked.path)
    assert_is_problem(response, 400)
    assert response.get_json()["errors"][0]["pointer"] == f"{pointer(place)}/0/0"


@pytest.mark.parametrize("cell", [True, False, "1.5", "1_0", " 2 ", "", [1], {}])
@every_matrix
def test_what_python_would_read_as_a_number_is_refused_in_every_matrix(
    client: FlaskClient, asked: Asked, place: Any, cell: Any
) -> None:
    response = client.post(asked.path, json=put(asked.body, place, [[0.0, cell]]))
    assert_is_problem(response, 422)
    assert response.get_json()["errors"][0]["pointer"] == f"{pointer(place)}/0/1"


@every_matrix
@pytest.mark.parametrize("rows", [[[1.0, 2.0], [3.0]], [[1.0], [2.0, 3.0]], [[1.0], 2.0]])
def test_ragged_rows_are_no_fault_of_the_service(
    client: FlaskClient, asked: Asked, place: Any, rows: Any
) -> None:
    response = client.post(asked.path, json=put(asked.body, place, rows))
    assert_is_problem(response, 422)
    assert response.get_json()["errors"][0]["pointer"] == f"{pointer(place)}/1"


def test_of_a_member_that_occurs_twice_the_last_one_counts(client: FlaskClient) -> None:
    """As the README and the contract say."""
    text = '{"Q": [[1]], "Q": [[2]], "K": [[1]], "V": [[1]], "steps": ["Q"]}'
    assert send(client, text).get_json()["steps"][0]["value"] == [[2.0]]


def test_half_a_head_does_not_become_a_whole_one(client: FlaskClient) -> None:
    body = EVERY["multihead-packed"].body | {"n_heads": 2.5}
    sentence = "This must be a whole number, not 2.5."
    assert_problem(client.post("/v1/multihead", json=body), 422, "#/n_heads", sentence)


def test_a_whole_number_may_be_written_with_a_point_or_an_exponent(client: FlaskClient) -> None:
    text = json.dumps(EVERY["multihead-packed"].body)
    for written in ("2.0", "2e0", "20e-1"):
        changed = text.replace('"n_heads": 2', f'"n_heads": {written}')
        assert (
            send(client, changed, "/v1/multihead").data == send(client, text, "/v1/multihead").data
        )


@pytest.mark.parametrize("flag", [1, 0, 1.0, "yes", "on", "true", "no", [True]])
def test_only_true_and_false_are_flags(client: FlaskClient, flag: Any) -> None:
    response = client.post(ATTENTION, json=ONE | {"mask": {"causal": flag}})
    assert_is_problem(response, 422)
    assert response.get_json()["errors"][0]["pointer"] == "#/mask/causal"


def test_members_come_in_the_order_that_is_documented_not_sorted(client: FlaskClient) -> None:
    response = client.post(ATTENTION, json=ONE)
    names = ["axes", "inputs", "steps", "invariants", "conventions", "warnings", "explanations"]
    assert list(json.loads(response.data)) == names


@pytest.mark.parametrize(
    "path", ["/v1/attention/", "//v1/attention", "/v1//attention", "/v1/attention//"]
)
def test_no_path_is_redirected(client: FlaskClient, path: str) -> None:
    assert client.post(path, json=ONE).status_code == 404


def test_a_fully_masked_row_is_zeros_and_not_nan(client: FlaskClient) -> None:
    reply = client.post(ATTENTION, json=ONE | {"mask": {"keep": [[False]]}}).get_json()
    values = {step["name"]: step["value"] for step in reply["steps"]}
    assert (values["weights"], values["head"]) == ([[0.0]], [[0.0]])


def test_a_hidden_value_does_not_leak_whatever_it_holds(client: FlaskClient) -> None:
    body = {
        "Q": [[1.0]],
        "K": [[1.0], [1e300]],
        "V": [[7.0], [1e300]],
        "mask": {"keep_keys": [True, False]},
        "steps": ["weights", "head"],
    }
    weights, head = client.post(ATTENTION, json=body).get_json()["steps"]
    assert (weights["value"], head["value"]) == ([[1.0, 0.0]], [[7.0]])


def test_causal_acts_together_with_a_mask_of_ones_own(client: FlaskClient) -> None:
    body = {
        "Q": [[0.0], [0.0]],
        "K": [[0.0], [0.0]],
        "V": [[1.0], [2.0]],
        "mask": {"causal": True, "keep": [[True, True], [False, True]]},
        "steps": ["weights"],
    }
    (weights,) = client.post(ATTENTION, json=body).get_json()["steps"]
    assert weights["value"] == [[1.0, 0.0], [0.0, 1.0]]


def test_the_softcap_acts_before_the_mask(client: FlaskClient) -> None:
    body = ONE | {"softcap": 1.0, "mask": {"keep": [[False]]}}
    reply = client.post(ATTENTION, json=body).get_json()
    values = {step["name"]: step["value"] for step in reply["steps"]}
    assert (values["capped"][0][0] < 1.0, values["masked"]) == (True, [[None]])


def test_without_cache_causal_starts_in_the_upper_left(client: FlaskClient) -> None:
    body = {"n_q": 2, "n_k": 3, "mask": {"causal": True}, "steps": ["hidden"]}
    (hidden,) = client.post("/v1/mask", json=body).get_json()["steps"]
    assert hidden["value"] == [[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]


@pytest.mark.parametrize("asked", EVERY.values(), ids=EVERY)
def test_the_decimals_of_a_number_are_those_of_a_double(client: FlaskClient, asked: Asked) -> None:
    """0.1 comes back as 0.1, not as the 0.10000000149011612 of a float32."""
    assert b"0.10000000149011612" not in client.post(asked.path, json=asked.body).data


@pytest.mark.parametrize("cell", [0.1, 5e-324, 1.7976931348623157e308, 0.30000000000000004, 1e22])
def test_a_double_comes_back_as_it_is(client: FlaskClient, cell: float) -> None:
    body = {"Q": [[0.0]], "K": [[0.0]], "V": [[cell]], "steps": ["V", "head"]}
    steps = client.post(ATTENTION, json=body).get_json()["steps"]
    assert [step["value"] for step in steps] == [[[cell]], [[cell]]]


@pytest.mark.parametrize("name", ["attention", *sorted(PLAIN.keys() & REPEATABLE.keys())])
def test_a_byte_order_mark_is_passed_over(client: FlaskClient, name: str) -> None:
    asked = EVERY[name]
    text = json.dumps(asked.body).encode()
    marked = send(client, b"\xef\xbb\xbf" + text, asked.path)
    assert (marked.status_code, marked.data) == (200, send(client, text, asked.path).data)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_json_in_another_encoding_is_refused(client: FlaskClient, encoding: str) -> None:
    assert_is_problem(send(client, json.dumps(ONE).encode(encoding)), 400)


def test_a_path_of_other_characters_is_an_ordinary_404(client: FlaskClient) -> None:
    assert_is_problem(client.get("/\N{SNOWMAN}"), 404)
