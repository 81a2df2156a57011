"""Cross-origin access, as a WSGI layer so that every reply carries it, errors included.

flask-cors, the usual choice, answers a request without Origin with an arbitrary allowed origin
and a disallowed one without Vary; a shared cache then serves the wrong header.
"""

from collections.abc import Callable, Iterable
from typing import Any

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[str, str]]

_EXPOSED = ("Access-Control-Expose-Headers", "X-Request-Id")
_ANY: Headers = [("Access-Control-Allow-Origin", "*"), _EXPOSED]
_PREFLIGHT: Headers = [
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", "Content-Type, X-Request-Id"),
    ("Access-Control-Max-Age", "86400"),
]


def allowed_origins(setting: str) -> frozenset[str]:
    """The origins of a setting, with spaces between; none of them, or *, means any."""
    origins = frozenset(setting.split())
    return frozenset() if "*" in origins else origins


def cors_headers(origin: str | None, allowed: frozenset[str]) -> Headers:
    """The headers for a request from this origin; an empty list of allowed origins means any."""
    if not allowed:
        return _ANY
    vary = ("Vary", "Origin")
    if origin not in allowed:
        return [vary]
    return [("Access-Control-Allow-Origin", str(origin)), vary, _EXPOSED]


def with_cors(app: Wsgi, allowed: frozenset[str]) -> Wsgi:
    """The app, with cross-origin headers on each reply and preflights answered."""

    def wrapped(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        headers = cors_headers(environ.get("HTTP_ORIGIN"), allowed)
        if environ["REQUEST_METHOD"] == "OPTIONS" and (
            "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        ):
            start_response("204 No Content", headers + _PREFLIGHT)
            return []

        def start(status: str, given: Headers, exc_info: Any = None) -> Any:
            return start_response(status, given + headers, exc_info)

        return app(environ, start)

    return wrapped
