"""Requests drawn from the contract, good and bad, against the service in process.

Every check of schemathesis holds for every reply. What the contract cannot say is that matrices
fit together, so a good request may also be answered with 422.
"""

import json
from typing import Any

import schemathesis
from contract_file import CONTRACT, exactly
from fitting_bodies import fitting, is_matrix
from hypothesis import Phase, settings
from jsonschema_rs import validator_for
from schemathesis.config import SchemathesisConfig

from service.app import create_app

CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ["2xx", "401", "404", "422"]},
            "negative_data_rejection": {
                "expected-statuses": ["400", "401", "404", "405", "413", "415", "422"]
            },
        },
        "generation": {"deterministic": True, "mode": "all", "max-examples": 100},
    }
)

PHASES = (Phase.explicit, Phase.generate)  # without shrinking: the first failure says enough

schema = schemathesis.openapi.from_wsgi(
    "/openapi.yaml", create_app({"ENVIRONMENT": "development"}), config=CONFIG
)


@schemathesis.serializer("application/x-ndjson")
def lines(_context: Any, value: Any) -> bytes:
    text = value if isinstance(value, str | bytes) else json.dumps(value)
    return text.encode() if isinstance(text, str) else text


@schema.hook
def filter_failure(
    context: schemathesis.HookContext,
    failure: Exception,
    case: schemathesis.Case[Any],
    response: Any,
) -> bool:
    """Not a failure: the service takes a body that means one which the contract describes, and
    of lines any text, for a line that is no JSON has an error of its own."""
    if type(failure).__name__ != "AcceptedNegativeData":
        return True
    if case.media_type == "application/x-ndjson":
        return False
    if not isinstance(case.body, dict):
        return True
    reference = case.operation.body[0].definition["schema"]
    whole = {"components": CONTRACT["components"], **reference}
    return not validator_for(whole).is_valid(meant(case.body))


def meant(node: Any) -> Any:
    """A body without what the service takes to please clients: see the contract's introduction.

    null or [] for a member that is left out; "all" for the cells to explain; cells of a matrix
    answer, tolerances and bounds as JSON numbers.
    """
    if not isinstance(node, dict):
        return [meant(value) for value in node] if isinstance(node, list) else node
    found = {
        name: meant(value)
        for name, value in node.items()
        if value is not None and (value != [] or name in ("matrix", "choices", "heads"))
    }
    if found.get("explain") == "all":
        del found["explain"]
    if found.get("kind") == "matrix" and is_matrix(found.get("matrix")):
        found["matrix"] = typed(found["matrix"])
    if found.get("kind") == "tensor" and isinstance(found.get("heads"), list):
        found["heads"] = [typed(head) if is_matrix(head) else head for head in found["heads"]]
    for name in ("tolerance", "lowest", "highest"):
        if "kind" in found and type(found.get(name)) in (int, float):
            found[name] = str(found[name])
    return found


def typed(rows: list[list[Any]]) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in rows]


@schema.parametrize()
@settings(
    max_examples=100, derandomize=True, deadline=None, phases=(Phase.explicit, Phase.generate)
)
def test_replies_are_what_the_contract_says(case: schemathesis.Case[Any]) -> None:
    check(case)
    drawn, case.body = case.body, fitting(case.body)
    if case.body != drawn:
        check(case)


def check(case: schemathesis.Case[Any]) -> None:
    reply = case.call_and_validate()
    if reply.status_code == 200 and reply.content:  # HEAD has none
        ((media, success),) = case.operation.definition.raw["responses"]["200"]["content"].items()
        if media == "application/json":
            exactly(success["schema"]["$ref"]).validate(reply.json())
        else:
            for line in reply.content.splitlines():
                exactly(success["x-itemSchema"]["$ref"]).validate(json.loads(line))
