"""A body of lines, each a JSON value (NDJSON), read as it arrives."""

from collections.abc import Iterator
from typing import Any

from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from service.api.body import check_encoding, declared_length, too_large

MEDIA_TYPE = "application/x-ndjson"
OTHER_NAMES = frozenset({"application/ndjson", "application/jsonl", "application/jsonlines"})

LONGEST_LINE = 1 << 18
MOST_LINES = 100_000
BLOCK = 1 << 16

_BOM = b"\xef\xbb\xbf"


def check_type(environ: dict[str, Any]) -> None:
    """Raise UnsupportedMediaType unless the body is said to be plain NDJSON."""
    name = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if name != MEDIA_TYPE and name not in OTHER_NAMES:
        raise UnsupportedMediaType(
            f"The body is {name or 'of no stated type'}; send Content-Type: {MEDIA_TYPE}."
        )
    check_encoding(environ.get("HTTP_CONTENT_ENCODING", ""))


def line_blocks(environ: dict[str, Any], limit: int) -> Iterator[list[bytes]]:
    """The lines of each block that arrives, without their ends; a line that is longer than
    LONGEST_LINE is cut to one byte more.

    Raises HTTPException, where it turns out: 400, 408, or 413 for more than `limit` bytes or
    MOST_LINES lines.
    """
    rest, found = b"", 0
    for block in _blocks(environ, limit):
        *lines, rest = (rest + block).split(b"\n")
        rest = rest[: LONGEST_LINE + 1]
        found += len(lines)
        if found > MOST_LINES:
            raise RequestEntityTooLarge(f"The body has more than {MOST_LINES:,} lines.")
        yield [line[: LONGEST_LINE + 1] for line in lines]
    if rest:
        yield [rest]


def _blocks(environ: dict[str, Any], limit: int) -> Iterator[bytes]:
    """The body's bytes as they come, without a byte order mark."""
    length = declared_length(environ, limit)
    read, size = environ["wsgi.input"].read, 0
    while length is None or size < length:
        block: bytes = read(BLOCK if length is None else min(BLOCK, length - size))
        if not block:
            break
        size += len(block)
        if size > limit:
            raise too_large(limit)
        yield block.removeprefix(_BOM) if size == len(block) else block
    if length is not None and size < length:
        raise BadRequest(f"The body ends after {size} of {length} bytes.")
