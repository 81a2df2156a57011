"""Serves the contract, openapi.yaml, as it is committed."""

from pathlib import Path

from flask import Blueprint, Response, current_app

PATH = Path(__file__).parents[2] / "openapi.yaml"

bp = Blueprint("openapi", __name__)
# Read when the service starts, so that one without its contract does not start.
bp.record(lambda state: state.app.config.update(CONTRACT=PATH.read_bytes()))


@bp.get("/openapi.yaml")
@bp.get("/v1/openapi.yaml")
def get_contract() -> Response:
    """The contract, byte for byte."""
    return Response(current_app.config["CONTRACT"], content_type="application/yaml")
