"""Exercises in steps over HTTP: posed, drawn, graded, revealed."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from refusals import assert_is_problem, assert_problem

from service.app import create_app

GRADE = "/v1/quiz/grade"
NDJSON = "application/x-ndjson"
EXERCISES = (
    "calculator",
    "masked-table",
    "two-heads",
    "add-and-norm",
    "norm-and-add",
    "parameter-counts",
)
SCORES = [["0"] * 4, ["0"] * 4, ["0"] * 4, ["0", "4", "4", "0"]]
TEACHER = {"Authorization": "Bearer a-credential-of-thirty-two-letters-x"}


def steps(question: str = "calculator", /, seed: int | None = None, **rows: Any) -> dict[str, Any]:
    item = {"question": question, "answer": {"kind": "steps", "steps": rows}}
    return item if seed is None else item | {"seed": seed}


@pytest.fixture(scope="module")
def taught() -> FlaskClient:
    credential = TEACHER["Authorization"].removeprefix("Bearer ")
    settings = {"ENVIRONMENT": "development", "TEACHER_CREDENTIALS": credential}
    return create_app(settings).test_client()


@pytest.mark.parametrize("id", EXERCISES)
def test_an_exercise_is_posed_with_what_is_given_and_what_to_fill_in(
    client: FlaskClient, id: str
) -> None:
    posed = client.get(f"/v1/quiz/{id}?seed=3").get_json()
    assert (posed["id"], posed["input"], posed["answer_kinds"]) == (id, "steps", ["steps"])
    assert all(set(given) >= {"name", "symbol", "shape", "value"} for given in posed["givens"])
    for step in posed["steps"]:
        assert set(step) == {
            "name", "title", "symbol", "axes", "shape", "formula", "reads", "rule"
        }  # fmt: skip


def test_exercises_are_listed_after_the_questions(client: FlaskClient) -> None:
    listed = [one["id"] for one in client.get("/v1/quiz").get_json()["questions"]]
    assert listed[-len(EXERCISES) :] == list(EXERCISES)
    norms = client.get("/v1/quiz?chapter=norms&seed=3").get_json()["questions"]
    assert {"add-and-norm", "norm-and-add"} <= {one["id"] for one in norms}


def test_the_posed_steps_are_what_an_answer_may_name(client: FlaskClient) -> None:
    posed = client.get("/v1/quiz/two-heads").get_json()
    rows = {step["name"]: [["1"] * step["shape"][1]] * step["shape"][0] for step in posed["steps"]}
    response = client.post(GRADE, json={"items": [steps("two-heads", **rows)]})
    (item,) = response.get_json()["items"]
    assert [step["name"] for step in item["steps"]] == list(rows)


def test_each_step_says_what_is_wrong_first_and_which_slip_explains_it(client: FlaskClient) -> None:
    response = client.post(GRADE, json={"items": [steps(scores=SCORES, scaled=SCORES)]})
    (item,) = response.get_json()["items"]
    scores, scaled = item["steps"]
    assert (scores["verdict"], scores["carried"]) == ("correct", False)
    assert (scaled["verdict"], scaled["score"]) == ("partial", 14 / 16)
    assert scaled["misconception"]["code"] == item["misconception"]["code"] == "no_scaling"
    assert scaled["first_wrong"] == {
        "row": 3,
        "column": 1,
        "made_from": [{"name": "scores", "row": 3, "column": 1}],
    }


def test_an_unknown_step_is_refused_with_its_place(client: FlaskClient) -> None:
    response = client.post(GRADE, json={"items": [steps(scores=SCORES), steps(a=SCORES)]})
    assert_problem(
        response,
        422,
        "#/items/1/answer/steps",
        "There is no step 'a'; there are Q, K, scores, scaled, masked, weights, V, head, update,"
        " output.",
    )


@pytest.mark.parametrize(
    ("answered", "pointer"),
    [
        ({"a/b~": [["1", None]]}, "/a~1b~0/0/1"),
        ({"Q": [["1"]], "K": "1"}, "/K"),
        ({"Q": [["1"], 1]}, "/Q/1"),
        ([["1"]], ""),
    ],
)
def test_what_is_wrong_in_a_step_is_pointed_at_in_the_body(
    client: FlaskClient, answered: Any, pointer: str
) -> None:
    item = {"question": "calculator", "answer": {"kind": "steps", "steps": answered}}
    response = client.post(GRADE, json={"items": [item]})
    assert_is_problem(response, 422)
    pointers = [error["pointer"] for error in response.get_json()["errors"]]
    assert pointers == [f"#/items/0/answer/steps{pointer}"]


def test_only_a_teacher_says_which_steps_count(client: FlaskClient, taught: FlaskClient) -> None:
    body = {"items": [steps(scores=SCORES) | {"asked": ["scores"]}]}
    assert_is_problem(client.post(GRADE, json=body), 401)
    assert taught.post(GRADE, json=body, headers=TEACHER).get_json()["score"]["given"] == 1
    line = client.post(f"{GRADE}/batch", data=json.dumps(body["items"][0]), content_type=NDJSON)
    assert line.get_json(force=True)["error"]["errors"][0]["pointer"] == "#/asked"


def test_a_question_that_has_no_steps_is_not_asked_for_some(taught: FlaskClient) -> None:
    item = {"question": "dot-product", "answer": {"kind": "text", "text": "1"}, "asked": ["Q"]}
    response = taught.post(GRADE, json={"items": [item]}, headers=TEACHER)
    assert_is_problem(response, 422)
    assert response.get_json()["errors"][0]["pointer"] == "#/items/0/asked"


def test_with_reveal_a_teacher_gets_the_engines_own_trace(taught: FlaskClient) -> None:
    body = {"items": [steps(scores=SCORES, scaled=SCORES)], "reveal": True}
    (item,) = taught.post(GRADE, json=body, headers=TEACHER).get_json()["items"]
    assert [step["name"] for step in item["solution"]["steps"]][-1] == "output"
    assert item["steps"][1]["first_wrong"]["value"] == pytest.approx(4 / 2**0.5)


def test_a_drawn_exercise_is_graded_by_its_token(client: FlaskClient) -> None:
    drawn = client.post("/v1/quiz/draw", json={"questions": ["masked-table"]}).get_json()
    (posed,) = drawn["questions"]
    (scores,) = posed["givens"]
    masked = [
        [repr(cell) if j <= i else "-inf" for j, cell in enumerate(row)]
        for i, row in enumerate(scores["value"])
    ]
    item = {"token": posed["token"], "answer": {"kind": "steps", "steps": {"masked": masked}}}
    (graded,) = client.post(GRADE, json={"items": [item]}).get_json()["items"]
    assert (graded["steps"][0]["verdict"], graded["score"]) == ("correct", 0.5)


def test_a_batch_grades_exercises_and_repeats_to_the_byte(client: FlaskClient) -> None:
    lines = "\n".join(json.dumps(steps(seed=seed, scores=SCORES)) for seed in range(5))
    one, two = (
        client.post(f"{GRADE}/batch", data=lines, content_type=NDJSON).data for _ in range(2)
    )
    assert one == two
    assert [json.loads(line)["steps"][0]["name"] for line in one.splitlines()] == ["scores"] * 5


def test_too_much_typed_in_steps_is_refused(client: FlaskClient) -> None:
    rows = [["1" * 1_000] * 70]
    assert_is_problem(client.post(GRADE, json={"items": [steps(scores=rows)]}), 422)
