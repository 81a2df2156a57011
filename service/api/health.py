"""Probes. Both are cheap; a stateless service is ready once it is up."""

from flask import Blueprint, Response

bp = Blueprint("health", __name__)


@bp.get("/healthz")
@bp.get("/readyz")
def check_health() -> Response:
    """The service is up."""
    return Response(b'{"status":"ok"}', content_type="application/json")
