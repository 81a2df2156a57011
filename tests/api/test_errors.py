"""Every way to fail, by where it fails: one shape, the right status, a place and a sentence."""

import io
import json
import logging
import re
import threading
from typing import Any

import pytest
from every_request import EVERY, VIEW, Asked, K, Q, V
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from refusals import assert_is_problem, assert_problem

from service.api.contract import operation
from service.app import create_app
from service.schemas import replies
from service.schemas.trace import TraceRequest

JSON = "application/json"
ATTENTION = "/v1/attention"
READY: dict[str, Any] = {"Q": Q, "K": K, "V": V}
EYE = [[1, 0], [0, 1]]
HEAD = {"W_Q": EYE, "W_K": EYE, "W_V": EYE}
FROM_X: dict[str, Any] = {"X": [[1, 2], [3, 4], [5, 6]], **HEAD}

every = pytest.mark.parametrize("asked", EVERY.values(), ids=EVERY)


def send(client: FlaskClient, text: bytes | str, path: str = ATTENTION) -> Any:
    return client.post(path, data=text, content_type=JSON)


# 400: the body cannot be parsed

UNPARSABLE = {
    "nothing": (b"", "#"),
    "blanks": (b"  ", "#"),
    "words": (b"hello", "#"),
    "half": (b'{"Q": [[1', "#/Q/0/0"),
    "half a name": (b'{"Q": [[1]], "K]]]]', "#"),
    "a name and no value": (b'{"Q": [[1]], "K"', "#/K"),
    "two documents": (b"{} {}", "#"),
    "text after it": (b'{"Q": [[1]]}x', "#"),
    "NaN": (b'{"Q": [[1, NaN]]}', "#/Q/0/1"),
    "Infinity": (b'{"Q": [[Infinity]]}', "#/Q/0/0"),
    "-Infinity": (b'{"Q": [[1],[-Infinity]]}', "#/Q/1/0"),
    "NaN deep inside": (
        b'{"heads": [{}, {"mask": {"a": "]},", "bias": [[NaN]]}}]}',
        "#/heads/1/mask/bias/0/0",
    ),
    "1e400": (b'{"scale": 1e400}', "#/scale"),
    "400 digits": (b'{"Q": [[1], [%s]]}' % (b"9" * 400), "#/Q/1/0"),
    "5,000 digits": (b'{"Q": [[%s]]}' % (b"9" * 5000), "#/Q/0/0"),
    "single quotes": (b"{'Q': 1}", "#"),
    "a comment": (b"/* c */ {}", "#"),
    "a leading zero": (b'{"scale": 01}', "#/scale"),
    "a plus sign": (b'{"scale": +1}', "#/scale"),
    "a trailing comma": (b'{"Q": [[1,]]}', "#/Q/0/0"),
    "UTF-16": ('{"Q": [[1]]}'.encode("utf-16"), "#"),
    "Latin-1": ('{"tokens": ["é"]}'.encode("latin-1"), "#"),
    "half a surrogate": (rb'{"tokens": ["\ud800"]}', "#/tokens/0"),
    "a raw newline": (b'{"tokens": ["a\n"]}', "#/tokens/0"),
}


@pytest.mark.parametrize(("text", "pointer"), UNPARSABLE.values(), ids=UNPARSABLE)
def test_what_is_not_json_is_400_with_its_place(
    client: FlaskClient, text: bytes, pointer: str
) -> None:
    response = send(client, text)
    assert_is_problem(response, 400)
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == pointer
    assert error["detail"] == response.get_json()["detail"]
    said = r"The body is not JSON in UTF-8: .+: line 1 column \d+ \(char \d+\)\."
    assert re.fullmatch(said, error["detail"])


@given(
    st.recursive(
        st.integers(),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3)
            | st.dictionaries(st.sampled_from(["a", "b,", "[", "}"]), inner, min_size=1)
        ),
        max_leaves=6,
    ),
    st.data(),
)
def test_the_place_of_nan_is_found_in_any_document(
    client: FlaskClient, document: Any, data: st.DataObject
) -> None:
    place, node = "#", document
    text = ""
    while not isinstance(node, int):
        if isinstance(node, list):
            key = data.draw(st.integers(0, len(node) - 1))
            text += json.dumps(node[:key])[:-1] + ("," if key else "")
        else:
            key = data.draw(st.sampled_from(list(node)))
            before = {name: node[name] for name in list(node)[: list(node).index(key)]}
            text += json.dumps(before)[:-1] + ("," if before else "") + json.dumps(key) + ":"
        place += f"/{key}"
        node = node[key]
    response = send(client, text + "NaN")
    assert response.get_json()["errors"][0]["pointer"] == place


@every
def test_every_operation_refuses_two_documents(client: FlaskClient, asked: Asked) -> None:
    assert_is_problem(send(client, json.dumps(asked.body) * 2, asked.path), 400)


@pytest.mark.parametrize("depth", [1_025, 2_000, 100_000])
@pytest.mark.parametrize("opening", ["[", '{"X":'], ids=["lists", "objects"])
def test_deep_nesting_is_400(client: FlaskClient, opening: str, depth: int) -> None:
    assert_is_problem(send(client, opening * depth), 400)


