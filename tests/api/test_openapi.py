"""The committed contract: it is what the code says, it is valid, and clients can live with it."""

import json
import math
import re
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from contract_file import CONTRACT, TEXT, exactly, nodes
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from service.api.dispatch import Service
from service.api.openapi import TAGS, generate
from service.api.openapi_file import PATH
from service.api.spec_examples import PROBLEMS, stood_in

OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (path, method, operation)
    for path, methods in CONTRACT["paths"].items()
    for method, operation in methods.items()
}
# Not for programs that call the service: the contract itself.
NOT_IN_THE_CONTRACT = {"/openapi.yaml", "/v1/openapi.yaml"}
MASKED_CELL = {"type": ["number", "null"], "format": "double"}

each_operation = pytest.mark.parametrize("name", OPERATIONS)


def resolve(reference: str) -> Any:
    node: Any = CONTRACT
    for part in reference.removeprefix("#/").split("/"):
        node = node[part.replace("~1", "/").replace("~0", "~")]
    return node


def schemas() -> dict[str, Any]:
    return dict(CONTRACT["components"]["schemas"])


def body_content(content: dict[str, Any]) -> dict[str, Any]:
    """The one way in which a body is written, with the schema of the whole or of each line."""
    ((media, found),) = content["content"].items()
    assert media in ("application/json", "application/x-ndjson")
    return {**found, "schema": found["x-itemSchema"]} if "x-itemSchema" in found else dict(found)


def close(one: Any, other: Any) -> bool:
    """Equal, but for the last digits of numbers, which differ between processors."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return type(one) is type(other) and bool(one == other)


def without_layout(text: str) -> list[str | float]:
    """A text's words, with floats as numbers: a digit more or less moves line breaks."""
    words = re.split(r"\s+|(-?\d+\.\d+(?:e[-+]\d+)?)", text)
    return [float(word) if re.match(r"-?\d+\.\d", word) else word for word in words if word]


def test_the_committed_contract_is_what_the_code_says(app: Service) -> None:
    same = close(without_layout(TEXT), without_layout(generate(app)))
    assert same, "openapi.yaml is not what the code says. Run: make openapi"


def test_the_contract_is_valid() -> None:
    validate(CONTRACT)


def test_the_contract_is_written_for_people() -> None:
    assert list(CONTRACT) == [
        "openapi", "info", "servers", "security", "tags", "paths", "components",
    ]  # fmt: skip
    assert CONTRACT["openapi"] == "3.1.0"
    assert not re.search(r"^\s*(- )?\S+: [&*]\w", TEXT, re.MULTILINE)
    assert CONTRACT["servers"][0]["url"] == "http://localhost:8000"


@pytest.mark.parametrize("path", ["/openapi.yaml", "/v1/openapi.yaml"])
def test_the_contract_is_served_as_it_is_committed(client: FlaskClient, path: str) -> None:
    reply = client.get(path)
    assert reply.content_type == "application/yaml"
    assert reply.data == PATH.read_bytes()


def test_routes_and_paths_agree(app: Service) -> None:
    routed = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, method, _ in OPERATIONS.values()}
    assert {one for one in routed if one[0] not in NOT_IN_THE_CONTRACT} == described


@each_operation
def test_an_operation_has_a_name_a_tag_a_summary_and_examples(name: str) -> None:
    _, _, operation = OPERATIONS[name]
    assert re.fullmatch("[a-z]+([A-Z][a-z]+)+", name)
    assert operation["summary"]
    assert len(operation["tags"]) == 1
    assert operation["tags"][0] in TAGS
    assert body_content(operation["responses"]["200"])["examples"]
    if "requestBody" in operation:
        assert body_content(operation["requestBody"])["examples"]


@each_operation
def test_bodies_are_named_schemas(name: str) -> None:
    _, _, operation = OPERATIONS[name]
    bodies = [operation["responses"]["200"]]
    bodies += [operation["requestBody"]] if "requestBody" in operation else []
    for body in bodies:
        schema = body_content(body)["schema"]
        assert schema.keys() == {"$ref"}
        assert resolve(schema["$ref"])["type"] == "object"


@each_operation
def test_errors_are_problems(name: str) -> None:
    path, _, operation = OPERATIONS[name]
    errors = {int(status) for status in operation["responses"]} - {200}
    expected = {500}
    if "requestBody" in operation:
        expected |= {400, 408, 413, 415}
        is_json = "application/json" in operation["requestBody"]["content"]
        expected |= {422, 503} if is_json else set()  # each line has its own problem
    expected |= {401} if "security" in operation else set()
    expected |= {422} if any(p["in"] == "query" for p in operation.get("parameters", [])) else set()
    expected |= {404} if "{" in path else set()
    assert errors == expected
    for status in errors:
        response = resolve(operation["responses"][str(status)]["$ref"])
        assert response["content"].keys() == {"application/problem+json"}
        problem = response["content"]["application/problem+json"]
        assert problem["schema"] == {"$ref": "#/components/schemas/Problem"}


@each_operation
def test_replies_carry_the_request_id(name: str) -> None:
    for response in OPERATIONS[name][2]["responses"].values():
        found = resolve(response["$ref"]) if "$ref" in response else response
        assert "X-Request-Id" in found["headers"]


