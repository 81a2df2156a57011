"""docs/quiz.md: its commands are run in one shell, its replies compared, its questions asked."""

import json
import re
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from pages import blocks_of, contains
from real_server import Server

PAGE = (Path(__file__).parents[2] / "docs" / "quiz.md").read_text("utf-8")
BLOCKS = blocks_of(PAGE)
COMMANDS = [text for kind, text in BLOCKS if kind == "bash"]
SHOWN = {
    COMMANDS.index(text): [json.loads(line) for line in then[1].splitlines()]
    if "batch" in text
    else [json.loads(then[1])]
    for (kind, text), then in pairwise(BLOCKS)
    if (kind, then[0]) == ("bash", "json")
}
ITEMS = [json.loads(text) for kind, text in BLOCKS if text.startswith('{"task"')]
ROWS = dict(re.findall(r"^\| `(\w+)` \| `(\{.*?\})`", PAGE, re.MULTILINE))
END = "\x00"


@pytest.fixture(scope="module")
def printed(start: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each command prints, run as a reader would: one after the other, beside `make run`."""
    port = start(ENVIRONMENT="development").port
    script = "printf '\\0'\n".join(COMMANDS).replace("localhost:8000", f"127.0.0.1:{port}")
    folder = tmp_path_factory.mktemp("shell")
    ran = subprocess.run(
        ["bash", "-eu", "-c", script], cwd=folder, capture_output=True, check=True, timeout=60
    )
    return ran.stdout.decode().split(END)


@pytest.mark.parametrize("place", SHOWN)
def test_a_command_gives_what_is_shown_below_it(place: int, printed: list[str]) -> None:
    found = [json.loads(line) for line in printed[place].splitlines()]
    assert contains(found, SHOWN[place]), printed[place]


def test_what_a_command_gives_is_shown_wherever_it_gives_something(printed: list[str]) -> None:
    assert [place for place, text in enumerate(printed) if text] == list(SHOWN)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["task"]["rule"]["kind"])
def test_a_question_of_ones_own_takes_its_answer(item: Any, client: FlaskClient) -> None:
    reply = client.post("/v1/quiz/grade", json={"locale": "en", "items": [item]})
    assert reply.get_json()["items"][0]["verdict"] == "correct", reply.text


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["task"]["rule"]["kind"])
def test_a_question_of_ones_own_passes_the_check(item: Any, client: FlaskClient) -> None:
    reply = client.post("/v1/quiz/check", json={"locale": "en", "task": item["task"]})
    assert reply.get_json()["usable"], reply.text
    assert not reply.get_json()["findings"]


def test_every_kind_of_rule_that_takes_one_answer_is_there() -> None:
    kinds = {item["task"]["rule"]["kind"] for item in ITEMS}
    assert kinds >= {"choice", "ordering", "cells", "tensor", "expression", "short_text"}


def test_the_table_has_every_input_and_an_answer_that_its_questions_take(
    client: FlaskClient,
) -> None:
    questions = client.get("/v1/quiz").get_json()["questions"]
    asked = {one["input"]: one for one in reversed(questions)}
    assert set(ROWS) == set(asked)
    for kind, shown in ROWS.items():
        item = {"question": asked[kind]["id"], "answer": json.loads(shown)}
        reply = client.post("/v1/quiz/grade", json={"locale": "en", "items": [item]})
        assert "wrong_kind" not in reply.text
        assert reply.status_code == 200, reply.text


def test_without_a_locale_a_point_before_three_digits_is_unreadable_and_costs_its_cell(
    client: FlaskClient,
) -> None:
    rule = {"kind": "absolute", "tolerance": "0.005"}
    key = {"kind": "text", "text": "433/250"}
    keys = {"kind": "matrix", "matrix": [["433/250", "0"]]}
    items = [
        {"task": {"rule": rule, "key": key}, "answer": {"kind": "text", "text": "1.732"}},
        {
            "task": {"rule": {"kind": "cells", "each": rule}, "key": keys},
            "answer": {"kind": "matrix", "matrix": [["1.732", "0"]]},
        },
    ]
    one, cells = client.post("/v1/quiz/grade", json={"items": items}).get_json()["items"]
    assert (one["verdict"], one["attempt_counts"]) == ("unreadable", False)
    assert cells["score"] == 0.5


def test_one_item_that_cannot_be_used_refuses_the_request_and_only_its_line_of_a_batch(
    client: FlaskClient,
) -> None:
    good = {"question": "heads-gpt3", "answer": {"kind": "text", "text": "9216"}}
    items = [good, {"question": "nothing", "answer": {"kind": "text", "text": "1"}}]
    assert client.post("/v1/quiz/grade", json={"items": items}).status_code == 422
    lines = "\n".join(map(json.dumps, items))
    reply = client.post("/v1/quiz/grade/batch", data=lines, content_type="application/x-ndjson")
    first, second = map(json.loads, reply.data.splitlines())
    assert (first["verdict"], second["error"]["status"]) == ("correct", 422)
