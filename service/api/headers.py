"""What every reply carries, errors included: cross-origin headers and the request's id.

A WSGI layer, since Flask's own hooks do not see every reply. A caller's X-Request-Id comes back; a
request without one gets one, by which the log names it.
"""

import re
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any
from uuid import uuid4

from service.api.cors import PREFLIGHT, Headers, cors_headers

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_FIT = re.compile(r"[!-~]{1,128}").fullmatch


def request_ids() -> Iterable[str]:
    """Ids that differ between processes by their beginning and within one by their end."""
    beginning = uuid4().hex[:12]
    return (f"{beginning}-{number:x}" for number in count())


def with_headers(app: Wsgi, allowed: frozenset[str]) -> Wsgi:
    """The app, with both on each reply, and preflights answered."""
    fresh = iter(request_ids())

    def wrapped(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        known = environ.get("HTTP_X_REQUEST_ID")
        request_id = known if known is not None and _FIT(known) else next(fresh)
        environ["service.request_id"] = request_id
        headers: Headers = [
            *cors_headers(environ.get("HTTP_ORIGIN"), allowed),
            ("X-Request-Id", request_id),
        ]
        if environ["REQUEST_METHOD"] == "OPTIONS" and (
            "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        ):
            start_response("204 No Content", headers + PREFLIGHT)
            return []

        def start(status: str, given: Headers, exc_info: Any = None) -> Any:
            return start_response(status, given + headers, exc_info)

        return app(environ, start)

    return wrapped