@pytest.mark.parametrize(
    ("name", "example"),
    [
        (name, example)
        for name, (_, _, operation) in OPERATIONS.items()
        for example in body_content(operation["responses"]["200"])["examples"]
    ],
)
def test_an_example_gets_the_reply_beside_it(app: Service, name: str, example: str) -> None:
    path, method, operation = OPERATIONS[name]
    view = operations_of(app)[name]
    (declared,) = [one for one in view.examples if one.name == example]
    body = None
    if "requestBody" in operation:
        body = body_content(operation["requestBody"])["examples"][example]["value"]
        body = json.dumps(body) if view.media == "application/json" else body
    reply = app.test_client().open(
        path.format(**declared.path),
        method=method,
        query_string=declared.query,
        data=body,
        content_type=view.media,
    )
    assert reply.status_code == 200
    content = body_content(operation["responses"]["200"])
    lines = [reply.get_json()] if reply.is_json else list(map(json.loads, reply.data.splitlines()))
    for line in lines:
        exactly(content["schema"]["$ref"]).validate(line)
    shown = content["examples"][example]["value"]
    assert close(stood_in(lines[0], view.stand_ins) if reply.is_json else reply.text, shown)


@pytest.mark.parametrize("status", [s for s, problem in PROBLEMS.items() if problem.provoked])
def test_an_example_of_a_problem_is_what_the_service_replies(
    client: FlaskClient, status: int
) -> None:
    response = CONTRACT["components"]["responses"][PROBLEMS[status].name]
    reply = client.open(**(PROBLEMS[status].provoked or {}))
    assert reply.status_code == status
    assert reply.get_json() == response["content"]["application/problem+json"]["example"]


@pytest.mark.parametrize("name", [n for n, found in OPERATIONS.items() if "parameters" in found[2]])
def test_parameters_are_described_and_shown(name: str) -> None:
    for parameter in OPERATIONS[name][2]["parameters"]:
        assert parameter["description"]
        assert parameter["examples"]


def test_the_service_runs_without_what_writes_the_contract() -> None:
    code = "import sys, service.app; print({'apispec', 'yaml'} & sys.modules.keys())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_every_reference_leads_somewhere_and_every_component_is_used() -> None:
    used = {node["$ref"] for node in nodes(CONTRACT) if isinstance(node.get("$ref"), str)}
    for node in nodes(CONTRACT):
        used |= set(node.get("mapping", {}).values()) if "propertyName" in node else set()
        used |= {f"#/components/securitySchemes/{name}" for name in secured_by(node)}
    for reference in used:
        assert resolve(reference)
    there = {
        f"#/components/{kind}/{name}"
        for kind, components in CONTRACT["components"].items()
        for name in components
    }
    assert used == there


def secured_by(node: dict[str, Any]) -> set[str]:
    return {name for one in node.get("security", []) for name in one}


def test_no_two_names_of_a_schema_differ_in_case_or_underscores_alone() -> None:
    for name, schema in schemas().items():
        plain = Counter(member.replace("_", "").lower() for member in schema.get("properties", {}))
        assert max(plain.values(), default=1) == 1, name
    assert len({name.lower() for name in schemas()}) == len(schemas())


def test_everything_is_described() -> None:
    for name, schema in schemas().items():
        assert schema.get("description"), name
        for member, found in schema.get("properties", {}).items():
            of_another = any("$ref" in node for node in nodes(found))
            assert of_another or found.get("description"), f"{name}.{member}"


def test_numbers_say_how_wide_they_are() -> None:
    for node in nodes([schemas(), CONTRACT["paths"]]):
        kinds = node.get("type", [])
        if "number" in ([kinds] if isinstance(kinds, str) else kinds):
            assert node["format"] == "double"
        if "integer" in ([kinds] if isinstance(kinds, str) else kinds):
            assert node["format"] == "int64"


def test_a_null_cell_is_written_where_the_matrix_is() -> None:
    assert schemas()["MaskedMatrix"]["items"]["items"] == MASKED_CELL
    assert "null" not in str(schemas()["Matrix"])


def test_a_choice_of_types_is_told_apart_by_its_kind() -> None:
    for node in nodes(schemas()):
        assert "anyOf" not in node
        assert "allOf" not in node
        if "oneOf" not in node:
            continue
        assert node["discriminator"]["propertyName"] == "kind"
        mapping = node["discriminator"]["mapping"]
        assert [{"$ref": reference} for reference in mapping.values()] == node["oneOf"]
        for kind, reference in mapping.items():
            member = resolve(reference)
            assert member["properties"]["kind"]["enum"] == [kind]
            assert "kind" in member["required"]


def test_enumerations_are_plain_names_and_only_in_requests() -> None:
    for node in nodes(CONTRACT):
        for value in node.get("enum", []):
            assert re.fullmatch("[a-z][a-z0-9_]*", value)
    for schema in replied():
        assert not any("enum" in node for node in nodes(schema))


def test_replies_may_grow() -> None:
    for schema in replied():
        assert schema.get("additionalProperties") is not False


def test_no_default_makes_a_member_required_in_typescript() -> None:
    assert not any("default" in node for node in nodes(schemas()))


def replied() -> list[dict[str, Any]]:
    """The schemas that a reply may hold."""
    found = [body_content(o["responses"]["200"])["schema"]["$ref"] for *_, o in OPERATIONS.values()]
    found.append("#/components/schemas/Problem")
    for reference in found:
        for node in nodes(resolve(reference)):
            if "$ref" in node and node["$ref"] not in found:
                found.append(node["$ref"])
    return [resolve(reference) for reference in found]


def operations_of(app: Service) -> dict[str, Any]:
    from service.api.openapi_operations import routes
    from service.api.openapi_text import camel_case

    return {camel_case(route.operation.__name__): route.operation for route in routes(app)}
