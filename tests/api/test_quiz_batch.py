"""Grading by the line: each line by itself, in any order, the same each time."""

import io
import json
import random
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from quiz_apps import NDJSON, batch, drawn, quiz_client, text
from refusals import assert_problem

from service.api import lines as limits
from service.api.turns import TURN_SECONDS

BATCH, GRADE = "/v1/quiz/grade/batch", "/v1/quiz/grade"
CLIENT = quiz_client()

TASK = {"rule": {"kind": "absolute", "tolerance": "0.01"}, "key": text("0.47")}
TOKEN = drawn(CLIENT, questions=["heads-gpt3"], seed=5)[0]["token"]
LINES: list[dict[str, Any]] = [
    {"question": "heads-gpt3", "answer": text("9216")},
    {"question": "heads-gpt3", "answer": text("9,216"), "locale": "en"},
    {"question": "heads-gpt3", "answer": text("9.216"), "locale": "de"},
    {"question": "heads-gpt3", "answer": text("9,216")},
    {"question": "heads-gpt3", "seed": 5, "answer": text("9216")},
    {"question": "heads-gpt3", "seed": 0, "answer": text("96+96")},
    {"question": "heads-gpt3", "answer": {"kind": "number", "number": 9216}},
    {"question": "why-mask", "answer": {"kind": "choice", "choices": ["b"]}},
    {"question": "why-mask", "answer": text("b")},
    {"question": "masked-weights", "answer": {"kind": "matrix", "matrix": [["1/2", 0.5, "0"]]}},
    {"question": "calculator", "answer": {"kind": "steps", "steps": {"scores": [["0"] * 4] * 4}}},
    {"task": TASK, "answer": text("0.48")},
    {"task": TASK, "answer": text("0.5")},
    {"token": TOKEN, "answer": text("512")},
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line)[:70])
def test_a_line_gets_what_a_request_of_its_own_would_get(line: dict[str, Any]) -> None:
    """The quick way, the schema's way and the way of a single request end in the same verdict."""
    item = {k: v for k, v in line.items() if k != "locale"}
    locale = {"locale": line["locale"]} if "locale" in line else {}
    alone = CLIENT.post(GRADE, json={"items": [item], **locale}).get_json()["items"][0]
    assert batch(CLIENT, line) == [alone]
    assert batch(CLIENT, {**line, "id": "s-7"}) == [{"id": "s-7", **alone}]
    assert batch(CLIENT, {**line, "learner": None}) == [alone]  # not taken by the quick way


