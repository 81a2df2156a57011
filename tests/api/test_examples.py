"""The lecture's demos as ready requests: each can be posted as it is, and none gets lost."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from refusals import assert_is_problem

from service.app import create_app
from service.schemas.lecture.demos import DEMOS

IDS = [demo.id for demo in DEMOS]
LECTURE = {
    "calculator": "/v1/attention",
    "calculator-noun-first": "/v1/attention",
    "calculator-fluffier": "/v1/attention",
    "calculator-columns": "/v1/attention",
    "alignment": "/v1/attention",
    "cross-attention": "/v1/attention",
    "scaling-laboratory": "/v1/softmax",
    "mask-table": "/v1/mask",
    "mask-table-off": "/v1/mask",
    "four-heads": "/v1/multihead",
    "two-heads": "/v1/multihead",
    "move": "/v1/move",
    "add-and-norm": "/v1/layernorm",
    "add-and-norm-before": "/v1/layernorm",
    "block": "/v1/block",
    "block-encoder": "/v1/block",
    "block-decoder": "/v1/block",
    "tiny-gpt": "/v1/block",
    "mask-off": "/v1/compare",
    "fluffiness-2": "/v1/compare",
    "sinusoidal": "/v1/positions",
    "gpt3": "/v1/params",
    "transformer-base": "/v1/params",
    "layers": "/v1/complexity",
    "price": "/v1/complexity",
    "quiz": "/v1/quiz/grade",
}

every = pytest.mark.parametrize("id", IDS)


def listed(client: FlaskClient) -> list[dict[str, Any]]:
    return client.get("/v1/examples").get_json()["examples"]


@every
def test_an_example_can_be_posted_unchanged_to_its_path(client: FlaskClient, id: str) -> None:
    example = client.get(f"/v1/examples/{id}").get_json()
    assert example["method"] == "POST"
    assert client.post(example["path"], json=example["body"]).status_code == 200


@every
def test_an_example_says_nothing_that_is_worth_a_warning(client: FlaskClient, id: str) -> None:
    example = client.get(f"/v1/examples/{id}").get_json()
    reply = client.post(example["path"], json=example["body"]).get_json()
    assert reply.get("warnings", []) == []


def test_ids_are_unique(client: FlaskClient) -> None:
    ids = [example["id"] for example in listed(client)]
    assert len(ids) == len(set(ids))


def test_titles_are_unique(client: FlaskClient) -> None:
    titles = [example["title"] for example in listed(client)]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize(("id", "path"), LECTURE.items())
def test_each_demo_of_the_lecture_has_an_example(client: FlaskClient, id: str, path: str) -> None:
    assert {example["id"]: example["path"] for example in listed(client)}[id] == path


def test_every_operation_with_a_body_has_an_example(client: FlaskClient) -> None:
    assert {example["path"] for example in listed(client)} == set(create_app({}).operations)


@every
def test_the_list_says_of_an_example_what_it_says_of_itself(client: FlaskClient, id: str) -> None:
    example = client.get(f"/v1/examples/{id}").get_json()
    del example["body"]
    assert example in listed(client)


NEAREST = {
    "calculater": "calculator",
    "mask_table": "mask-table",
    "Two-Heads": "two-heads",
    "gpt-3": "gpt3",
    "add-norm": "add-and-norm",
}


@pytest.mark.parametrize(("id", "nearest"), NEAREST.items())
def test_an_unknown_example_is_404_with_the_nearest_name(
    client: FlaskClient, id: str, nearest: str
) -> None:
    response = client.get(f"/v1/examples/{id}")
    assert_is_problem(response, 404)
    detail = response.get_json()["detail"]
    assert detail.startswith(f"There is no example {id}. Did you mean {nearest}? Known: ")


def test_an_example_like_no_other_is_404_with_all_names(client: FlaskClient) -> None:
    response = client.get("/v1/examples/zzzzzz")
    assert_is_problem(response, 404)
    assert response.get_json()["detail"] == (
        f"There is no example zzzzzz. Known: {', '.join(IDS)}."
    )


@pytest.mark.parametrize("id", ["", "calculator/", "calculator/body", "%2F", "a" * 3000, "ü"])
def test_an_id_that_is_no_name_is_an_ordinary_404(client: FlaskClient, id: str) -> None:
    assert_is_problem(client.get(f"/v1/examples/{id}"), 404)
