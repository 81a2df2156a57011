"""How a trace is shown changes nothing of what it says: steps, explain, digits, orientation."""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from every_request import EVERY, REPEATABLE, TRACED, VIEW, Asked, Body, numeric_matrices, put
from flask.testing import FlaskClient

from service.schemas.base import Request
from service.schemas.fields import Object, Objects

every = pytest.mark.parametrize("asked", EVERY.values(), ids=EVERY)
repeatable = pytest.mark.parametrize("asked", REPEATABLE.values(), ids=REPEATABLE)
traced = pytest.mark.parametrize("asked", TRACED.values(), ids=TRACED)
Matrix = list[list[float | None]]


def post(client: FlaskClient, asked: Asked, **view: Any) -> Any:
    """The reply to the request with this view, and none of its own."""
    response = client.post(asked.path, json=bare(asked) | view)
    assert response.status_code == 200, response.text
    return json.loads(response.data)


def bare(asked: Asked) -> Body:
    return {name: value for name, value in asked.body.items() if name not in VIEW}


def traces(node: Any, path: str = "") -> dict[str, Any]:
    """Each trace of a reply under its path; the member that holds it is not part of that."""
    if isinstance(node, dict) and "steps" in node:
        return {path.removesuffix("/trace").removeprefix("/"): node}
    found: dict[str, Any] = {}
    if isinstance(node, dict | list):
        members = node.items() if isinstance(node, dict) else enumerate(node)
        for name, member in members:
            found |= traces(member, f"{path}/{name}")
    return found


def step_names(reply: Any) -> list[str]:
    return list({step["name"]: 0 for trace in traces(reply).values() for step in trace["steps"]})


def only(trace: Any, name: str) -> Any:
    """A trace with this step alone, and what is said of it."""
    said = [law for law in trace.get("invariants", []) if law["step"] == name]
    return trace | {
        "steps": [step for step in trace["steps"] if step["name"] == name],
        **({"invariants": said} if "invariants" in trace else {}),
    }


