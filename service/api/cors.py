"""Cross-origin access: which headers a reply carries.

flask-cors, the usual choice, answers a request without Origin with an arbitrary allowed origin
and a disallowed one without Vary; a shared cache then serves the wrong header.
"""

import re

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/,\s]+").fullmatch

Headers = list[tuple[str, str]]

_EXPOSED = ("Access-Control-Expose-Headers", "X-Request-Id")
_ANY: Headers = [("Access-Control-Allow-Origin", "*"), _EXPOSED]
PREFLIGHT: Headers = [
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id"),
    ("Access-Control-Max-Age", "86400"),
]


def allowed_origins(setting: str) -> frozenset[str]:
    """The origins of a setting, with spaces between; none of them, or *, means any.

    Raises ValueError for what no browser sends as an origin.
    """
    origins = frozenset(setting.split())
    if "*" in origins:
        return frozenset()
    for origin in origins:
        if not _ORIGIN(origin):
            raise ValueError(
                f"CORS_ORIGINS has {origin}; an origin is a scheme and a host, such as"
                " https://lms.example, with spaces between several."
            )
    return origins


def cors_headers(origin: str | None, allowed: frozenset[str]) -> Headers:
    """The headers for a request from this origin; an empty list of allowed origins means any."""
    if not allowed:
        return _ANY
    vary = ("Vary", "Origin")
    if origin not in allowed:
        return [vary]
    return [("Access-Control-Allow-Origin", str(origin)), vary, _EXPOSED]
