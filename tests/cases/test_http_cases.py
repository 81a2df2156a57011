"""HTTP cases from public reports, read from a folder beside the repository.

Without that folder tests/api holds the same kinds with texts of its own. A case is tried on every
operation, in process where a real server says nothing more, else over raw sockets.
"""

import gzip
import json
import re
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from cases_folder import cases
from every_request import EVERY, REPEATABLE, Asked, numeric_matrices, put_text
from flask.testing import FlaskClient
from real_server import HEALTH, Reply, Server, attention, post, read, request

from service.app import create_app

CASES = {case["id"]: case for case in cases("http.jsonl")}

TYPES = ("application/json", "application/problem+json")
LIMIT = 2 * 1024 * 1024
ALL = list(EVERY.values())
every = pytest.mark.parametrize("asked", ALL, ids=EVERY)

# The cases that put a text in place of a matrix; a case may describe several texts.
MATRIX_TEXTS = {
    "T01": ["[[NaN,1]]"],
    "T02": ["[[-Infinity,1]]", "[[Infinity,1]]"],
    "T03": ["[[1e400,1]]", "[[-1e400,1]]"],
    "T05": [f"[[{'9' * 5000}]]"],
    "T06": ["[[true,false]]"],
    "T07": ['[["1.5","2"]]', '[["1_0"]]', '[[" 2 "]]'],
    "T10": ["[[1,[2]],[3,4]]"],
    "T11": ["[]", "[[]]", "[[],[]]"],
    "T12": ["[[null,1]]"],
}
# Where null means −∞.
MAY_HOLD_NULL = {(asked.path, "bias") for asked in ALL} | {("/v1/softmax", "scores")}


def kept(case: str, response: Any) -> None:
    """The reply has a status of the case, a media type of the case, and nothing that never is."""
    expected = CASES[case]["expected"]
    assert response.status_code in expected["status"], response.text
    assert response.content_type in TYPES
    json.loads(response.data)
    assert "Traceback" not in response.text
    assert "<html" not in response.text.lower()


def send(client: FlaskClient, asked: Asked, text: str | bytes, **headers: str) -> Any:
    return client.post(
        asked.path, data=text, headers={"Content-Type": "application/json", **headers}
    )


def valid(asked: Asked) -> str:
    return json.dumps(asked.body)


def test_every_case_is_tried() -> None:
    tried = set(re.findall(r"\bT\d\d\b", Path(__file__).read_text("utf-8")))
    assert set(CASES) == tried & set(CASES)


# A text in place of each numeric matrix


def texts() -> Iterator[Any]:
    for case, some in MATRIX_TEXTS.items():
        for name, asked in EVERY.items():
            for place in numeric_matrices(asked.body):
                if case == "T12" and (asked.path, place[-1]) in MAY_HOLD_NULL:
                    continue
                for i, text in enumerate(some):
                    where = "/".join(map(str, place))
                    yield pytest.param(case, asked, place, text, id=f"{case}-{name}-{where}-{i}")


@pytest.mark.parametrize(("case", "asked", "place", "text"), list(texts()))
def test_no_matrix_takes_the_text_of_a_case(
    client: FlaskClient, case: str, asked: Asked, place: Any, text: str
) -> None:
    given = CASES[case]["inputs"]["matrix_text"]
    assert given in some_as_given(case), "the case has changed"
    body = put_text(asked.body, place, text)
    response = send(client, asked, body)
    if text == "[]":  # for an optional member it counts as absent, and the rest may be valid
        assert response.status_code in (200, 422)
        return
    kept(case, response)
    pointer = response.get_json()["errors"][0]["pointer"]
    assert pointer.startswith("#/" + "/".join(map(str, place)))


def some_as_given(case: str) -> list[str]:
    """What the file says where a text is described and not written out."""
    described = {
        "T05": "[[<5000 times the digit 9>]]",
        "T11": "[]  (also [[]] and [[],[]])",
    }
    return [described.get(case, ""), *MATRIX_TEXTS[case]]