def body(lines: list[Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def send(text: bytes, client: FlaskClient = CLIENT, **more: Any) -> Any:
    return client.post(BATCH, data=text, content_type=NDJSON, **more)


def test_the_same_batch_gives_the_same_bytes() -> None:
    many = body([{"id": str(i), **line} for i, line in enumerate(LINES * 40)])
    assert send(many).data == send(many).data
    assert send(many).data == send(many, quiz_client()).data


@given(st.permutations(range(len(LINES))))
def test_the_order_of_the_lines_changes_the_order_of_the_replies_alone(order: list[int]) -> None:
    lines = [{"id": str(i), **line} for i, line in enumerate(LINES)]
    straight = send(body(lines)).data.splitlines()
    assert send(body([lines[i] for i in order])).data.splitlines() == [straight[i] for i in order]


def test_thousands_of_lines_are_answered_one_for_one_and_in_order() -> None:
    chosen = random.Random(4)
    lines = [{"id": str(i), **chosen.choice(LINES[:6])} for i in range(5_000)]
    assert [one["id"] for one in batch(CLIENT, *lines)] == [line["id"] for line in lines]


GOOD = LINES[0]


FAULTS = {
    "no JSON": ("{", None, 400, "#"),
    "a list": ([], None, 422, "#"),
    "a number": (7, None, 422, "#"),
    "no answer": ({"id": "x", "question": "heads-gpt3"}, "x", 422, "#/answer"),
    "an id that is none": ({"id": 7, **GOOD}, None, 422, "#/id"),
    "an id without end": ({"id": "x" * 257, **GOOD}, None, 422, "#/id"),
    "an unknown member": ({"id": "x", "sed": 3, **GOOD}, "x", 422, "#/sed"),
    "an unknown question": ({**GOOD, "question": "head"}, None, 422, "#/question"),
    "an unknown locale": ({**GOOD, "locale": "xx"}, None, 422, "#/locale"),
    "a seed that is true": ({**GOOD, "seed": True}, None, 422, "#/seed"),
    "a seed that is negative": ({**GOOD, "seed": -1}, None, 422, "#/seed"),
    "a seed with a half": ({**GOOD, "seed": 1.5}, None, 422, "#/seed"),
    "a seed beside a task": ({**LINES[11], "seed": 1}, None, 422, "#/seed"),
    "a question beside a task": ({**LINES[11], "question": "why-mask"}, None, 422, "#"),
    "nothing asked": ({"answer": text("1")}, None, 422, "#"),
    "a number typed": ({**GOOD, "answer": {"kind": "text", "text": 1}}, None, 422, "#/answer/text"),
    "a member too many": (
        {**GOOD, "answer": {**text("1"), "number": 1}},
        None,
        422,
        "#/answer/number",
    ),
    "a task without a rule": (
        {"task": {"key": text("1")}, "answer": text("1")},
        None,
        422,
        "#/task/rule",
    ),
    "a tolerance that is none": (
        {"task": {**TASK, "rule": {"kind": "absolute", "tolerance": "x"}}, "answer": text("1")},
        None,
        422,
        "#/task/rule/tolerance",
    ),
    "reveal": ({**GOOD, "reveal": True}, None, 422, "#/reveal"),
    "a line without end": (json.dumps(GOOD) + " " * limits.LONGEST_LINE, None, 413, None),
    "steps that count": ({**LINES[10], "asked": ["scores"]}, None, 422, "#/asked"),
}


@pytest.mark.parametrize(("line", "id", "status", "pointer"), FAULTS.values(), ids=FAULTS)
def test_a_line_that_cannot_be_used_is_an_error_in_its_place_and_no_other(
    line: Any, id: str | None, status: int, pointer: str | None
) -> None:
    good = {"id": "good", **GOOD}
    before, fault, after = batch(CLIENT, good, line, good)
    assert before == after
    assert before["verdict"] == "correct"
    assert (fault.get("id"), fault["line"]) == (id, 2)
    assert fault["error"]["status"] == status
    assert [error["pointer"] for error in fault["error"]["errors"]] == [pointer] * bool(pointer)
    assert "verdict" not in fault


def test_blank_lines_and_line_ends_of_any_kind_are_passed_over() -> None:
    line = json.dumps(GOOD).encode()
    plain = send(line).data
    assert send(b"\n" + line + b"\r\n\r\n  \n").data == plain
    assert send(b"\xef\xbb\xbf" + line + b"\n").data == plain
    assert send(b"").data == b""


def test_the_lines_of_errors_are_counted_as_an_editor_counts_them() -> None:
    numbers = [one.get("line") for one in batch(CLIENT, "", "{", GOOD, "", "[")]
    assert numbers == [2, None, 5]


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_no_answer_breaks_a_line_of_the_reply(end: str) -> None:
    reply = send(
        body([{"id": f"a{end}b", "question": "heads-gpt3", "answer": text(f"1{end}2")}] * 3)
    )
    lines = reply.text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [f"a{end}b"] * 3


def test_how_the_bytes_arrive_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    many = body([{"id": str(i), **line} for i, line in enumerate(LINES)])
    whole = send(many).data
    for block in (1, 7, 100, 1_000):
        monkeypatch.setattr(limits, "BLOCK", block)
        assert send(many).data == whole


def test_what_takes_longer_than_a_turn_is_sent_in_parts() -> None:
    hard = {
        "question": "calculator",
        "answer": {"kind": "steps", "steps": {"scores": [["1/3"] * 4] * 4}},
    }
    parts = list(send(body([hard] * 200)).iter_encoded())
    assert TURN_SECONDS <= 0.05
    assert len(parts) > 2
    assert b"".join(parts).count(b"\n") == 200


def test_of_a_line_without_end_no_more_is_held_than_shows_that_it_is_too_long() -> None:
    endless = b"x" * (20 * limits.LONGEST_LINE)
    environ = {"wsgi.input": io.BytesIO(endless), "CONTENT_LENGTH": str(len(endless))}
    found = [line for block in limits.line_blocks(environ, 1 << 30) for line in block]
    assert [len(line) for line in found] == [limits.LONGEST_LINE + 1]


# The whole


def test_a_body_that_is_too_large_is_refused_at_once() -> None:
    small = quiz_client(MAX_BATCH_BYTES="200")
    assert_problem(send(body([GOOD] * 9), small), 413, None, "The body is larger than 200 bytes.")
    assert send(body([GOOD] * 2), small).status_code == 200


def test_the_limit_of_other_bodies_is_not_that_of_a_batch() -> None:
    many = body([GOOD] * 40)
    assert len(many) > 2_000
    assert send(many, quiz_client(MAX_BODY_BYTES="100")).status_code == 200


def chunked(text: bytes, client: FlaskClient) -> Any:
    """As a server hands over a body whose length nobody declared."""
    return client.post(
        BATCH,
        input_stream=io.BytesIO(text),
        content_type=NDJSON,
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
    )


def test_a_body_that_turns_out_too_large_ends_with_a_line_that_says_so() -> None:
    size = limits.BLOCK + 10_000
    reply = chunked(body([GOOD] * 2_000), quiz_client(MAX_BATCH_BYTES=str(size)))
    *told, last = map(json.loads, reply.data.splitlines())
    assert last["error"]["detail"] == f"The body is larger than {size:,} bytes."
    assert last["line"] == len(told) + 1
    assert all(one["verdict"] == "correct" for one in told)


def test_more_lines_than_are_read_end_with_a_line_that_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_LINES", 1_000)
    *told, last = map(json.loads, send(body([GOOD] * 2_500)).data.splitlines())
    assert last["error"]["status"] == 413
    assert last["error"]["detail"] == "The body has more than 1,000 lines."
    assert 0 < len(told) <= 1_000


def test_a_body_that_breaks_off_ends_with_a_line_that_says_so() -> None:
    text = body([GOOD] * 2_000)
    reply = CLIENT.post(
        BATCH,
        input_stream=io.BytesIO(text),
        content_type=NDJSON,
        environ_overrides={"CONTENT_LENGTH": str(len(text) + 50)},
    )
    last = json.loads(reply.data.splitlines()[-1])
    assert last["error"]["status"] == 400
    assert last["error"]["detail"].startswith("The body ends after ")


@pytest.mark.parametrize("media_type", ["application/json", "text/plain", ""])
def test_another_type_is_refused(media_type: str) -> None:
    response = CLIENT.post(BATCH, data=b"{}", content_type=media_type or None)
    said = media_type or "of no stated type"
    assert_problem(
        response, 415, None, f"The body is {said}; send Content-Type: application/x-ndjson."
    )


@pytest.mark.parametrize("media_type", [f"{NDJSON}; charset=utf-8", "application/jsonl"])
def test_other_names_of_the_type_are_taken(media_type: str) -> None:
    response = CLIENT.post(BATCH, data=json.dumps(GOOD), content_type=media_type)
    assert response.status_code == 200


def test_a_compressed_body_is_refused() -> None:
    response = send(b"x", headers={"Content-Encoding": "gzip"})
    assert_problem(
        response, 415, None, "The body is encoded as gzip; send it without Content-Encoding."
    )