def test_nesting_that_can_be_read_is_422(client: FlaskClient) -> None:
    assert_is_problem(send(client, '{"Q": ' + "[" * 900 + "]" * 900 + "}"), 422)


@given(st.data())
def test_broken_json_is_a_refusal_and_no_crash(client: FlaskClient, data: st.DataObject) -> None:
    text = json.dumps(EVERY["multihead"].body).encode()
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(start + 3, len(text))))
    junk = data.draw(st.text('[]{}",:\\0-eE. nN', max_size=4)).encode()
    response = send(client, text[:start] + junk + text[stop:], "/v1/multihead")
    assert response.status_code in (200, 400, 422)


def test_a_length_that_is_no_number_is_400(client: FlaskClient) -> None:
    response = client.post(
        ATTENTION, data=b"{}", content_type=JSON, environ_overrides={"CONTENT_LENGTH": "2x"}
    )
    assert_problem(response, 400, None, "Content-Length is not a number.")


def test_a_body_shorter_than_its_length_is_400(client: FlaskClient) -> None:
    response = client.post(
        ATTENTION, data=b"{}", content_type=JSON, environ_overrides={"CONTENT_LENGTH": "7"}
    )
    assert_problem(response, 400, None, "The body ends after 2 of 7 bytes.")


# 404 and 405: the path, the method

ELSEWHERE = {
    "nothing": "/",
    "an unknown operation": "/v1/attentions",
    "no version": "/attention",
    "a slash after it": "/v1/attention/",
    "two slashes": "/v1//attention",
    "two slashes first": "//v1/attention",
    "capital letters": "/v1/Attention",
    "a dot": "/v1/./attention",
    "a health probe with a slash": "/healthz/",
}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_path_that_is_not_there_is_404_and_never_a_redirect(
    client: FlaskClient, path: str, method: str
) -> None:
    response = client.open(path, method=method, json=READY if method == "POST" else None)
    assert_is_problem(response, 404)
    assert "Location" not in response.headers


ALLOWED = {
    "/v1/attention": {"POST", "OPTIONS"},
    "/v1/mask": {"POST", "OPTIONS"},
    "/v1/multihead": {"POST", "OPTIONS"},
    "/v1/layernorm": {"POST", "OPTIONS"},
    "/v1/quiz/grade": {"POST", "OPTIONS"},
    "/v1/params": {"GET", "HEAD", "POST", "OPTIONS"},
    "/v1/examples": {"GET", "HEAD", "OPTIONS"},
    "/v1/examples/calculator": {"GET", "HEAD", "OPTIONS"},
    "/healthz": {"GET", "HEAD", "OPTIONS"},
    "/readyz": {"GET", "HEAD", "OPTIONS"},
    "/openapi.yaml": {"GET", "HEAD", "OPTIONS"},
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")


@pytest.mark.parametrize(
    ("path", "method"),
    [(path, method) for path in ALLOWED for method in METHODS if method not in ALLOWED[path]],
)
def test_another_method_is_405_with_what_is_allowed(
    client: FlaskClient, path: str, method: str
) -> None:
    response = client.open(path, method=method)
    assert response.status_code == 405
    assert response.content_type == "application/problem+json"
    assert set(response.headers["Allow"].split(", ")) == ALLOWED[path]


def test_405_is_a_problem(client: FlaskClient) -> None:
    sentence = "This path takes OPTIONS, POST."
    assert_problem(client.get(ATTENTION), 405, None, sentence)


@pytest.mark.parametrize("path", ALLOWED)
def test_options_says_what_is_allowed_and_nothing_else(client: FlaskClient, path: str) -> None:
    response = client.options(path)
    assert (response.status_code, response.data) == (204, b"")
    assert "Content-Type" not in response.headers
    assert set(response.headers["Allow"].split(", ")) == ALLOWED[path]


# 413: the body is too large

SMALL = create_app({"MAX_BODY_BYTES": "120"}).test_client()
TOO_LARGE = "The body is larger than 120 bytes."
REST = json.dumps(READY).encode()


def chunked(text: bytes) -> Any:
    """As a server hands over a body whose length nobody declared."""
    return SMALL.post(
        ATTENTION,
        input_stream=io.BytesIO(text),
        content_type=JSON,
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
    )


def test_a_declared_length_over_the_limit_is_413() -> None:
    assert_problem(send(SMALL, b" " * 121), 413, None, TOO_LARGE)


def test_a_chunked_body_over_the_limit_is_413() -> None:
    assert_problem(chunked(b" " * 121), 413, None, TOO_LARGE)


def test_valid_json_with_blanks_over_the_limit_is_not_cut_but_413() -> None:
    assert_problem(chunked(REST + b" " * (120 - len(REST)) + b"GARBAGE"), 413, None, TOO_LARGE)


@pytest.mark.parametrize(
    "post", [lambda text: send(SMALL, text), chunked], ids=["length", "chunks"]
)
def test_a_body_of_exactly_the_limit_is_taken(post: Any) -> None:
    assert post(REST + b" " * (120 - len(REST))).status_code == 200


def test_the_limit_is_2_mib_unless_it_is_set(client: FlaskClient) -> None:
    response = send(client, b" " * (2 * 1024 * 1024 + 1))
    assert_problem(response, 413, None, "The body is larger than 2,097,152 bytes.")


def test_a_body_without_a_length_and_without_chunks_is_an_empty_one(client: FlaskClient) -> None:
    response = client.post(
        ATTENTION, data=REST, content_type=JSON, environ_overrides={"CONTENT_LENGTH": ""}
    )
    assert_is_problem(response, 400)


# 415: the body is not said to be JSON

NOT_JSON = {
    "no type": ({}, "The body is of no stated type; send Content-Type: application/json."),
    "text": (
        {"Content-Type": "text/plain"},
        "The body is text/plain; send Content-Type: application/json.",
    ),
    "a form": (
        {"Content-Type": "application/x-www-form-urlencoded"},
        "The body is application/x-www-form-urlencoded; send Content-Type: application/json.",
    ),
    "JSON as text": (
        {"Content-Type": "text/json"},
        "The body is text/json; send Content-Type: application/json.",
    ),
    "gzip": (
        {"Content-Type": JSON, "Content-Encoding": "gzip"},
        "The body is encoded as gzip; send it without Content-Encoding.",
    ),
}


@pytest.mark.parametrize(("headers", "sentence"), NOT_JSON.values(), ids=NOT_JSON)
def test_a_body_that_is_not_said_to_be_plain_json_is_415(
    client: FlaskClient, headers: dict[str, str], sentence: str
) -> None:
    assert_problem(client.post(ATTENTION, data=REST, headers=headers), 415, None, sentence)


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json;charset=UTF-8",
        "application/vnd.lecture+json",
    ],
)
def test_other_ways_to_say_json_are_taken(client: FlaskClient, media_type: str) -> None:
    response = client.post(ATTENTION, data=REST, headers={"Content-Type": media_type})
    assert response.status_code == 200


