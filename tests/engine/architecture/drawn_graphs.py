"""The document as tests read it: blocks by id, and walks along edges."""

from service.engine.architecture import MODELS, architecture

DOCUMENT = architecture(tuple(MODELS))
FIGURE = DOCUMENT
GPT = DOCUMENT["decoder_only"]
ABSENT = DOCUMENT["absent_in_gpt"]
MODEL = {model["id"]: model for model in DOCUMENT["models"]}


def by_id(drawing):
    return {block["id"]: block for block in drawing["blocks"]}


def edge(drawing, source, target):
    (found,) = [e for e in drawing["edges"] if (e["source"], e["target"]) == (source, target)]
    return found


def into(drawing, target):
    return [e for e in drawing["edges"] if e["target"] == target]


def without_what_gpt_lacks():
    """Figure 1 as the switch leaves it."""
    edges = [e for e in FIGURE["edges"] if e["id"] not in ABSENT["edges"]]
    return {
        "blocks": [b for b in FIGURE["blocks"] if b["id"] not in ABSENT["blocks"]],
        "edges": edges + ABSENT["bridges"],
        "groups": [g for g in FIGURE["groups"] if g["id"] not in ABSENT["groups"]],
    }


def connected(drawing):
    """Whether one can walk from any block to any other, against arrows too."""
    reached = {drawing["blocks"][0]["id"]}
    for _ in drawing["blocks"]:
        for e in drawing["edges"]:
            if {e["source"], e["target"]} & reached:
                reached |= {e["source"], e["target"]}
    return reached == set(by_id(drawing))


def sources(drawing):
    ends = {e["target"] for e in drawing["edges"]}
    return [b["id"] for b in drawing["blocks"] if b["id"] not in ends]


def sinks(drawing):
    starts = {e["source"] for e in drawing["edges"]}
    return [b["id"] for b in drawing["blocks"] if b["id"] not in starts]
