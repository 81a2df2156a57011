"""What every request schema shares: members, null, defaults, and the way to all messages."""

from typing import Any

import pytest
from marshmallow import ValidationError

from service.schemas.attention import AttentionRequest
from service.schemas.base import Request, is_absent
from service.schemas.fields import Choice, Number, Text, Whole
from service.schemas.trace import TraceRequest


class Sized(Request):
    """A schema with a required member, a default and two others."""

    size = Whole("A size.", required=True)
    norm = Choice("Which norm.", ("layer", "rms"), load_default="layer")
    factor = Number("A factor.")
    name = Text("A name.")


def messages(data: Any) -> Any:
    with pytest.raises(ValidationError) as caught:
        Sized().load(data)
    return caught.value.messages


@pytest.mark.parametrize("value", [None, []])
def test_null_and_an_empty_list_are_absent(value: Any) -> None:
    assert is_absent(value)


@pytest.mark.parametrize("value", [0, False, "", {}, [[]], [None]])
def test_nothing_else_is_absent(value: Any) -> None:
    assert not is_absent(value)


def test_what_is_left_out_has_its_default_or_is_not_there() -> None:
    assert Sized().load({"size": 1}) == {"size": 1, "norm": "layer"}


@pytest.mark.parametrize("nothing", [None, []])
def test_an_optional_member_that_is_nothing_has_its_default(nothing: Any) -> None:
    data = {"size": 1, "norm": nothing, "name": nothing, "factor": nothing}
    assert Sized().load(data) == {"size": 1, "norm": "layer"}


def test_a_default_is_not_shared_between_requests() -> None:
    first = Sized().load({"size": 1})
    first["norm"] = "changed"
    assert Sized().load({"size": 1})["norm"] == "layer"


def test_the_request_is_left_as_it_is() -> None:
    data = {"size": 1, "name": None, "norm": []}
    Sized().load(data)
    assert data == {"size": 1, "name": None, "norm": []}


def test_all_faults_are_said_at_once() -> None:
    found = messages({"norm": "batch", "factor": "1", "nam": 1, "zzz": 1})
    assert found == {
        "size": ["size is missing."],
        "norm": ['This must be one of layer, rms, not "batch".'],
        "factor": ["This must be a number, not a string."],
        "nam": ["Unknown field nam. Did you mean name?"],
        "zzz": ["Unknown field zzz. Known: size, norm, factor, name."],
    }


def test_unknown_members_come_last_in_the_order_of_the_request() -> None:
    found = messages({"zz": 1, "yy": 1, "size": "1", "xx": 1})
    assert list(found) == ["size", "zz", "yy", "xx"]


def test_of_very_many_unknown_members_a_hundred_are_said() -> None:
    found = messages({"size": 1} | {f"a{i}": 0 for i in range(1_000)})
    assert list(found) == [f"a{i}" for i in range(100)]


def test_an_unknown_name_without_end_is_cut() -> None:
    ((said,),) = messages({"size": 1, "a" * 100_000: 0}).values()
    assert said == f"Unknown field {'a' * 100}. Known: size, norm, factor, name."


@pytest.mark.parametrize("data", [None, [], "x", 3, True])
def test_what_is_no_object_is_refused(data: Any) -> None:
    (said,) = messages(data)["_schema"] if isinstance(messages(data), dict) else messages(data)
    assert said.startswith("This must be an object, not ")


VIEW = {
    "no steps": ({"steps": []}, {"orientation": "rows"}),
    "steps": ({"steps": ["Q"]}, {"orientation": "rows", "steps": ["Q"]}),
    "digits": ({"significant_digits": 17}, {"orientation": "rows", "significant_digits": 17}),
    "columns": ({"orientation": "columns"}, {"orientation": "columns"}),
    "all": ({"explain": "all"}, {"orientation": "rows", "explain": [{"step": "*"}]}),
}


@pytest.mark.parametrize(("data", "loaded"), VIEW.values(), ids=VIEW)
def test_every_trace_request_takes_the_view_options(data: Any, loaded: Any) -> None:
    assert TraceRequest().load(data) == loaded


def test_an_empty_request_for_attention_has_three_defaults() -> None:
    assert AttentionRequest().load({}) == {
        "orientation": "rows",
        "weights_layout": "out_in",
        "fully_masked_rows": "zeros",
    }
