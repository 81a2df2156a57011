"""Members of a request that are objects, as the engine's own types."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from service.engine.mask import Mask
from service.engine.positions.rotary import Rotary
from service.engine.sources import Tokens

T = TypeVar("T")


def made(kind: Callable[..., T], member: Mapping[str, Any] | None) -> T | None:
    """The member as an object of the engine; None if it is absent."""
    return None if member is None else kind(**member)


def attended(request: dict[str, Any]) -> dict[str, Any]:
    """The request with what all attention takes as the engine's own types."""
    for name, kind in (("mask", Mask), ("context", Tokens), ("rotary", Rotary)):
        if name in request:
            request[name] = made(kind, request[name])
    return request
