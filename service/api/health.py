"""Probes. Both are cheap; a stateless service is ready once it is up."""

from flask import Blueprint

from service.api.contract import operation
from service.schemas import replies
from service.schemas.example import Example

bp = Blueprint("health", __name__)
UP = {"status": "ok"}
EXAMPLES = (Example("up", "The service is up"),)


@bp.get("/healthz")
@operation(replies.Health, tag="service", examples=EXAMPLES)
def check_health() -> dict[str, str]:
    """Whether the service is alive."""
    return UP


@bp.get("/readyz")
@operation(replies.Health, tag="service", examples=EXAMPLES)
def check_readiness() -> dict[str, str]:
    """Whether the service takes requests."""
    return UP
