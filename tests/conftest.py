"""The app in process, and how Hypothesis searches."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings

from service.app import create_app

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", parent=settings.get_profile("ci"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

Ask = Callable[[str, dict[str, Any]], Any]


@pytest.fixture(scope="session")
def app() -> Any:
    # A key that makes tokens; each reply computed anew, so that what repeats, repeats by itself.
    return create_app({"ENVIRONMENT": "development", "REPLY_CACHE_BYTES": "0"})


@pytest.fixture(scope="session")
def client(app: Any) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def ask(client: FlaskClient) -> Ask:
    """POST a body to an operation below /v1 that must accept it; the parsed reply."""

    def post(path: str, body: dict[str, Any]) -> Any:
        response = client.post(f"/v1/{path}", json=body)
        assert response.status_code == 200, response.text
        return response.get_json()

    return post
