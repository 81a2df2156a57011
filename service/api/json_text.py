"""Plain data as JSON text, without the sign of zero."""

from typing import Any

import orjson

_NUMPY = orjson.OPT_SERIALIZE_NUMPY
_ZEROS = (b"-0.0,", b"-0.0]", b"-0.0}", b"-0.0 ")


def json_text(document: Any) -> bytes:
    """The JSON text; a −0.0 in it is written as 0.0, which is all that a reader wants to know."""
    text: bytes = orjson.dumps(document, None, _NUMPY)
    if b"-0.0" in text and any(zero in text + b" " for zero in _ZEROS):
        text = orjson.dumps(_unsigned(document), None, _NUMPY)
    return text


def _unsigned(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _unsigned(value) for name, value in node.items()}
    if isinstance(node, list | tuple):
        return [_unsigned(value) for value in node]
    return node + 0.0 if isinstance(node, float) else node
