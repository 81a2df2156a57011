"""An operation on many items: a line of JSON in, a line of JSON out, both as they come.

A line's reply depends on that line alone. One that cannot be used gets an error in its place, and
the others their replies.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import orjson
from flask import Response, current_app, request
from marshmallow import Schema
from werkzeug.exceptions import RequestEntityTooLarge

from service.api.body import parse
from service.api.caller import Caller
from service.api.contract import Operation, caller_of
from service.api.lines import LONGEST_LINE, MEDIA_TYPE, check_type, line_blocks
from service.api.problems import answer
from service.api.turns import TURN_SECONDS
from service.schemas.base import Request
from service.schemas.example import Example

LONGEST_ID = 256
_OTHER_ENDS = [(end.encode(), rb"\u%04x" % ord(end)) for end in "\u0085\u2028\u2029"]


class LinesOperation(Operation):
    """The view gets the value of one line and the caller, and returns the text of an object."""

    media = MEDIA_TYPE

    def __call__(self, **_: Any) -> Response:
        environ, app = request.environ, current_app
        check_type(environ)
        limit = app.config["MAX_BATCH_BYTES"]
        blocks = line_blocks(environ, limit)
        first = next(blocks, [])  # what is wrong from the start still has a status of its own
        allow_reading_ahead(environ, limit)
        replies = self.replies(chain([first], blocks), environ)
        return Response(replies, content_type=MEDIA_TYPE, direct_passthrough=True)

    def replies(self, blocks: Iterator[list[bytes]], environ: dict[str, Any]) -> Iterator[bytes]:
        """The reply to all lines. Lines are read outside of the turns in which they are worked
        on. If reading fails, a last line says why."""
        turns, caller, number = environ["service.turns"], caller_of(environ), 0
        try:
            for lines in blocks:
                yield from turns.chunks(self._worked(lines, number, caller, environ))
                number += len(lines)
        except Exception as error:  # the status is sent: whatever it is, only a line can say it
            yield _failed(error, b"", number + 1, environ)

    def _worked(
        self, lines: list[bytes], number: int, caller: Caller, environ: dict[str, Any]
    ) -> Iterator[bytes]:
        """The replies to some lines, in parts that take no longer than a turn should."""
        found: list[bytes] = []
        over = time.perf_counter() + TURN_SECONDS
        for line in lines:
            number += 1
            if not line.strip():
                continue
            found.append(self._one(line, number, caller, environ))
            if time.perf_counter() > over:
                yield joined(found)
                found, over = [], time.perf_counter() + TURN_SECONDS
        if found:
            yield joined(found)

    def _one(self, line: bytes, number: int, caller: Caller, environ: dict[str, Any]) -> bytes:
        id = b""
        try:
            if len(line) > LONGEST_LINE:
                raise RequestEntityTooLarge(f"The line is longer than {LONGEST_LINE:,} bytes.")
            item = parse(line, "line")
            id = _echoed(item)
            return b"{%b%b\n" % (id, self.view(item, caller)[1:])
        except Exception as error:  # each has its problem, as in Flask's own dispatch
            return _failed(error, id, number, environ)


def joined(lines: list[bytes]) -> bytes:
    """The lines as one text, in which a line feed alone looks like the end of a line.

    JSON leaves three other characters as they are that some readers take for one.
    """
    text = b"".join(lines)
    for raw, escaped in _OTHER_ENDS:
        text = text.replace(raw, escaped)
    return text


def _echoed(item: Any) -> bytes:
    """The line's id, as the first member of its reply; nothing if it is no id."""
    if type(item) is dict and type(id := item.get("id")) is str and len(id) <= LONGEST_ID:
        return b'"id":' + orjson.dumps(id) + b","
    return b""


def _failed(error: Exception, id: bytes, number: int, environ: dict[str, Any]) -> bytes:
    problem = answer(error, environ).get_data()
    return b'{%b"line":%d,"error":%b}\n' % (id, number, problem)


def allow_reading_ahead(environ: dict[str, Any], limit: int) -> None:
    """A client that sends all before it reads anything would otherwise wait for us for ever, and
    we for it. The server's socket takes in the rest of the body while a reply cannot be sent."""
    read_ahead = getattr(environ.get("gunicorn.socket"), "read_ahead", None)
    if read_ahead is not None:
        read_ahead(limit)


def lines_operation(
    reply: type[Schema], body: type[Request], tag: str, examples: Sequence[Example]
) -> Callable[[Callable[[Any, Caller], bytes]], LinesOperation]:
    """Declare what a view takes and replies for one line; an example's body is a list of lines."""
    return lambda view: LinesOperation(
        view, body, reply, None, tag, examples, {}, secured=False, stand_ins={}
    )
