"""Softmax cases from public reports, put to the scaling laboratory.

Without them the tests of the engine hold the same numbers as literals.
"""

import numpy as np
import pytest
from cases_folder import cases

CASES = [case for case in cases("attention.jsonl") if case["op"] == "softmax"]
REFUSED = [case for case in CASES if isinstance(case["expected"], str)]
COMPUTED = [case for case in CASES if case not in REFUSED]


def body(case):
    """The logits as scores; a width that they come from is said, and weights_raw ignores it."""
    options = case["options"]
    found = {"scores": [case["inputs"]["logits"]], "temperature": options["temperature"]}
    return found | ({"d_k": [options["d_k"]]} if "d_k" in options else {})


def close(found, expected, smallest=1e-300):
    np.testing.assert_allclose(found, expected, 1e-12, smallest, strict=True)


@pytest.mark.parametrize("case", COMPUTED, ids=[case["id"] for case in COMPUTED])
@pytest.mark.parametrize("orientation", ["rows", "columns"])
def test_a_case_comes_to_its_numbers(case, orientation, ask):
    trace = ask("softmax", body(case) | {"orientation": orientation})["experiments"][0]["trace"]
    values = {step["name"]: np.array(step["value"]) for step in trace["steps"]}
    expected, found = case["expected"], trace["statistics"]["raw"]
    close(values["weights_raw"].ravel(), np.array(expected["weights"]))
    close(np.array(found["entropy"]), np.array([expected["entropy_nats"]]))
    close(np.array(found["max_derivative"]), np.array([expected["max_derivative"]]))
    # A hidden score is a weight of exactly 0.
    for score, weight in zip(case["inputs"]["logits"], values["weights_raw"].ravel(), strict=True):
        assert score is not None or weight == 0


@pytest.mark.parametrize("case", REFUSED, ids=[case["id"] for case in REFUSED])
def test_a_case_that_is_wrong_is_refused(case, client):
    reply = client.post("/v1/softmax", json=body(case))
    assert reply.status_code == 422
    assert reply.get_json()["errors"][0]["pointer"] == "#/temperature"