def test_the_encoding_identity_is_none(client: FlaskClient) -> None:
    headers = {"Content-Type": JSON, "Content-Encoding": "identity"}
    assert client.post(ATTENTION, data=REST, headers=headers).status_code == 200


# 422: the body is JSON, but not what the operation takes

MATRIX = "A matrix is a list of rows, not {}."
REFUSED = {
    "a list": (ATTENTION, [], "#", "This must be an object, not a list."),
    "a number": (ATTENTION, 3, "#", "This must be an object, not a number."),
    "null": (ATTENTION, None, "#", "This must be an object, not null."),
    "an unknown member": (
        "/v1/layernorm",
        {"x": [[1, 2]], "gama": [1, 1]},
        "#/gama",
        "Unknown field gama. Did you mean gamma?",
    ),
    "an unknown member inside": (
        ATTENTION,
        READY | {"mask": {"casual": True}},
        "#/mask/casual",
        "Unknown field casual. Did you mean causal?",
    ),
    "an unknown member of a head": (
        "/v1/multihead",
        {"X": EYE, "heads": [HEAD, HEAD | {"W_X": EYE}]},
        "#/heads/1/W_X",
        "Unknown field W_X. Did you mean W_V?",
    ),
    "an unknown member like none": (
        ATTENTION,
        READY | {"context": {"zzz": 1}},
        "#/context/zzz",
        "Unknown field zzz. Known: X, tokens.",
    ),
    "a member with slashes": (
        ATTENTION,
        READY | {"context": {"a/b~c": 1}},
        "#/context/a~1b~0c",
        "Unknown field a/b~c. Known: X, tokens.",
    ),
    "a member with a name of marshmallow's own": (
        ATTENTION,
        READY | {"context": {"_schema": 1}},
        "#/context/_schema",
        "Unknown field _schema. Known: X, tokens.",
    ),
    "a member without a name": (
        ATTENTION,
        READY | {"context": {"": 1}},
        "#/context/",
        "Unknown field . Known: X, tokens.",
    ),
    "a missing member": ("/v1/layernorm", {}, "#/x", "x is missing."),
    "a missing member that is null": (
        "/v1/layernorm",
        {"x": None},
        "#/x",
        "This must not be null.",
    ),
    "a matrix that is a number": (ATTENTION, READY | {"Q": 1}, "#/Q", MATRIX.format("a number")),
    "a matrix that is text": (ATTENTION, READY | {"Q": "1"}, "#/Q", MATRIX.format("a string")),
    "a row that is a number": (
        ATTENTION,
        READY | {"Q": [1]},
        "#/Q/0",
        "A row is a list of numbers, not a number.",
    ),
    "text in a cell": (
        ATTENTION,
        READY | {"Q": [[1, 2], [1, "2"]]},
        "#/Q/1/1",
        "A cell must be a number, not a string.",
    ),
    "true in a cell": (
        ATTENTION,
        READY | {"Q": [[True, 1]]},
        "#/Q/0/0",
        "A cell must be a number, not a boolean.",
    ),
    "null in a cell": (
        ATTENTION,
        READY | {"Q": [[1, None]]},
        "#/Q/0/1",
        "A cell must be a number, not null.",
    ),
    "a list in a cell": (
        ATTENTION,
        READY | {"Q": [[1, [2]], [3, 4]]},
        "#/Q/0/1",
        "A cell must be a number, not a list.",
    ),
    "ragged rows": (
        ATTENTION,
        READY | {"Q": [[1, 2], [3]]},
        "#/Q/1",
        "Row 1 has 1 cell, but row 0 has 2; all need as many.",
    ),
    "no column": (
        ATTENTION,
        READY | {"Q": [[], []]},
        "#/Q/0",
        "The row is empty; a matrix needs at least one column.",
    ),
    "no row": (
        "/v1/layernorm",
        {"x": []},
        "#/x",
        "The matrix is empty; it needs at least one row.",
    ),
    "a softcap of 0": (
        ATTENTION,
        READY | {"softcap": 0},
        "#/softcap",
        "This must be greater than 0.",
    ),
    "a negative softcap": (
        ATTENTION,
        READY | {"softcap": -1},
        "#/softcap",
        "This must be greater than 0.",
    ),
    "a window of 0": (
        ATTENTION,
        READY | {"mask": {"window": 0}},
        "#/mask/window",
        "This must be at least 1.",
    ),
    "a negative window": (
        ATTENTION,
        READY | {"mask": {"window": -1}},
        "#/mask/window",
        "This must be at least 1.",
    ),
    "half a window": (
        ATTENTION,
        READY | {"mask": {"window": 2.5}},
        "#/mask/window",
        "This must be a whole number, not 2.5.",
    ),
    "a window without end": (
        ATTENTION,
        READY | {"mask": {"window": 1e300}},
        "#/mask/window",
        "This must be at most 9,007,199,254,740,991 (2^53 - 1) in size.",
    ),
    "half a head": (
        "/v1/multihead",
        {"X": EYE, **HEAD, "n_heads": 2.5},
        "#/n_heads",
        "This must be a whole number, not 2.5.",
    ),
    "no head": (
        "/v1/multihead",
        {"X": EYE, **HEAD, "n_heads": 0},
        "#/n_heads",
        "This must be from 1 to 512.",
    ),
    "a flag that is a word": (
        ATTENTION,
        READY | {"mask": {"causal": "yes"}},
        "#/mask/causal",
        "This must be true or false, not a string.",
    ),
    "a flag that is a number": (
        ATTENTION,
        READY | {"mask": {"causal": 1}},
        "#/mask/causal",
        "This must be true or false, not a number.",
    ),
    "a layout that is none": (
        ATTENTION,
        READY | {"weights_layout": "in-out"},
        "#/weights_layout",
        'This must be one of out_in, in_out, not "in-out".',
    ),
    "an orientation that is none": (
        ATTENTION,
        READY | {"orientation": "sideways"},
        "#/orientation",
        'This must be one of rows, columns, not "sideways".',
    ),
    "an eps of 0": ("/v1/layernorm", {"x": EYE, "eps": 0}, "#/eps", "This must be greater than 0."),
    "no digits": (
        ATTENTION,
        READY | {"significant_digits": 0},
        "#/significant_digits",
        "This must be from 1 to 17.",
    ),
    "too many digits": (
        ATTENTION,
        READY | {"significant_digits": 18},
        "#/significant_digits",
        "This must be from 1 to 17.",
    ),
    "a label that is a number": (
        ATTENTION,
        READY | {"tokens": ["a", 1, "c"]},
        "#/tokens/1",
        "This must be a string, not a number.",
    ),
    "cells to explain that are a word": (
        ATTENTION,
        READY | {"explain": "some"},
        "#/explain",
        'This must be "all" or a list of cells such as {"step": "scores"}.',
    ),
    "a negative row to explain": (
        ATTENTION,
        READY | {"explain": [{"step": "Q", "row": -1}]},
        "#/explain/0/row",
        "This must be at least 0.",
    ),
    "a cell to explain of no step": (
        ATTENTION,
        READY | {"explain": [{"step": "Q"}, {"row": 0}]},
        "#/explain/1/step",
        "step is missing.",
    ),
    "no answers": (
        "/v1/quiz/grade",
        {"items": []},
        "#/items",
        "This must have from 1 to 1,000 members, not 0.",
    ),
    "an answer of no kind": (
        "/v1/quiz/grade",
        {"items": [{"question": "why-mask", "answer": {"choices": ["a"]}}]},
        "#/items/0/answer/kind",
        "This must be one of text, number, choice, matrix, tensor, steps.",
    ),
}


