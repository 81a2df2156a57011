"""What an operation takes and gives, declared beside its view and nowhere else.

The view gets the loaded request as keyword arguments and returns a Trace, or plain data in which
some values are traces, or the JSON text of such: bytes, or a generator of its parts. openapi.py
reads the same declarations.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from inspect import signature
from types import GeneratorType, MappingProxyType
from typing import Any
from urllib.parse import parse_qsl

from flask import Response, request
from marshmallow import Schema

from service.api.body import parse, read_body
from service.api.caller import Caller
from service.api.json_text import json_text
from service.api.view import take_view
from service.api.writer import stream, write
from service.schemas.base import Request
from service.schemas.example import Example
from service.schemas.trace import TraceRequest

JSON = "application/json"
_JSON_ALONE = [("Content-Type", JSON)]


class Operation:
    """A view with its contract, called by Flask in the view's place."""

    media = JSON

    def __init__(
        self,
        view: Callable[..., Any],
        body: type[Request] | None,
        reply: type[Schema],
        query: type[Request] | None,
        tag: str | None,
        examples: Sequence[Example],
        path: Mapping[str, str],
        secured: bool,
        stand_ins: Mapping[str, Any],
    ) -> None:
        self.__name__ = view.__name__
        self.__doc__ = view.__doc__
        self.view = view
        self.body = body() if body else None
        self.query = query() if query else None
        self.reply = reply
        self.tag = tag
        self.examples = examples
        self.path = path
        self.secured = secured
        self.stand_ins = stand_ins
        # A token or a revealed key is nothing for a cache.
        self.headers = [*_JSON_ALONE, *([("Cache-Control", "no-store")] if secured else [])]
        self.asks_who = "caller" in signature(view).parameters
        self.traced = isinstance(self.body, TraceRequest)
        # Nothing but the body says what is replied.
        self.repeats = not self.asks_who and self.query is None

    def __call__(self, **path: Any) -> Response:
        environ = request.environ
        body = read_body(environ) if self.body else b""
        with environ["service.turns"] if self.body else nullcontext():
            text = self.answer(body, environ, **path)
        if type(text) is not bytes:
            text = environ["service.turns"].chunks(text)
        return Response(text, headers=self.headers, direct_passthrough=type(text) is not bytes)

    def answer(
        self, body: bytes, environ: Mapping[str, Any], **path: Any
    ) -> bytes | Iterator[bytes]:
        """The reply's JSON text; an iterator where it is large and computed while it is sent.

        Whatever can be wrong with a request is raised here, before the first byte.
        """
        arguments = path
        if self.body is not None:
            arguments |= self.body.load(parse(body))
        if self.query is not None:
            query = environ.get("QUERY_STRING", "")
            arguments |= self.query.load(dict(parse_qsl(query, keep_blank_values=True)))
        if self.asks_who:
            arguments["caller"] = caller_of(environ)
        if not self.traced:
            made = self.view(**arguments)
            return made if type(made) in (bytes, GeneratorType) else json_text(made)
        view = take_view(arguments)
        parts = write(self.view(**arguments), view)
        try:
            return b"".join(parts)  # type: ignore[arg-type]
        except TypeError:  # a part is still to be computed
            return stream(parts)


def caller_of(environ: Mapping[str, Any]) -> Caller:
    """Who sent a request."""
    return Caller(
        environ.get("HTTP_AUTHORIZATION", ""),
        environ["service.secrets"],
        environ["service.turns"].give_way,
        {},
    )


def operation(
    reply: type[Schema],
    body: type[Request] | None = None,
    query: type[Request] | None = None,
    tag: str | None = None,
    examples: Sequence[Example] = (),
    path: Mapping[str, str] = MappingProxyType({}),
    secured: bool = False,
    stand_ins: Mapping[str, Any] = MappingProxyType({}),
) -> Callable[[Callable[..., Any]], Operation]:
    """Declare what a view takes (a body, a query) and what it replies.

    `tag` is the group under which the contract lists it: the blueprint's name if left out.
    `examples` are requests that the contract shows, each with the reply that the service gives.
    `path` says of each parameter in the path what it is. A view with a parameter `caller` gets who
    asks; one that is `secured` does more for a teacher, and no cache keeps its replies. `stand_ins`
    are shown for the members of a reply that are never twice the same.
    """
    return lambda view: Operation(view, body, reply, query, tag, examples, path, secured, stand_ins)
