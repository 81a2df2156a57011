"""The committed contract, and what it says of a reply."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import yaml
from jsonschema_rs import Validator, validator_for

from service.api.openapi_file import PATH

TEXT = PATH.read_text()
CONTRACT: dict[str, Any] = yaml.safe_load(TEXT)


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of a document, but none of its examples."""
    if isinstance(node, dict):
        yield node
        for name, value in node.items():
            if name == "properties":
                yield from nodes(list(value.values()))
            elif name not in ("example", "examples"):
                yield from nodes(value)
    elif isinstance(node, list):
        for value in node:
            yield from nodes(value)


@cache
def exactly(reference: str) -> Validator:
    """Validates what the contract names at this reference, and takes no member that it does not.

    Clients may not know a member that the contract leaves out; the contract itself leaves replies
    open, so that they may grow.
    """
    components = deepcopy(CONTRACT["components"])
    for node in nodes(components["schemas"]):
        if "properties" in node:
            node.setdefault("additionalProperties", False)
    return validator_for({"components": components, "$ref": reference})
