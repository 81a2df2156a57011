"""The README does what it says: its calls are made, its replies are compared."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from real_server import Server

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(bash|json)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
CALLS = [
    (text, BLOCKS[i + 1][1] if i + 1 < len(BLOCKS) and BLOCKS[i + 1][0] == "json" else None)
    for i, (kind, text) in enumerate(BLOCKS)
    if kind == "bash" and text.startswith("curl")
]


def contains(whole: Any, part: Any) -> bool:
    """Whether everything that is shown is there; lists are shown in full."""
    if isinstance(part, dict):
        return all(name in whole and contains(whole[name], part[name]) for name in part)
    if isinstance(part, list):
        return len(whole) == len(part) and all(map(contains, whole, part))
    return bool(whole == part)


def run(call: str, port: int) -> Any:
    command = shlex.split(call.replace("localhost:8000", f"127.0.0.1:{port}"))
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=20).stdout)


def test_the_readme_makes_four_calls() -> None:
    assert len(CALLS) == 4


@pytest.mark.parametrize(("call", "shown"), CALLS, ids=lambda text: str(text)[:50])
def test_a_call_of_the_readme_gives_the_reply_shown_below_it(
    call: str, shown: str | None, server: Server
) -> None:
    reply = run(call, server.port)
    assert contains(reply, json.loads(shown)) if shown else reply["examples"]


def test_the_step_that_the_readme_reads_is_what_the_service_gives(server: Server) -> None:
    step = next(json.loads(text) for kind, text in BLOCKS if text.startswith('{"name": "scores"'))
    call = CALLS[0][0].replace('["weights"]', '["scores"]')
    assert contains(run(call, server.port)["steps"], [step])


def test_make_knows_every_target_of_the_readme() -> None:
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


def test_every_endpoint_of_the_readme_is_in_the_contract() -> None:
    contract = (ROOT / "openapi.yaml").read_text()
    paths = set(re.findall(r"`(?:GET |POST )?(/[\w/{}.]+)`", README.partition("## Reading")[0]))
    assert {path for path in paths if f"\n  {path}:" not in contract} <= {"/openapi.yaml"}


def test_every_dependency_is_named_with_a_reason() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    names = re.findall(r'^    "([A-Za-z][\w.-]*)', project, re.MULTILINE)
    table = README.partition("## Dependencies")[2].partition("## Clients")[0].lower()
    assert [name for name in names if name.lower() not in table] == ["types-PyYAML"]
