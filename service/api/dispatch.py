"""Flask, with a short way to the operations.

Routing, contexts, hooks and signals take Flask longer than the attention of four tokens. A POST to
a path without parameters needs none of them, so it goes straight to its operation; anything else
takes Flask's own way. Both ways end in the same operation and the same problems.
"""

from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from typing import Any

from flask import Flask, Response

from service.api.body import read_body
from service.api.contract import Operation
from service.api.kept import MOST_BYTES, KeptReplies, Request
from service.api.problems import answer
from service.api.turns import Turns


class Service(Flask):
    """A Flask application that knows its operations by path."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.operations: dict[str, Operation] = {}
        self.turns = Turns()
        self.kept: KeptReplies | None = None

    def learn_operations(self) -> None:
        """Take the short way to each POST operation that has been registered."""
        for rule in self.url_map.iter_rules():
            view = self.view_functions[rule.endpoint]
            if type(view) is Operation and "POST" in (rule.methods or ()) and not rule.arguments:
                self.operations[rule.rule] = view

    def make_default_options_response(self) -> Response:
        """204 with Allow: there is no content, and so no type of it."""
        response = super().make_default_options_response()
        response.status_code = HTTPStatus.NO_CONTENT
        response.headers.pop("Content-Type", None)
        return response

    def wsgi_app(self, environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        environ["service.max_body_bytes"] = self.config["MAX_BODY_BYTES"]
        environ["service.secrets"] = self.config["SECRETS"]
        environ["service.turns"] = self.turns
        operation = self.operations.get(environ["PATH_INFO"])
        if operation is None or environ["REQUEST_METHOD"] != "POST":
            return super().wsgi_app(environ, start_response)
        try:
            body = read_body(environ)
            text = self.answer(operation, body, environ)
        except Exception as error:  # as Flask's own dispatch does: each has its problem
            return answer(error, environ)(environ, start_response)
        if not isinstance(text, bytes):
            start_response("200 OK", operation.headers)
            return self.turns.chunks(text)
        start_response("200 OK", [*operation.headers, ("Content-Length", str(len(text)))])
        return (text,)

    def answer(self, operation: Operation, body: bytes, environ: Any) -> bytes | Iterator[bytes]:
        """The reply's JSON text: as it was given before, or computed when it is its turn."""
        kept = self.kept if operation.repeats and len(body) <= MOST_BYTES else None
        if kept is None:
            with self.turns:
                return operation.answer(body, environ)
        request = Request(environ["PATH_INFO"], body)
        text: bytes | Iterator[bytes] | None = kept.get(request)
        if text is None:
            with self.turns:
                text = operation.answer(body, environ)
            if type(text) is bytes:
                kept.keep(request, text)
        return text