def turned(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def is_weight(name: str) -> bool:
    """Weight matrices keep the layout in which they were sent."""
    return name.startswith("W_")


def cells(reply: Any) -> dict[tuple[str, str], Matrix]:
    """The value of each matrix by trace and name, as `operands` name them."""
    found = {
        (path, step["name"]): step["value"]
        for path, trace in traces(reply).items()
        for step in trace["inputs"] + trace["steps"]
    }
    elsewhere = {
        (path, read["name"]): found[tuple(read["name"].rsplit("/", 1))]
        for path, trace in traces(reply).items()
        for step in trace["steps"]
        for read in step["reads"]
        if "/" in read["name"]
    }
    return found | elsewhere


# steps


@traced
def test_a_step_asked_for_alone_has_the_bits_that_it_has_among_all(
    client: FlaskClient, asked: Asked
) -> None:
    whole = post(client, asked)
    for name in step_names(whole):
        part = post(client, asked, steps=[name])
        for path, trace in traces(whole).items():
            assert traces(part)[path] == only(trace, name)


@traced
def test_the_order_in_which_steps_are_asked_for_does_not_matter(
    client: FlaskClient, asked: Asked
) -> None:
    names = step_names(post(client, asked))
    shuffled = names[::-1] + names[:2]
    assert post(client, asked, steps=shuffled) == post(client, asked)


@traced
def test_explaining_changes_no_step(client: FlaskClient, asked: Asked) -> None:
    plain, explained = post(client, asked), post(client, asked, explain="all")
    for path, trace in traces(plain).items():
        assert traces(explained)[path] | {"explanations": []} == trace


@traced
def test_a_step_that_is_not_shown_can_be_explained(client: FlaskClient, asked: Asked) -> None:
    whole = post(client, asked)
    shown, *_, last = step_names(whole)
    wanted = [{"step": last}]
    part = post(client, asked, steps=[shown], explain=wanted)
    full = post(client, asked, explain=wanted)
    for path, trace in traces(full).items():
        assert traces(part)[path]["explanations"] == trace["explanations"]


# explain


@traced
@pytest.mark.parametrize("explain", ["all", [{"step": "*"}]], ids=["all", "star"])
def test_every_cell_of_every_step_is_explained_once(
    client: FlaskClient, asked: Asked, explain: Any
) -> None:
    for trace in traces(post(client, asked, explain=explain)).values():
        found = [(one["step"], one["row"], one["column"]) for one in trace["explanations"]]
        assert found == [
            (step["name"], row, column)
            for step in trace["steps"]
            for row in range(step["shape"][0])
            for column in range(step["shape"][1])
        ]


@traced
@pytest.mark.parametrize("orientation", ["rows", "columns"])
def test_an_explanation_has_the_value_of_its_cell(
    client: FlaskClient, asked: Asked, orientation: str
) -> None:
    reply = post(client, asked, explain="all", orientation=orientation)
    values = cells(reply)
    for path, trace in traces(reply).items():
        assert trace["explanations"]
        for one in trace["explanations"]:
            assert one["value"] == values[path, one["step"]][one["row"]][one["column"]]


@traced
@pytest.mark.parametrize("orientation", ["rows", "columns"])
def test_an_operand_has_the_value_of_the_cell_that_it_names(
    client: FlaskClient, asked: Asked, orientation: str
) -> None:
    reply = post(client, asked, explain="all", orientation=orientation)
    values = cells(reply)
    for path, trace in traces(reply).items():
        for one in trace["explanations"]:
            for cell in one["operands"]:
                matrix = values[path, cell["name"]]
                assert cell["value"] == matrix[cell["row"]][cell["column"]]


@traced
def test_operands_are_the_cells_that_the_rule_of_the_step_reads(
    client: FlaskClient, asked: Asked
) -> None:
    reply = post(client, asked, explain="all")
    values = cells(reply)
    for path, trace in traces(reply).items():
        rules = {step["name"]: step for step in trace["steps"]}
        for one in trace["explanations"]:
            rule = rules[one["step"]]
            place = dict(zip(rule["axes"], (one["row"], one["column"]), strict=True))
            expected = {
                (read["name"], row, column)
                for read in rule["reads"]
                for row, line in enumerate(values[path, read["name"]])
                for column in range(len(line))
                if all(
                    place.get(axis, index) == index or axis == "1"
                    for axis, index in zip(read["axes"], (row, column), strict=True)
                )
            }
            found = [(cell["name"], cell["row"], cell["column"]) for cell in one["operands"]]
            assert len(found) == len(set(found))
            # A copy of one cell; which of the row's, or of the column's, is not in the rule.
            if rule["operation"] in ("concat", "lookup"):
                assert len(found) == (2 if rule["operation"] == "lookup" else 1)
                assert set(found) <= expected
            else:
                assert set(found) == expected


@traced
def test_a_row_or_a_column_left_out_means_all_of_them(client: FlaskClient, asked: Asked) -> None:
    whole = post(client, asked)
    path, trace = list(traces(whole).items())[-1]
    name, shape = trace["steps"][-1]["name"], trace["steps"][-1]["shape"]
    last = shape[0] - 1
    by_row = post(client, asked, explain=[{"step": name, "row": last}])
    by_column = post(client, asked, explain=[{"step": name, "column": 0}])
    rows = [(one["row"], one["column"]) for one in traces(by_row)[path]["explanations"]]
    columns = [(one["row"], one["column"]) for one in traces(by_column)[path]["explanations"]]
    assert rows == [(last, column) for column in range(shape[1])]
    assert columns == [(row, 0) for row in range(shape[0])]


def test_of_several_traces_the_one_that_is_named_explains(client: FlaskClient) -> None:
    wanted = [{"step": "scores", "row": 0, "column": 1, "trace": "heads/1"}]
    reply = post(client, TRACED["multihead"], explain=wanted)
    counts = {path: len(trace["explanations"]) for path, trace in traces(reply).items()}
    assert counts == {"heads/0": 0, "heads/1": 1, "combined": 0}


def test_without_a_name_each_trace_that_has_the_step_explains(client: FlaskClient) -> None:
    reply = post(client, TRACED["multihead"], explain=[{"step": "update", "row": 0, "column": 1}])
    counts = {path: len(trace["explanations"]) for path, trace in traces(reply).items()}
    assert counts == {"heads/0": 1, "heads/1": 1, "combined": 1}


def test_a_cell_to_explain_is_named_as_it_is_shown(client: FlaskClient) -> None:
    wanted = [{"step": "scores", "row": 0, "column": 2}]
    reply = post(client, TRACED["attention"], orientation="columns", explain=wanted)
    (one,) = reply["explanations"]
    (scores,) = (step for step in reply["steps"] if step["name"] == "scores")
    assert (one["row"], one["column"]) == (0, 2)
    assert one["value"] == scores["value"][0][2]


# orientation


@traced
def test_columns_are_the_transpose_of_rows_bit_by_bit(client: FlaskClient, asked: Asked) -> None:
    rows, columns = post(client, asked), post(client, asked, orientation="columns")
    for path, trace in traces(rows).items():
        other = traces(columns)[path]
        for part in ("inputs", "steps"):
            assert len(other[part]) == len(trace[part])
            for step, shown in zip(trace[part], other[part], strict=True):
                turn = not is_weight(step["name"])
                assert shown["value"] == (turned(step["value"]) if turn else step["value"])
                assert shown["axes"] == (step["axes"][::-1] if turn else step["axes"])
                assert shown["shape"] == (step["shape"][::-1] if turn else step["shape"])


@traced
def test_what_is_hidden_turns_with_its_values(client: FlaskClient, asked: Asked) -> None:
    rows, columns = post(client, asked), post(client, asked, orientation="columns")
    for path, trace in traces(rows).items():
        for part in ("inputs", "steps"):
            for step, shown in zip(trace[part], traces(columns)[path][part], strict=True):
                assert ("hidden" in shown) == ("hidden" in step)
                if "hidden" in step:
                    assert shown["hidden"] == turned(step["hidden"])


@traced
def test_what_a_step_reads_turns_too(client: FlaskClient, asked: Asked) -> None:
    rows, columns = post(client, asked), post(client, asked, orientation="columns")
    for path, trace in traces(rows).items():
        for step, shown in zip(trace["steps"], traces(columns)[path]["steps"], strict=True):
            assert shown["reads"] == [
                read if is_weight(read["name"]) else read | {"axes": read["axes"][::-1]}
                for read in step["reads"]
            ]


@traced
def test_only_matrices_formulas_and_explanations_turn(client: FlaskClient, asked: Asked) -> None:
    rows, columns = post(client, asked), post(client, asked, orientation="columns")
    for path, trace in traces(rows).items():
        other = traces(columns)[path]
        for name in trace.keys() - {"inputs", "steps", "conventions"}:
            assert other[name] == trace[name]
        assert other["conventions"] == trace["conventions"] | {"orientation": "columns"}
        for step, shown in zip(trace["steps"], other["steps"], strict=True):
            for name in ("name", "title", "symbol", "operation"):
                assert shown[name] == step[name]


@traced
def test_explanations_turn_with_what_they_explain(client: FlaskClient, asked: Asked) -> None:
    rows = post(client, asked, explain="all")
    columns = post(client, asked, explain="all", orientation="columns")
    for path, trace in traces(rows).items():
        by_place = {
            (one["step"], one["column"], one["row"]): one
            for one in traces(columns)[path]["explanations"]
        }
        for one in trace["explanations"]:
            other = by_place[one["step"], one["row"], one["column"]]
            assert (other["text"], other["value"]) == (one["text"], one["value"])


def test_the_formulas_of_columns_are_those_of_the_videos(client: FlaskClient) -> None:
    body = without(TRACED["attention"].body, ("rotary",))
    asked = Asked("/v1/attention", body)
    steps = {s["name"]: s for s in post(client, asked, orientation="columns")["steps"]}
    assert steps["scores"]["formula"] == r"S = K^\top Q"
    assert steps["Q"]["formula"] == "Q = W_Q X"
    assert steps["head"]["formula"] == "H = V A"


def test_the_formulas_of_rows_are_those_of_the_paper(client: FlaskClient) -> None:
    body = without(TRACED["attention"].body, ("rotary",))
    steps = {s["name"]: s for s in post(client, Asked("/v1/attention", body))["steps"]}
    assert steps["scores"]["formula"] == r"S = Q K^\top"
    assert steps["Q"]["formula"] == r"Q = X W_Q^\top"
    assert steps["head"]["formula"] == "H = A V"


# significant_digits


def as_written(cell: float | None, digits: int) -> float | None:
    """The cell to so many digits, by Python's correctly rounded text."""
    return None if cell is None else float(f"{cell:.{digits - 1}e}")


@traced
@pytest.mark.parametrize("digits", [1, 2, 4, 10, 11, 17])
def test_each_shown_number_is_the_exact_one_rounded(
    client: FlaskClient, asked: Asked, digits: int
) -> None:
    exact, shown = post(client, asked), post(client, asked, significant_digits=digits)
    rounded = cells(shown)
    for place, matrix in cells(exact).items():
        assert rounded[place] == [[as_written(cell, digits) for cell in row] for row in matrix]


@traced
def test_seventeen_digits_round_nothing(client: FlaskClient, asked: Asked) -> None:
    assert cells(post(client, asked, significant_digits=17)) == cells(post(client, asked))


@traced
def test_the_digits_are_said_in_the_conventions(client: FlaskClient, asked: Asked) -> None:
    for trace in traces(post(client, asked, significant_digits=3)).values():
        assert trace["conventions"]["significant_digits"] == 3


@traced
def test_without_digits_the_conventions_say_none(client: FlaskClient, asked: Asked) -> None:
    for trace in traces(post(client, asked)).values():
        assert "significant_digits" not in trace["conventions"]
        assert trace["conventions"]["orientation"] == "rows"


# What every reply is


MINUS_ZERO = re.compile(r"-0(\.0*)?([eE].*)?")


def assert_strict(text: bytes) -> None:
    """JSON without NaN, Infinity, −0 and numbers that are not finite."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} in a reply")

    def number(word: str) -> float:
        assert math.isfinite(float(word))
        assert not MINUS_ZERO.fullmatch(word)
        return float(word)

    json.loads(text, parse_constant=refuse, parse_float=number, parse_int=number)


@every
def test_a_reply_is_strict_json_in_utf_8(client: FlaskClient, asked: Asked) -> None:
    response = client.post(asked.path, json=asked.body)
    assert response.content_type == "application/json"
    response.data.decode("utf-8")
    assert_strict(response.data)


@traced
@pytest.mark.parametrize("view", [{}, {"orientation": "columns"}, {"significant_digits": 3}])
@pytest.mark.parametrize("cell", [-0.0, -1e-320, 1e-200, -1e-200])
def test_a_sign_of_zero_is_never_shown(
    client: FlaskClient, asked: Asked, cell: float, view: Body
) -> None:
    body = bare(asked) | view
    for place in numeric_matrices(body):
        node: Any = body
        for part in place:
            node = node[part]
        body = put(body, place, [[cell] * len(row) for row in node])
    assert_strict(client.post(asked.path, json=body).data)


@traced
def test_explanations_of_nothing_but_minus_zero_are_strict_json(
    client: FlaskClient, asked: Asked
) -> None:
    body = bare(asked) | {"explain": "all"}
    body |= {name: -0.0 for name in ("scale", "delta_factor") if name in body}
    for place in numeric_matrices(body):
        node: Any = body
        for part in place:
            node = node[part]
        body = put(body, place, [[-0.0] * len(row) for row in node])
    assert_strict(client.post(asked.path, json=body).data)


@repeatable
def test_the_same_request_gives_the_same_bytes(client: FlaskClient, asked: Asked) -> None:
    assert client.post(asked.path, json=asked.body).data == (
        client.post(asked.path, json=asked.body).data
    )


PROCESS = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from every_request import EVERY
from service.app import create_app
client = create_app({}).test_client()
for name, asked in EVERY.items():
    for body in (asked.body, asked.body | {"zz": 1, "yy": 2, "xx": 3}, {"qq": 1, "rr": 2}):
        data = client.post(asked.path, json=body).data
        print(name, hashlib.sha256(data).hexdigest())
"""


def test_the_same_request_gives_the_same_bytes_after_a_restart() -> None:
    def run(seed: str) -> bytes:
        return subprocess.run(
            [sys.executable, "-c", PROCESS, str(Path(__file__).parent)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
        ).stdout

    assert run("1") == run("2")


# null and []


def places(schema: Request, body: Any, path: tuple[str | int, ...] = ()) -> Iterator[Any]:
    """The place of each optional member of a body, and of the objects inside it."""
    for name, field in schema.load_fields.items():
        if not field.required:
            yield (*path, name)
        if isinstance(field, Objects) and isinstance(body.get(name), list):
            for i, member in enumerate(body[name]):
                yield from places(field.schema, member, (*path, name, i))
        elif isinstance(field, Object) and isinstance(body.get(name), dict):
            yield from places(field.schema, body[name], (*path, name))


def without(body: Any, place: tuple[str | int, ...]) -> Any:
    changed = put(body, place, None)
    node = changed
    for part in place[:-1]:
        node = node[part]
    del node[place[-1]]
    return changed


@repeatable
@pytest.mark.parametrize("nothing", [None, []], ids=["null", "an empty list"])
def test_an_optional_member_that_is_nothing_counts_as_absent(
    client: FlaskClient, app: Any, asked: Asked, nothing: Any
) -> None:
    found = list(places(app.operations[asked.path].body, asked.body))
    assert found or asked.path == "/v1/compare", "only its members are all required"
    for place in found:
        absent = client.post(asked.path, json=without(asked.body, place))
        empty = client.post(asked.path, json=put(asked.body, place, nothing))
        assert (empty.status_code, empty.data) == (absent.status_code, absent.data), place


# Large replies


def wave(n: int, width: int, pace: float) -> Matrix:
    return [[math.sin(pace * (i * width + j)) for j in range(width)] for i in range(n)]


def large(n: int) -> Asked:
    """A request whose n × n steps take several blocks of rows from n = 257 on."""
    body = {
        "X": wave(n, 3, 0.7),
        "W_Q": wave(2, 3, 1.3),
        "W_K": wave(2, 3, 2.1),
        "W_V": wave(2, 3, 0.4),
        "W_O": wave(3, 2, 0.9),
        "mask": {"causal": True},
    }
    return Asked("/v1/attention", body)


def test_the_same_large_request_gives_the_same_bytes(client: FlaskClient) -> None:
    asked = large(700)
    first, second = (client.post(asked.path, json=asked.body).data for _ in range(2))
    assert len(first) > 10_000_000
    assert first == second


@pytest.fixture(scope="module")
def streamed(client: FlaskClient) -> Any:
    return post(client, large(300))


def test_a_streamed_reply_has_the_steps_that_are_given_one_by_one(
    client: FlaskClient, streamed: Any
) -> None:
    for step in streamed["steps"]:
        part = post(client, large(300), steps=[step["name"]])
        assert part == only(streamed, step["name"])


def test_a_streamed_reply_turns_bit_by_bit(client: FlaskClient, streamed: Any) -> None:
    columns = post(client, large(300), orientation="columns")
    for step, shown in zip(streamed["steps"], columns["steps"], strict=True):
        assert shown["value"] == turned(step["value"])
        assert shown.get("hidden", []) == turned(step.get("hidden", []))


def test_a_streamed_reply_rounds_each_number(client: FlaskClient, streamed: Any) -> None:
    names = ["masked", "head"]
    part = post(client, large(300), steps=names, significant_digits=3)
    exact = [step["value"] for step in streamed["steps"] if step["name"] in names]
    for step, value in zip(part["steps"], exact, strict=True):
        assert step["value"] == [[as_written(cell, 3) for cell in row] for row in value]


def test_the_scores_of_a_streamed_reply_are_the_products_of_its_queries_and_keys(
    streamed: Any,
) -> None:
    values = {step["name"]: step["value"] for step in streamed["steps"]}
    for i, j in ((0, 0), (217, 3), (218, 299), (299, 0)):
        product = sum(a * b for a, b in zip(values["Q"][i], values["K"][j], strict=True))
        assert values["scores"][i][j] == pytest.approx(product, rel=1e-12, abs=1e-15)
