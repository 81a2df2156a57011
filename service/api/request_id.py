"""A caller's X-Request-Id comes back; a request without one gets one. The log names it."""

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from service.api.cors import Headers, Wsgi

_FIT = re.compile(r"[!-~]{1,128}").fullmatch


def with_request_id(app: Wsgi) -> Wsgi:
    """The app, with X-Request-Id on each reply."""

    def wrapped(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        known = environ.get("HTTP_X_REQUEST_ID", "")
        request_id = known if _FIT(known) else os.urandom(8).hex()
        environ["service.request_id"] = request_id

        def start(status: str, given: Headers, exc_info: Any = None) -> Any:
            return start_response(status, [*given, ("X-Request-Id", request_id)], exc_info)

        return app(environ, start)

    return wrapped