@pytest.mark.parametrize(("path", "body", "pointer", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_body_of_the_wrong_form_is_422(
    client: FlaskClient, path: str, body: Any, pointer: str, sentence: str
) -> None:
    assert_problem(send(client, json.dumps(body), path), 422, pointer, sentence)


@every
def test_every_operation_refuses_an_unknown_member(client: FlaskClient, asked: Asked) -> None:
    response = client.post(asked.path, json={**asked.body, "casual": True})
    assert_is_problem(response, 422)
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == "#/casual"
    assert error["detail"].startswith("Unknown field casual.")


def test_every_fault_is_listed_the_unknown_members_in_the_order_of_the_request(
    client: FlaskClient,
) -> None:
    text = '{"zzz": 1, "aaa": 2, "eps": -1, "x": [["1"]], "mmm": 3}'
    errors = send(client, text, "/v1/layernorm").get_json()["errors"]
    pointers = [error["pointer"] for error in errors]
    assert pointers == ["#/x/0/0", "#/eps", "#/zzz", "#/aaa", "#/mmm"]


MUCH = {
    "unknown members": (ATTENTION, {f"a{i}": 0 for i in range(5_000)}),
    "answers that are none": ("/v1/quiz/grade", {"items": [1] * 1_000}),
    "cells that are none": (ATTENTION, {"explain": [1] * 1_000}),
    "unknown members in each of many answers": (
        "/v1/quiz/grade",
        {"items": [{f"a{i}": 0 for i in range(50)}] * 100},
    ),
}


@pytest.mark.parametrize(("path", "body"), MUCH.values(), ids=MUCH)
def test_of_very_many_faults_the_first_hundred_are_listed(
    client: FlaskClient, path: str, body: Any
) -> None:
    response = client.post(path, json=body)
    assert_is_problem(response, 422)
    assert len(response.get_json()["errors"]) == 100


# 422: the parts do not fit together

MISFITS = {
    "K is narrower than Q": (
        ATTENTION,
        READY | {"K": [[1], [2]]},
        "#/K",
        "K has 1 column, but Q has 2; both need d_k.",
    ),
    "V is shorter than K": (
        ATTENTION,
        READY | {"V": [[1]]},
        "#/V",
        "V has 1 row, but K has 2; each key needs one value.",
    ),
    "K is missing": (
        ATTENTION,
        {"Q": Q, "V": V},
        "#/K",
        "K is missing; Q, K and V are sent together.",
    ),
    "Q and W_Q": (
        ATTENTION,
        READY | {"W_Q": EYE},
        "#/W_Q",
        "W_Q and Q are both given; send one of the two.",
    ),
    "nothing": (
        ATTENTION,
        {},
        "#/X",
        "X is missing; send X with W_Q, W_K and W_V, or send Q, K and V.",
    ),
    "W_V is missing": (
        ATTENTION,
        {"X": EYE, "W_Q": EYE, "W_K": EYE},
        "#/W_V",
        "W_V is missing; X needs W_Q, W_K and W_V.",
    ),
    "W_Q is too wide": (
        ATTENTION,
        FROM_X | {"W_Q": [[1, 2, 3]]},
        "#/W_Q",
        "W_Q is 1 × 3, but X has 2 columns; it must be d_k × 2.",
    ),
    "W_Q would fit the other layout": (
        ATTENTION,
        FROM_X | {"W_Q": [[1], [2]]},
        "#/W_Q",
        "W_Q is 2 × 1, but X has 2 columns; it must be d_k × 2. It fits the other layout:"
        ' send "weights_layout": "in_out", or transpose it.',
    ),
    "W_V would fit the layout out_in": (
        ATTENTION,
        FROM_X | {"weights_layout": "in_out", "W_V": [[1, 2]]},
        "#/W_V",
        "W_V is 1 × 2, but X has 2 columns; it must be 2 × d_v. It fits the other layout:"
        ' send "weights_layout": "out_in", or transpose it.',
    ),
    "W_K makes keys of another width": (
        ATTENTION,
        FROM_X | {"W_K": [[1, 2]]},
        "#/W_K",
        "W_K makes keys of 1 number, but W_Q queries of 2; both need d_k.",
    ),
    "W_K does not take the context": (
        ATTENTION,
        FROM_X | {"context": {"X": [[1, 2, 3]]}},
        "#/W_K",
        "W_K is 2 × 2, but context.X has 3 columns; it must be d_k × 3.",
    ),
    "W_O does not take the head": (
        ATTENTION,
        FROM_X | {"W_O": [[1, 2, 3]]},
        "#/W_O",
        "W_O is 1 × 3, but the head has 2 columns; it must be d_model × 2.",
    ),
    "W_O would fit the other layout": (
        ATTENTION,
        FROM_X | {"W_O": [[1, 2, 3], [1, 2, 3]]},
        "#/W_O",
        "W_O is 2 × 3, but the head has 2 columns; it must be d_model × 2. It fits the other"
        ' layout: send "weights_layout": "in_out", or transpose it.',
    ),
    "W_O makes wider updates than X": (
        ATTENTION,
        FROM_X | {"W_O": [[1, 2]] * 3},
        "#/W_O",
        "W_O is 3 × 2 and makes updates of 3 numbers, but X has 2 columns; the update is added"
        " to X, so both need d_model.",
    ),
    "X is shorter than Q": (
        ATTENTION,
        READY | {"X": [[1, 2]]},
        "#/X",
        "X has 1 row, but Q has 3; each row is one token.",
    ),
    "a context beside K and V": (
        ATTENTION,
        READY | {"context": {"X": EYE}},
        "#/context/X",
        "context.X is not used with K and V; leave one out.",
    ),
    "a mask of another width": (
        ATTENTION,
        READY | {"mask": {"keep": [[True, True, False]]}},
        "#/mask/keep",
        "keep is 1 × 3, but the scores are 3 × 2 (queries × keys); it must be 3 × 2, 1 × 2 or"
        " 3 × 1.",
    ),
    "padding of another length": (
        ATTENTION,
        READY | {"mask": {"keep_keys": [True] * 3}},
        "#/mask/keep_keys",
        "keep_keys has 3 flags, but there are 2 keys; send 2.",
    ),
    "delta of another shape": (
        "/v1/layernorm",
        {"x": EYE, "delta": [[1, 2]]},
        "#/delta",
        "delta is 1 × 2, but x is 2 × 2; they are added.",
    ),
    "gamma of another length": (
        "/v1/layernorm",
        {"x": EYE, "gamma": [1, 2, 3]},
        "#/gamma",
        "gamma has 3 numbers, but x has 2 columns; send 2.",
    ),
    "beta for RMSNorm": (
        "/v1/layernorm",
        {"x": EYE, "norm": "rms", "beta": [1, 2]},
        "#/beta",
        "RMSNorm has no beta; leave it out, or set norm to layer.",
    ),
    "no scores and no sizes": (
        "/v1/mask",
        {"mask": {"causal": True}},
        "#/scores",
        "Send scores, or n_q (and n_k), or tokens.",
    ),
    "no heads": (
        "/v1/multihead",
        {"X": EYE},
        "#/heads",
        "Send heads with matrices of their own, or n_heads.",
    ),
    "heads that cannot be grouped": (
        "/v1/multihead",
        {"X": EYE, **HEAD, "n_heads": 3, "n_kv_heads": 2},
        "#/n_heads",
        "n_heads is 3 and n_kv_heads 2; n_heads must be a multiple of it.",
    ),
    "a matrix that cannot be cut": (
        "/v1/multihead",
        {"X": EYE, **HEAD, "n_heads": 3},
        "#/W_Q",
        "W_Q is 2 × 2; its 2 rows cannot be cut into n_heads = 3 equal parts.",
    ),
    "n_heads beside heads": (
        "/v1/multihead",
        {"X": EYE, "heads": [HEAD], "n_heads": 1},
        "#/n_heads",
        "n_heads is for packed matrices; leave it out, or heads.",
    ),
    "W_O of one head alone": (
        "/v1/multihead",
        {"X": EYE, "heads": [HEAD | {"W_O": EYE}, HEAD]},
        "#/heads/1/W_O",
        "This head has no W_O, but another has; all need one, or none.",
    ),
    "a head that does not fit": (
        "/v1/multihead",
        {"X": EYE, "heads": [HEAD, HEAD | {"name": "wide", "W_V": [[1, 2, 3]]}]},
        "#/heads/1/W_V",
        "wide: W_V is 1 × 3, but X has 2 columns; it must be d_v × 2.",
    ),
    "an unknown step": (
        ATTENTION,
        READY | {"steps": ["wieghts"]},
        "#/steps",
        'There is no step "wieghts"; there are Q, K, scores, scaled, masked, weights, V, head.',
    ),
    "an unknown step to explain": (
        ATTENTION,
        READY | {"explain": [{"step": "Q"}, {"step": "update"}]},
        "#/explain/1/step",
        'There is no step "update"; there are Q, K, scores, scaled, masked, weights, V, head.',
    ),
    "a row beyond the last": (
        ATTENTION,
        READY | {"explain": [{"step": "K", "row": 2}]},
        "#/explain/0/row",
        "K has 2 rows, counted from 0; there is no row 2.",
    ),
    "a column beyond the last": (
        ATTENTION,
        READY | {"explain": [{"step": "K", "column": 2}]},
        "#/explain/0/column",
        "K has 2 columns, counted from 0; there is no column 2.",
    ),
    "a trace that is not there": (
        "/v1/multihead",
        {"X": EYE, "heads": [HEAD], "explain": [{"step": "Q", "trace": "heads/1"}]},
        "#/explain/0/trace",
        'There is no trace "heads/1"; there are heads/0, combined.',
    ),
    "too many cells to explain": (
        ATTENTION,
        {"Q": [[1]] * 32, "K": [[1]] * 32, "V": [[1]] * 32, "explain": [{"step": "scores"}]},
        "#/explain",
        "At most 1,000 cells are explained in one request.",
    ),
    "an unknown preset": (
        "/v1/params",
        {"preset": "gpt33"},
        "#/preset",
        "There is no preset gpt33. Did you mean gpt3? Known: transformer-base, transformer-big,"
        " gpt2, gpt2-medium, gpt2-large, gpt2-xl, gpt3-small, gpt3-medium, gpt3-large, gpt3-xl,"
        " gpt3-2.7b, gpt3-6.7b, gpt3-13b, gpt3, llama2-7b, llama2-70b.",
    ),
    "an unknown question": (
        "/v1/quiz/grade",
        {"items": [{"question": "heads-gpt", "answer": {"kind": "text", "text": "1"}}]},
        "#/items/0/question",
        "There is no question 'heads-gpt'. Did you mean 'heads-gpt3'?",
    ),
}


@pytest.mark.parametrize(("path", "body", "pointer", "sentence"), MISFITS.values(), ids=MISFITS)
def test_parts_that_do_not_fit_are_422(
    client: FlaskClient, path: str, body: Any, pointer: str, sentence: str
) -> None:
    assert_problem(client.post(path, json=body), 422, pointer, sentence)


LABELS = {
    "a label too many": (ATTENTION, READY | {"tokens": list("abcd")}, "#/tokens", "4 labels"),
    "too few labels of keys": (
        ATTENTION,
        READY | {"context": {"tokens": ["a"]}},
        "#/context/tokens",
        "1 label,",
    ),
    "too few labels of columns": (
        ATTENTION,
        FROM_X | {"features": ["a"]},
        "#/features",
        "1 label,",
    ),
    "a label of a row too few": (
        "/v1/layernorm",
        {"x": EYE, "tokens": ["a"]},
        "#/tokens",
        "1 label,",
    ),
    "labels beside scores": (
        "/v1/mask",
        {"scores": EYE, "tokens": list("abc")},
        "#/tokens",
        "3 labels",
    ),
}


@pytest.mark.parametrize(("path", "body", "pointer", "count"), LABELS.values(), ids=LABELS)
def test_labels_need_to_be_as_many_as_what_they_label(
    client: FlaskClient, path: str, body: Any, pointer: str, count: str
) -> None:
    response = client.post(path, json=body)
    assert_is_problem(response, 422)
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == pointer
    assert f"{pointer.rpartition('/')[2]} has {count}" in error["detail"]


# 422: numbers that get too large, requests that are too large

OVERFLOWS = {
    "scores": (ATTENTION, {"Q": [[1e200]], "K": [[1e200]], "V": [[1]]}),
    "Q": (ATTENTION, {"X": [[1e200]], "W_Q": [[1e200]], "W_K": [[1]], "W_V": [[1]]}),
    "scaled": (ATTENTION, {"Q": [[1e150]], "K": [[1e150]], "V": [[1]], "scale": 1e100}),
    "masked": (
        ATTENTION,
        {"Q": [[1e308]], "K": [[1]], "V": [[1]], "mask": {"bias": [[1e308]]}, "scale": 1},
    ),
    "update": (ATTENTION, {"Q": [[1]], "K": [[1]], "V": [[1e200]], "W_O": [[1e200]]}),
    "output": (
        ATTENTION,
        {"Q": [[1]], "K": [[1]], "V": [[1e308]], "W_O": [[1]], "X": [[1e308]]},
    ),
    "variance": ("/v1/layernorm", {"x": [[1e200, -1e200]]}),
    "sum": ("/v1/layernorm", {"x": [[1e308]], "delta": [[1e308]]}),
}


@pytest.mark.parametrize("step", OVERFLOWS)
def test_finite_numbers_whose_result_overflows_are_422_that_names_the_step(
    client: FlaskClient, step: str
) -> None:
    path, body = OVERFLOWS[step]
    sentence = (
        f"{step} overflows: its cell in row 0, column 0 does not fit a float64."
        " Use smaller numbers."
    )
    assert_problem(client.post(path, json=body), 422, "#", sentence)


LINE = [[1]] * 2_049
LARGE = {
    "tokens": (ATTENTION, {"Q": LINE, "K": LINE, "V": LINE}, "2,049 × 2,049"),
    "heads": (
        "/v1/multihead",
        {"X": [[1]] * 1_025, "heads": [{"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]}] * 4},
        "4 times 1,025 × 1,025",
    ),
    "a mask": ("/v1/mask", {"n_q": 1_025}, "1,050,625"),
}


@pytest.mark.parametrize(("path", "body", "size"), LARGE.values(), ids=LARGE)
def test_a_request_for_too_many_cells_is_422_with_the_size(
    client: FlaskClient, path: str, body: Any, size: str
) -> None:
    response = client.post(path, json=body)
    assert_is_problem(response, 422)
    assert size in response.get_json()["detail"]


LONG = "x" * 10_000
REPEATED = {
    "keys that are seen": ("/v1/mask", {"tokens": [LONG] * 60}, 60 * 60 * 10_002),
    "axes of heads": (
        "/v1/multihead",
        {
            "X": [[1]],
            "heads": [{"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]}] * 512,
            "tokens": [LONG],
            "features": [LONG * 2],
        },
        512 * (2 * 10_002 + 20_002),
    ),
}


@pytest.mark.parametrize(("path", "body", "count"), REPEATED.values(), ids=REPEATED)
def test_long_labels_that_a_reply_would_repeat_very_often_are_refused(
    client: FlaskClient, path: str, body: Any, count: int
) -> None:
    sentence = (
        f"The reply would repeat {count:,} bytes of labels; at most 16,777,216 are written."
        " Send shorter labels."
    )
    assert_problem(client.post(path, json=body), 422, "#/tokens", sentence)


def test_a_thousand_cells_are_explained(client: FlaskClient) -> None:
    body = {"Q": [[1]] * 25, "K": [[1]] * 40, "V": [[1]] * 40, "explain": [{"step": "scores"}]}
    reply = client.post(ATTENTION, json=body).get_json()
    assert len(reply["explanations"]) == 1_000


def test_the_cells_of_all_heads_count_together(client: FlaskClient) -> None:
    body = {"X": EYE * 12, "heads": [HEAD] * 2, "explain": [{"step": "scores"}]}
    sentence = "At most 1,000 cells are explained in one request."
    assert_problem(client.post("/v1/multihead", json=body), 422, "#/explain", sentence)


def test_the_numbers_of_all_heads_count_together(client: FlaskClient) -> None:
    wanted = [{"step": "weights", "row": 0}]
    body = {"X": EYE * 100, "heads": [HEAD] * 4, "explain": wanted}
    sentence = "These cells are made from more than 100,000 numbers; explain fewer cells."
    assert_problem(client.post("/v1/multihead", json=body), 422, "#/explain", sentence)


# 500: a fault of the service's own


def failing(trailing: str = "") -> FlaskClient:
    """An app with an operation that fails, in the short way or (with a parameter) in Flask's."""
    app = create_app({})

    def fail(**_: Any) -> Any:
        """Fail."""
        raise RuntimeError("the secret is 42")

    view = operation(replies.Trace, TraceRequest)(fail)
    app.add_url_rule(f"/v1/fail{trailing}", "fail", view, methods=["POST"])
    app.learn_operations()
    return app.test_client()


WAYS = {"the short way": ("", ""), "Flask's way": ("/<id>", "/3")}
ways = pytest.mark.parametrize(("rule", "end"), WAYS.values(), ids=WAYS)
FAULT = "The service failed. The fault is logged under this reply's X-Request-Id."


@ways
def test_a_fault_of_the_service_is_500_without_detail(rule: str, end: str) -> None:
    response = failing(rule).post(f"/v1/fail{end}", json={})
    assert_problem(response, 500, None, FAULT)
    assert "42" not in response.text


@ways
def test_a_fault_is_logged_under_the_request_id(
    rule: str, end: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        failing(rule).post(f"/v1/fail{end}", json={}, headers={"X-Request-Id": "lesson-5"})
    (record,) = caplog.records
    assert record.getMessage() == "request lesson-5 failed"
    assert "the secret is 42" in (record.exc_text or str(record.exc_info))


def test_after_a_fault_the_next_request_has_its_turn() -> None:
    client = failing()
    client.post("/v1/fail", json={})
    assert client.post(ATTENTION, json=READY).status_code == 200


# 503: the turn does not come in time


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A service in which another request has the turn and keeps it."""
    monkeypatch.setattr("service.api.turns.PATIENCE_SECONDS", 0.05)
    app = create_app({})
    app.turns.__enter__()
    return app.test_client()


def test_a_request_whose_turn_does_not_come_is_503(busy: FlaskClient) -> None:
    sentence = "The service is busy; try again in a moment."
    assert_problem(busy.post(ATTENTION, json=READY), 503, None, sentence)


def test_503_says_when_to_come_back(busy: FlaskClient) -> None:
    assert busy.post(ATTENTION, json=READY).headers["Retry-After"] == "1"


def test_a_busy_service_still_refuses_what_it_need_not_compute(busy: FlaskClient) -> None:
    assert busy.post(ATTENTION, data="{}").status_code == 415


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/v1/examples", "/openapi.yaml"])
def test_a_busy_service_still_answers_what_it_need_not_compute(
    busy: FlaskClient, path: str
) -> None:
    assert busy.get(path).status_code == 200


def test_a_turn_that_comes_in_time_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.turns.PATIENCE_SECONDS", 10)
    app = create_app({})
    app.turns.__enter__()
    other = threading.Timer(0.05, app.turns.__exit__)
    other.start()
    assert app.test_client().post(ATTENTION, json=READY).status_code == 200
    other.join()


def test_the_view_options_are_refused_alike_by_every_trace(client: FlaskClient) -> None:
    paths = {asked.path for asked in EVERY.values() if "explain" in asked.body}
    for path in sorted(paths):
        response = client.post(path, json=dict.fromkeys(VIEW, True))
        pointers = {error["pointer"] for error in response.get_json()["errors"]}
        assert {f"#/{name}" for name in VIEW} <= pointers


# Settings


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"MAX_BODY_BYTES": "2MB"}, "MAX_BODY_BYTES is 2MB; it must be a whole number from 1"),
        ({"MAX_BODY_BYTES": "0"}, "MAX_BODY_BYTES is 0; it must be a whole number from 1"),
        ({"MAX_BODY_BYTES": "9" * 5000}, "MAX_BODY_BYTES is 9999"),
        ({"REPLY_CACHE_BYTES": "-1"}, "REPLY_CACHE_BYTES is -1; it must be a whole number from 0"),
        ({"CORS_ORIGINS": "http://a.b,http://c.d"}, "CORS_ORIGINS has http://a.b,http://c.d"),
        ({"CORS_ORIGINS": "localhost:3000"}, "an origin is a scheme and a host"),
    ],
    ids=["unit", "no size", "endless", "below nothing", "commas", "no scheme"],
)
def test_a_setting_that_cannot_be_meant_stops_the_start(
    setting: dict[str, str], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        create_app(setting)


def test_a_path_that_is_not_there_says_where_to_look(client: FlaskClient) -> None:
    sentence = "There is nothing here. /openapi.yaml has the paths, /v1/examples the bodies."
    assert_problem(client.get("/v1/attentions"), 404, None, sentence)


def test_a_member_in_another_case_is_recognised(client: FlaskClient) -> None:
    response = client.post("/v1/layernorm", json={"X": [[1]], "x": [[1]]})
    assert_problem(response, 422, "#/X", "Unknown field X. Did you mean x?")


def test_a_factor_without_a_delta_is_not_ignored(client: FlaskClient) -> None:
    response = client.post("/v1/layernorm", json={"x": [[1]], "delta_factor": 20})
    sentence = "delta_factor multiplies delta, and there is none."
    assert_problem(response, 422, "#/delta_factor", sentence)


def test_more_heads_of_their_own_than_can_be_packed_are_refused(client: FlaskClient) -> None:
    head = {"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]}
    response = client.post("/v1/multihead", json={"X": [[1]], "heads": [head] * 513})
    assert_problem(response, 422, "#/heads", "This must have at most 512 members, not 513.")
