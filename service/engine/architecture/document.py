"""Figure 1, GPT beside it, and models in numbers, as one document."""

from dataclasses import asdict
from typing import Any

from service.engine.architecture import differences
from service.engine.architecture.decoder_only import DECODER_ONLY
from service.engine.architecture.figure import FIGURE_1
from service.engine.architecture.graph import Block, Drawing, Edge, Group
from service.engine.architecture.models import model
from service.engine.architecture.symbols import SYMBOLS


def architecture(models: tuple[str, ...]) -> dict[str, Any]:
    """The drawings, what GPT leaves out, and the models of these ids in numbers."""
    return {
        **drawn(FIGURE_1),
        "decoder_only": drawn(DECODER_ONLY),
        "absent_in_gpt": {
            "blocks": differences.ABSENT_BLOCKS,
            "edges": differences.ABSENT_EDGES,
            "groups": differences.ABSENT_GROUPS,
            "bridges": [_edge(FIGURE_1, edge) for edge in differences.BRIDGES],
            "differences": [one._asdict() for one in differences.DIFFERENCES],
        },
        "symbols": [symbol._asdict() for symbol in SYMBOLS],
        "models": [model(id) for id in models],
    }


def drawn(drawing: Drawing) -> dict[str, Any]:
    """A drawing as plain data, blocks from the bottom to the top."""
    return {
        "id": drawing.id,
        "title": drawing.title,
        "blocks": [_block(block) for block in drawing.blocks],
        "edges": [_edge(drawing, edge) for edge in drawing.edges],
        "groups": [_group(drawing, group) for group in drawing.groups],
    }


def _block(block: Block) -> dict[str, Any]:
    return asdict(block) | {"inputs": [one._asdict() for one in block.inputs]}


def _edge(drawing: Drawing, edge: Edge) -> dict[str, Any]:
    """What flows along an edge is what its source gives."""
    (shape,) = [block.output for block in drawing.blocks if block.id == edge.source]
    return {"id": edge.id, **asdict(edge), "shape": shape}


def _group(drawing: Drawing, group: Group) -> dict[str, Any]:
    """A group without what it lacks; what its last member gives is what a repeat starts from."""
    members = [block.id for block in drawing.members(group.id)]
    said = {name: value for name, value in asdict(group).items() if value is not None}
    return {**said, "members": members, "first": members[0], "last": members[-1]}
