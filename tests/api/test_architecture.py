"""GET /v1/architecture."""

from typing import Any

import pytest
from contract_file import exactly
from flask.testing import FlaskClient

from service.api.architecture import document
from service.api.dispatch import Service

MODELS = ["transformer-base", "transformer-big", "gpt3"]


def get(client: FlaskClient, query: str = "") -> Any:
    response = client.get(f"/v1/architecture{query}")
    assert response.status_code == 200, response.text
    return response.get_json()


def blocks(client: FlaskClient) -> list[dict[str, Any]]:
    reply = get(client)
    return [*reply["blocks"], *reply["decoder_only"]["blocks"]]


def test_all_models_stand_side_by_side(client: FlaskClient) -> None:
    assert [model["id"] for model in get(client)["models"]] == MODELS


@pytest.mark.parametrize("id", MODELS)
def test_one_model_may_be_asked_for_and_the_drawings_stay(client: FlaskClient, id: str) -> None:
    whole, part = get(client), get(client, f"?model={id}")
    assert part["models"] == [model for model in whole["models"] if model["id"] == id]
    assert part | {"models": []} == whole | {"models": []}


@pytest.mark.parametrize("query", ["", *(f"?model={id}" for id in MODELS)])
def test_a_reply_has_the_members_that_the_contract_names_and_no_others(
    client: FlaskClient, query: str
) -> None:
    exactly("#/components/schemas/ArchitectureReply").validate(get(client, query))


def test_an_unknown_model_is_refused_with_the_nearest_known_one(client: FlaskClient) -> None:
    response = client.get("/v1/architecture?model=gpt-3")
    assert response.status_code == 422
    assert response.content_type == "application/problem+json"
    assert response.get_json()["errors"] == [
        {
            "pointer": "#/model",
            "detail": "There is no model gpt-3. Did you mean gpt3? Known: transformer-base, "
            "transformer-big, gpt3.",
        }
    ]


def test_an_unknown_parameter_is_refused_with_the_nearest_known_one(client: FlaskClient) -> None:
    response = client.get("/v1/architecture?modle=gpt3")
    assert response.status_code == 422
    assert response.get_json()["errors"] == [
        {"pointer": "#/modle", "detail": "Unknown field modle. Did you mean model?"}
    ]


def test_every_endpoint_that_a_block_names_takes_a_post(client: FlaskClient, app: Service) -> None:
    named = {block["endpoint"] for block in blocks(client) if "endpoint" in block}
    assert named == {"/v1/multihead", "/v1/layernorm", "/v1/positions", "/v1/softmax"}
    assert named <= app.operations.keys()


@pytest.mark.parametrize(
    ("kind", "endpoint"),
    [
        ("attention", "/v1/multihead"),
        ("masked_attention", "/v1/multihead"),
        ("cross_attention", "/v1/multihead"),
        ("add_and_norm", "/v1/layernorm"),
        ("norm", "/v1/layernorm"),
        ("positional_encoding", "/v1/positions"),
        ("softmax", "/v1/softmax"),
        ("learned_positions", None),
        ("linear", None),
    ],
)
def test_a_block_names_the_endpoint_of_its_kind(
    client: FlaskClient, kind: str, endpoint: str | None
) -> None:
    found = [block for block in blocks(client) if block["kind"] == kind]
    assert found
    assert all(block.get("endpoint") == endpoint for block in found)


def test_what_a_block_lacks_is_left_out_and_never_null(client: FlaskClient) -> None:
    assert "null" not in client.get("/v1/architecture").text


def test_a_reply_is_written_once() -> None:
    assert document(("gpt3",)) is document(("gpt3",))