# The body as a whole, in process


@every
def test_t13_nesting_is_refused_in_time(client: FlaskClient, asked: Asked) -> None:
    start = time.monotonic()
    response = send(client, asked, "[" * 100_000 + "]" * 100_000)
    assert time.monotonic() - start < CASES["T13"]["expected"]["within_ms"] / 1000
    kept("T13", response)


@pytest.mark.parametrize("asked", REPEATABLE.values(), ids=REPEATABLE)
def test_t14_the_last_of_two_equal_members_counts_as_documented(
    client: FlaskClient, asked: Asked
) -> None:
    first = next(iter(asked.body))
    text = valid(asked)
    twice = '{"' + first + '": null, ' + text[1:]
    assert CASES["T14"]["expected"]["also_acceptable"] == "documented last-wins"
    response = send(client, asked, twice)
    assert (response.status_code, response.data) == (200, send(client, asked, text).data)


@every
def test_t15_a_byte_order_mark_is_no_fault_of_the_service(
    client: FlaskClient, asked: Asked
) -> None:
    kept("T15", send(client, asked, valid(asked).encode("utf-8-sig")))


@every
def test_t16_utf_16_is_refused_or_read(client: FlaskClient, asked: Asked) -> None:
    kept("T16", send(client, asked, valid(asked).encode("utf-16")))


GARBAGE = {
    "text after it": "{}garbage",
    "two documents": "{}{}",
    "a comment": "{}// c",
    "a comment before it": "/* c */{}",
}


@every
@pytest.mark.parametrize("form", GARBAGE.values(), ids=GARBAGE)
def test_t21_text_around_the_document_is_refused(
    client: FlaskClient, asked: Asked, form: str
) -> None:
    kept("T21", send(client, asked, form.replace("{}", valid(asked))))


@pytest.mark.parametrize("text", ["{'Q': [[1]]}", '{"scale": 01}', '{"scale": +1}'])
def test_t21_what_only_looks_like_json_is_refused(client: FlaskClient, text: str) -> None:
    kept("T21", send(client, EVERY["attention"], text))


@every
def test_t23_a_misspelt_member_is_named(client: FlaskClient, asked: Asked) -> None:
    response = send(client, asked, valid(asked)[:-1] + ', "casual": true}')
    kept("T23", response)
    assert CASES["T23"]["expected"]["names_the_field"] in response.get_json()["detail"]


def test_t24_half_a_head_does_not_become_a_whole_one(client: FlaskClient) -> None:
    asked = EVERY["multihead-packed"]
    kept("T24", send(client, asked, json.dumps(asked.body | {"n_heads": 2.5})))


@pytest.mark.parametrize("flag", ["yes", "no", "on", 1, 0, 1.0, "true"])
def test_t26_only_true_and_false_are_flags(client: FlaskClient, flag: Any) -> None:
    asked = EVERY["attention"]
    body = asked.body | {"mask": {"causal": flag}}
    kept("T26", send(client, asked, json.dumps(body)))


@every
def test_t27_a_declared_length_over_the_limit_is_refused(client: FlaskClient, asked: Asked) -> None:
    kept("T27", send(client, asked, valid(asked) + " " * 3_000_000))


@every
def test_t35_a_trailing_slash_is_no_redirect(client: FlaskClient, asked: Asked) -> None:
    response = client.post(asked.path + "/", json=asked.body)
    kept("T35", response)
    assert "Location" not in response.headers


FAILURES = {
    400: ("POST", "/v1/attention", {"data": "{", "content_type": "application/json"}),
    404: ("GET", "/nowhere", {}),
    405: ("GET", "/v1/attention", {}),
    413: (
        "POST",
        "/v1/attention",
        {"data": b" " * (LIMIT + 1), "content_type": "application/json"},
    ),
    415: ("POST", "/v1/attention", {"data": "{}"}),
    422: ("POST", "/v1/attention", {"json": {}}),
}


