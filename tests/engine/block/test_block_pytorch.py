"""PyTorch's layers, and GPT-2 and Llama in small written with it, say the same as the service."""

import json
from pathlib import Path

import numpy as np
import pytest

REFERENCES = Path(__file__).parents[2] / "references" / "pytorch_blocks.json"
CASES = json.loads(REFERENCES.read_text())


def numbers_at(reply, place):
    """The numbers of a step by its path: the trace's, then the step's name."""
    *path, name = place.split("/")
    for part in path:
        reply = reply[int(part) if part.isdigit() else part]
    trace = reply.get("trace", reply)
    return np.array(next(step["value"] for step in trace["steps"] if step["name"] == name))


@pytest.mark.parametrize("name", CASES)
def test_the_service_says_what_pytorch_says(name, ask):
    path = "multihead" if name.startswith("attention") else "block"
    reply = ask(path, CASES[name]["body"])
    for place, expected in CASES[name]["answers"].items():
        found = numbers_at(reply, place)
        np.testing.assert_allclose(
            found, np.array(expected), rtol=0, atol=1e-12, strict=True, err_msg=place
        )


def test_every_placement_mask_and_activation_is_compared():
    assert len([name for name in CASES if name.startswith("encoder-")]) == 12
    assert len([name for name in CASES if name.startswith("decoder-")]) == 12
