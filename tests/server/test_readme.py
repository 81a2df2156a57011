"""The README does what it says: its calls are made, its replies are compared."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import blocks_of, contains
from real_server import HEALTH, Server

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
# Types of packages that are named.
STUBS = ["types-cachetools", "types-PyYAML"]
BLOCKS = blocks_of(README)
CALLS = [
    (text, BLOCKS[i + 1][1] if i + 1 < len(BLOCKS) and BLOCKS[i + 1][0] == "json" else None)
    for i, (kind, text) in enumerate(BLOCKS)
    if kind == "bash" and text.startswith("curl")
]


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
    assert contains(reply, json.loads(shown)) if shown else reply["body"]


def test_the_step_that_the_readme_reads_is_what_the_service_gives(server: Server) -> None:
    step = next(json.loads(text) for kind, text in BLOCKS if text.startswith('{"name": "scores"'))
    call = CALLS[0][0].replace('["weights"]', '["scores"]')
    assert contains(run(call, server.port)["steps"], [step])


def test_make_knows_every_target_of_the_readme() -> None:
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


def test_the_secrets_of_the_readme_start_the_service(start: Callable[..., Server]) -> None:
    (exports,) = [text for kind, text in BLOCKS if text.startswith("export")]
    script = f"{exports}echo $QUIZ_SECRETS $TEACHER_CREDENTIALS"
    ran = subprocess.run(["bash", "-euc", script], capture_output=True, check=True, timeout=20)
    secret, credential = ran.stdout.decode().split()
    assert start(QUIZ_SECRETS=secret, TEACHER_CREDENTIALS=credential).send(HEALTH).status == 200


def test_every_page_and_heading_that_is_linked_is_there() -> None:
    pages = re.findall(r"\]\(([\w/.]+)\)", README)
    assert [page for page in pages if not (ROOT / page).is_file()] == []
    headings = {text.lower().replace(" ", "-") for text in re.findall("^## (.+)", README, re.M)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", README)) <= headings


def test_the_drawing_names_every_part_of_the_engine_that_it_says() -> None:
    drawing = README.partition("## Architecture")[2].partition("Schemas and engine do not")[0]
    named = drawing.partition("knows no web")[2].replace(" what the wire ", "")
    parts = re.findall(r"\w+", named.replace(" looks like ", "").partition("```")[0])
    engine = ROOT / "service" / "engine"
    assert len(parts) == 12
    assert [part for part in parts if not list(engine.glob(f"{part}*"))] == []


def test_every_variable_that_the_start_reads_is_in_the_table() -> None:
    table = README.partition("## Configuration")[2].partition("## Architecture")[0]
    code = "".join((ROOT / path).read_text() for path in ("gunicorn.conf.py", "service/app.py"))
    names = set(re.findall(r'environ(?:ment)?(?:\.get\(|, )[\'"]([A-Z_]+)', code))
    assert len(names) == 8
    assert [name for name in names if f"`{name}`" not in table] == []


def test_every_endpoint_of_the_readme_is_in_the_contract() -> None:
    contract = (ROOT / "openapi.yaml").read_text()
    paths = set(re.findall(r"`(?:GET |POST )?(/[\w/{}.]+)`", README.partition("## Reading")[0]))
    assert {path for path in paths if f"\n  {path}:" not in contract} <= {"/openapi.yaml"}


def test_every_dependency_is_named_with_a_reason() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    names = re.findall(r'^    "([A-Za-z][\w.-]*)', project, re.MULTILINE)
    table = README.partition("## Dependencies")[2].partition("## Clients")[0].lower()
    assert [name for name in names if name.lower() not in table] == STUBS