@pytest.mark.parametrize("status", FAILURES)
@pytest.mark.parametrize("setting", ["", "https://lms.example"], ids=["any", "a list"])
def test_t39_a_page_can_read_every_error(setting: str, status: int) -> None:
    case = CASES["T39"]
    method, path, sent = FAILURES[status]
    client = create_app({"CORS_ORIGINS": setting}).test_client()
    origin = case["inputs"]["headers"]["Origin"]
    response = client.open(path, method=method, headers={"Origin": origin}, **sent)
    assert response.status_code == status
    assert response.headers["Access-Control-Allow-Origin"] in ("*", origin)


@every
@pytest.mark.parametrize("origin", ["of the case", "https://lms.example", None])
def test_t40_with_a_list_every_reply_varies_by_origin(asked: Asked, origin: str | None) -> None:
    client = create_app({"CORS_ORIGINS": "https://lms.example https://b.example"}).test_client()
    if origin == "of the case":
        origin = CASES["T40"]["inputs"]["headers"]["Origin"]
    headers = {"Origin": origin} if origin else {}
    response = client.post(asked.path, json=asked.body, headers=headers)
    assert "Origin" in response.headers["Vary"]
    allowed = response.headers.get("Access-Control-Allow-Origin")
    assert allowed == (origin if origin == "https://lms.example" else None)


def test_t49_doubles_come_back_to_the_last_bit(client: FlaskClient) -> None:
    case = CASES["T49"]
    V = json.loads(case["inputs"]["matrix_text"])
    body = {"Q": [[1, 0], [0, 1]], "K": [[1e4, 0], [0, 1e4]], "V": V}
    response = client.post("/v1/attention", json=body)
    assert response.status_code in case["expected"]["status"]
    steps = {step["name"]: step["value"] for step in response.get_json()["steps"]}
    for name in ("V", "head"):
        assert [cell for row in steps[name] for cell in row] == case["expected"]["echo"]


@every
def test_t57_a_compressed_body_is_refused(client: FlaskClient, asked: Asked) -> None:
    text = gzip.compress(valid(asked).encode())
    kept("T57", send(client, asked, text, **{"Content-Encoding": "gzip"}))


@pytest.mark.parametrize("asked", [EVERY["attention"], EVERY["quiz"]], ids=["traced", "plain"])
def test_t39_a_page_can_read_a_fault_of_the_service(
    monkeypatch: pytest.MonkeyPatch, asked: Asked
) -> None:
    app = create_app({})
    monkeypatch.delattr(app.operations[asked.path], "view")
    origin = CASES["T39"]["inputs"]["headers"]["Origin"]
    response = app.test_client().post(asked.path, json=asked.body, headers={"Origin": origin})
    assert response.status_code == 500
    assert response.headers["Access-Control-Allow-Origin"] == "*"


# Over a real server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.stop()


def kept_raw(case: str, reply: Reply) -> None:
    assert reply.status in CASES[case]["expected"]["status"]
    assert reply.headers["content-type"] in TYPES
    json.loads(reply.body)


def chunked(path: str, body: bytes) -> bytes:
    """The body in chunks of 64 KiB, and the connection closed after the reply."""
    parts = [body[i : i + (1 << 16)] for i in range(0, len(body), 1 << 16)]
    text = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    return request(
        f"POST {path}",
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
        "Connection: close",
        body=text,
    )


@every
def test_t28_a_chunked_body_over_the_limit_is_not_cut(server: Server, asked: Asked) -> None:
    body = valid(asked).encode().ljust(LIMIT) + b"GARBAGE"
    kept_raw("T28", server.send(chunked(asked.path, body)))


def test_t28_a_chunked_body_of_exactly_the_limit_is_taken(server: Server) -> None:
    asked = EVERY["attention"]
    body = valid(asked).encode().ljust(LIMIT)
    assert server.send(chunked(asked.path, body)).status == 200


