"""The members of a request for blocks as the engine's own types, and where an error belongs."""

from typing import Any

from service.api.members import made
from service.engine.block.given import (
    Block,
    Frame,
    Mlp,
    Norm,
    Norms,
    PackedHeads,
    Shared,
    Sinusoidal,
)
from service.engine.positions.alibi import Slopes
from service.engine.positions.rotary import Rotary

Member = dict[str, Any]

_KINDS = {"rotary": Rotary, "alibi": Slopes}


def _fields(kind: type[Any], member: Member) -> Member:
    """The members that a type of the engine has."""
    return {name: member[name] for name in member.keys() & kind._fields}


def block_of(member: Member) -> Block:
    """One block. Of its heads and its MLP, what is absent is None."""
    return Block(
        PackedHeads._make(map(member.get, PackedHeads._fields)),
        Mlp._make(map(member.get, Mlp._fields)),
        made(PackedHeads, member.get("cross")),
        Norms(**{name: Norm(**norm) for name, norm in member.get("norms", {}).items()}),
        member.get("kind"),
        member.get("name"),
    )


def shared_of(request: Member) -> Shared:
    """What holds for every block that does not say otherwise."""
    members = _fields(Shared, request)
    for name, kind in _KINDS.items():
        if name in members:
            members[name] = kind(**members[name])
    return Shared(**members)


def frame_of(request: Member) -> Frame:
    """What stands before the first block and after the last one."""
    members = _fields(Frame, request)
    for name, kind in (("sinusoidal", Sinusoidal), ("final_norm", Norm)):
        if name in members:
            members[name] = kind(**members[name])
    return Frame(**members)


def place_of(field: str, request: Member) -> str:
    """Where a field of a block was sent: with the block, or once for all of them.

    The engine calls a mask that block 0 uses blocks/0/mask, also if it is the shared one.
    """
    parts = field.split("/")
    if parts[0] != "blocks" or len(parts) < 3:
        return field
    own, name, at = request["blocks"][int(parts[1])], parts[2], 2
    if name == "cross" and len(parts) > 3:
        own, name, at = own.get("cross", {}), parts[3], 3
    return "/".join(parts[at:]) if name not in own and name in request else field
