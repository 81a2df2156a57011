"""Reads a request's JSON body, strictly.

Flask's own get_json() takes NaN, follows any charset, dies of deep nesting and cuts a chunked
body that is too long instead of refusing it; so the bytes are read here.
"""

from typing import Any

import orjson
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from service.api.place import Place, place_of

_BOM = b"\xef\xbb\xbf"


class NotJson(BadRequest):
    """A body that is not JSON; `place` leads to the value at which it stops being so."""

    def __init__(self, description: str, place: Place) -> None:
        super().__init__(description)
        self.place = place


def read_body(environ: dict[str, Any]) -> bytes:
    """The body's bytes, which are said to be JSON. Raises HTTPException: 400, 408, 413 or 415."""
    media_type, encoding = environ.get("CONTENT_TYPE"), environ.get("HTTP_CONTENT_ENCODING")
    if media_type != "application/json" or encoding:
        check_type(media_type or "", encoding or "")
    return read_bytes(environ, environ["service.max_body_bytes"])


def parse(text: bytes, noun: str = "body") -> Any:
    """The JSON value of a text, or NotJson."""
    try:
        return orjson.loads(text.removeprefix(_BOM))
    except orjson.JSONDecodeError as error:
        place = place_of(error.doc, error.pos)
        raise NotJson(f"The {noun} is not JSON in UTF-8: {error}.", place) from None


def check_type(media_type: str, encoding: str) -> None:
    """Raise UnsupportedMediaType unless the body is plain JSON."""
    name = media_type.partition(";")[0].strip().lower()
    if name != "application/json" and not (
        name.startswith("application/") and name.endswith("+json")
    ):
        raise UnsupportedMediaType(
            f"The body is {name or 'of no stated type'}; send Content-Type: application/json."
        )
    check_encoding(encoding)


def check_encoding(encoding: str) -> None:
    """Raise UnsupportedMediaType if the body is compressed."""
    if encoding and encoding.lower() != "identity":
        raise UnsupportedMediaType(
            f"The body is encoded as {encoding}; send it without Content-Encoding."
        )


def read_bytes(environ: dict[str, Any], limit: int) -> bytes:
    """The body's bytes, or RequestEntityTooLarge if there are more than `limit`."""
    length = declared_length(environ, limit)
    if length is not None:
        text: bytes = environ["wsgi.input"].read(length)
        if len(text) < length:
            raise BadRequest(f"The body ends after {len(text)} of {length} bytes.")
        return text
    text = environ["wsgi.input"].read(limit + 1)
    if len(text) > limit:
        raise too_large(limit)
    return text


def declared_length(environ: dict[str, Any], limit: int) -> int | None:
    """How many bytes the body has; None where that is seen only when it ends.

    Raises BadRequest, or RequestEntityTooLarge if it is more than `limit`.
    """
    declared = environ.get("CONTENT_LENGTH")
    if not declared:
        return None if environ.get("wsgi.input_terminated") else 0
    if not declared.isascii() or not declared.isdigit():
        raise BadRequest("Content-Length is not a number.")
    length = int(declared)
    if length > limit:
        raise too_large(limit)
    return length


def too_large(limit: int) -> RequestEntityTooLarge:
    """413."""
    return RequestEntityTooLarge(f"The body is larger than {limit:,} bytes.")