def test_t28_three_megabytes_of_json_in_chunks_are_refused(server: Server) -> None:
    body = json.dumps({"Q": [[1.0] * 600_000]}).encode()
    kept_raw("T28", server.send(chunked("/v1/attention", body)))


FRAMING = {
    "chunked, identity": ["Transfer-Encoding: chunked, identity", "Content-Length: 2"],
    "xchunked": ["Transfer-Encoding: xchunked"],
    "two lengths": ["Content-Length: 2", "Content-Length: 3"],
    "+11": ["Content-Length: +11"],
    "1_1": ["Content-Length: 1_1"],
    "-1": ["Content-Length: -1"],
}


@pytest.mark.parametrize("headers", FRAMING.values(), ids=FRAMING)
def test_t31_a_body_whose_end_is_unclear_gets_one_refusal(
    server: Server, headers: list[str]
) -> None:
    reply = server.send(
        request("POST /v1/attention", "Content-Type: application/json", *headers, body=b"{}")
    )
    kept_raw("T31", reply)
    assert reply.body.count(b'"status"') == CASES["T31"]["expected"]["responses"]


def test_t33_a_request_line_of_5000_bytes_is_refused(server: Server) -> None:
    kept_raw("T33", server.send(request("GET /" + "a" * 5000)))


@pytest.mark.parametrize(
    "headers", [["X: " + "a" * 9000], ["X: a"] * 150], ids=["9,000 bytes", "150 headers"]
)
def test_t34_headers_without_end_are_refused(server: Server, headers: list[str]) -> None:
    kept_raw("T34", server.send(request("GET /healthz", *headers)))


def test_t43_head_of_the_health_probe_has_no_body(server: Server) -> None:
    with server.connect() as client:
        client.sendall(request("HEAD /healthz", "Connection: close"))
        data = b"".join(iter(lambda: client.recv(1 << 16), b""))
    head, _, body = data.partition(b"\r\n\r\n")
    assert int(head.split()[1]) in CASES["T43"]["expected"]["status"]
    assert len(body) == CASES["T43"]["expected"]["body_length"]


def test_t58_a_body_slower_than_promised_is_given_up(server: Server) -> None:
    case = CASES["T58"]["expected"]
    reply = server.send(post(b'{"Q": [[1]]', length=20))
    kept_raw("T58", reply)
    assert reply.seconds < case["within_ms"] / 1000


def largest() -> bytes:
    """2,048 tokens, the most that may look at each other, in a body of nearly 2 MiB."""
    rows = ",".join(["[" + ",".join(["1"] * 160) + "]"] * 2048)
    body = f'{{"Q":[{rows}],"K":[{rows}],"V":[{rows}]}}'.encode()
    assert LIMIT * 0.9 < len(body) <= LIMIT
    return body


def test_t53_health_answers_while_every_thread_computes_the_largest_request() -> None:
    within = CASES["T53"]["expected"]["within_ms"] / 1000
    threads = 64
    server = Server(THREADS=str(threads + 8))
    heavy = [post(largest()), post(attention(2048))]
    try:
        with ExitStack() as clients:
            for i in range(threads):
                clients.enter_context(server.connect()).sendall(heavy[i % 2])
            waits = []
            for _ in range(8):
                time.sleep(0.25)
                with server.connect() as probe:
                    start = time.monotonic()
                    probe.sendall(HEALTH)
                    reply = read(probe, start)
                assert reply.status == 200
                waits.append(reply.seconds)
        # One probe may be unlucky on a machine that does other things too.
        assert statistics.median(waits) < within, waits
    finally:
        server.stop()


def test_every_path_of_the_cases_is_known() -> None:
    """/health in the cases is our /healthz; the others are as they are."""
    paths = {case["inputs"]["path"].replace("/health", "/healthz") for case in CASES.values()}
    known = {asked.path for asked in ALL} | {"/healthz", "/v1/attention/", "/<5000 x a>"}
    assert paths <= known
