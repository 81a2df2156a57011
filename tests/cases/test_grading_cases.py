"""Public complaints about graders, put to ours over HTTP.

Without them the tests of the engine hold the same kinds with numbers of their own.
"""

import json
import re
from pathlib import Path

import pytest
from cases_folder import cases

CASES = cases("grading.jsonl")

EXACTLY = {"kind": "absolute", "tolerance": 0}
NUMBER = re.compile(r"-?[0-9.]+(e-?[0-9]+)?")
# What a complaint is about decides the rule where it names a default of another program.
RULES = {
    "compare.default_too_loose": {"kind": "integer"},
    "credit.value_vs_precision": {"kind": "decimal_places", "places": 1, "written_so": True},
}
# The keys of the cases have points, so their students write English, but where one does not.
LOCALES = {"parse.decimal_comma": "de"}
# The key is what a program made of 403.208: a teacher asks for figures, not for its noise.
NOISY_KEY = {"403.2079999999": {"kind": "significant_figures", "figures": 6}}


def of(*classes):
    """The cases of these classes."""
    found = [case for case in CASES if case["class"] in classes]
    return [pytest.param(case, id=f"{case['class']}-{case['student_input']}") for case in found]


def is_scalar(case):
    return (
        NUMBER.fullmatch(case["answer_key"]) is not None
        and case["class"] not in APART
        and case["class"].partition(".")[0] in ("parse", "compare", "credit")
    )


def rule_of(case):
    """The rule that a case speaks of."""
    if case["answer_key"] in NOISY_KEY:
        return NOISY_KEY[case["answer_key"]]
    if case["class"] in RULES:
        return RULES[case["class"]]
    said = case["tolerance"]
    figures = re.match(r"(\d+) significant figures", said)
    share = re.match(r"relative ?(\S*)", said)
    if figures:
        return {"kind": "significant_figures", "figures": int(figures[1])}
    if share:
        return {"kind": "relative", "tolerance": share[1] or "1 %"}
    return EXACTLY


def text(typed):
    return {"kind": "text", "text": typed}


def matrix(*rows):
    return {"kind": "matrix", "matrix": list(rows)}


def graded(client, rule, key, answer, locale=None, **more):
    """The verdict on an answer to a teacher's own question."""
    item = {"task": {"rule": rule, "key": key, **more}, "answer": answer}
    reply = client.post("/v1/quiz/grade", json={"items": [item], "locale": locale})
    assert reply.status_code == 200, reply.text
    return reply.get_json()["items"][0]


def checked(client, rule, key):
    """The codes of what the check of a teacher's rule finds."""
    reply = client.post("/v1/quiz/check", json={"task": {"rule": rule, "key": text(key)}})
    return [finding["code"] for finding in reply.get_json()["findings"]]


def codes(item):
    return [note["code"] for note in item["feedback"]]


# Cases that are no number and its verdict.
APART = {
    "parse.unicode_lookalike",
    "parse.bool_as_number",
    "compare.rule_on_first_key_only",
    "credit.band_edge_undefined",
    "credit.ecf_exploit",
}
SCALARS = [
    pytest.param(case, id=f"{case['class']}-{case['student_input']}")
    for case in CASES
    if is_scalar(case)
]


@pytest.mark.parametrize("case", SCALARS)
def test_a_number_has_the_verdict_that_its_case_wants(case, client):
    rule, key, typed = rule_of(case), text(case["answer_key"]), text(case["student_input"])
    one = graded(client, rule, key, typed, LOCALES.get(case["class"], "en"))
    wanted = re.search("correct|incorrect|partial", case["expected"].removeprefix("policy: "))
    assert wanted
    assert one["verdict"] == wanted[0]
    assert one["score"] == {"correct": 1, "partial": 0.5, "incorrect": 0}[wanted[0]]
    assert one["reading"]["text"] == case["student_input"]


@pytest.mark.parametrize("case", of("parse.single_comma", "parse.decimal_comma"))
def test_a_separator_with_two_readings_is_never_read_silently(case, client):
    one = graded(client, EXACTLY, text(case["answer_key"]), text("9,216"))
    assert (one["verdict"], codes(one)) == ("unreadable", ["ambiguous"])
    readings = {other["normal_form"] for other in one["reading"]["alternatives"]}
    assert readings == {"9216", "9.216"}


@pytest.mark.parametrize("case", of("parse.unicode_lookalike"))
@pytest.mark.parametrize("sign", ["\u03a9", "\u2126"])
def test_characters_that_look_alike_are_the_same(case, sign, client):
    typed = case["student_input"].replace("\u03a9", sign).replace("\u2126", sign)
    one = graded(client, {"kind": "short_text"}, text("1 \u03a9"), text(typed))
    assert one["verdict"] == "correct"


@pytest.mark.parametrize("case", of("parse.bool_as_number"))
@pytest.mark.parametrize("place", ["number", "matrix"])
def test_a_boolean_is_no_number(case, place, client):
    rule, key, answer = {
        "number": (EXACTLY, text("1"), {"kind": "number", "number": True}),
        "matrix": ({"kind": "cells", "each": EXACTLY}, matrix(["1"]), matrix([True])),
    }[place]
    item = {"task": {"rule": rule, "key": key}, "answer": answer}
    reply = client.post("/v1/quiz/grade", json={"items": [item]})
    assert reply.status_code == 422
    assert reply.get_json()["errors"][0]["pointer"].startswith(f"#/items/0/answer/{place}")
    one = graded(client, EXACTLY, text("1"), text("true"))
    assert (one["verdict"], one["attempt_counts"]) == ("unreadable", False)


@pytest.mark.parametrize("case", of("compare.rule_on_first_key_only"))
def test_every_accepted_key_has_the_same_rule(case, client):
    first, *others = case["answer_key"].split(" or ")
    rule = {"kind": "absolute", "tolerance": case["tolerance"].removeprefix("absolute ")}
    for key in (first, *others):
        for typed, verdict in ((f"{key}.01", "correct"), (f"{key}.03", "incorrect")):
            one = graded(client, rule, text(first), text(typed), also=[text(k) for k in others])
            assert one["verdict"] == verdict


@pytest.mark.parametrize("case", of("compare.default_too_loose"))
def test_a_tolerance_that_takes_another_count_is_found_when_the_rule_is_checked(case, client):
    loose = {"kind": "relative", "tolerance": re.search(r"[0-9][0-9.e-]*", case["tolerance"])[0]}
    # The answer passes the other program's default here too, so the teacher is warned of it.
    answer = text(case["student_input"])
    assert graded(client, loose, text(case["answer_key"]), answer)["verdict"] == "correct"
    assert "neighbour_passes" in checked(client, loose, case["answer_key"])


def test_there_is_no_default_tolerance(client):
    item = {"task": {"rule": {"kind": "relative"}, "key": text("9216")}, "answer": text("9220")}
    reply = client.post("/v1/quiz/grade", json={"items": [item]})
    assert reply.status_code == 422
    assert reply.get_json()["errors"][0]["pointer"] == "#/items/0/task/rule/tolerance"


@pytest.mark.parametrize("case", of("compare.zero_tolerance_float"))
def test_no_tolerance_on_decimals_is_exact_and_is_found_when_the_rule_is_checked(case, client):
    key = case["answer_key"]
    if not NUMBER.fullmatch(key):
        key = "0.30000000000000004"  # a computed decimal
    assert graded(client, EXACTLY, text(key), text(key))["verdict"] == "correct"
    assert "zero_tolerance" in checked(client, EXACTLY, key)


@pytest.mark.parametrize("case", of("credit.band_edge_undefined"))
def test_the_edge_of_a_tolerance_is_said_and_is_inside(case, client):
    rule = {"kind": "relative", "tolerance": "10 %"}
    key = text(case["answer_key"])
    one = graded(client, rule, key, text(case["student_input"]))
    assert (one["verdict"], one["score"]) == ("incorrect", 0)
    assert one["rule"] == "Within 10 % of the exact value, the bounds included."
    for typed, verdict in (("11", "correct"), ("9", "correct"), ("11.01", "incorrect")):
        assert graded(client, rule, key, text(typed))["verdict"] == verdict


# Matrices

HALVES = matrix(["1/2", "0"], ["1/4", "3/4"])
CELLS = {"kind": "cells", "each": EXACTLY}
NEAR = {"kind": "cells", "each": {"kind": "relative", "tolerance": "1 %"}}


@pytest.mark.parametrize("case", of("matrix.cell_fraction"))
def test_a_cell_is_read_as_a_lone_number_is(case, client):
    rule = CELLS if case["tolerance"].startswith("exact") else NEAR
    for typed in ("1/2", "0.5", "50 %", "½", "5·10^-1"):
        alone = graded(client, rule["each"], text("0.5"), text(typed))
        one = graded(client, rule, HALVES, matrix([typed, 0], [0.25, 0.75]))
        assert (alone["verdict"], one["verdict"]) == ("correct", "correct")
        assert one["cells"][0][0]["reading"] == alone["reading"]


@pytest.mark.parametrize("case", of("matrix.blank_cell"))
def test_a_blank_cell_is_unreadable_and_leaves_the_others_their_credit(case, client):
    one = graded(client, NEAR, matrix([1, 2], [3, 4]), matrix(["1", "2"], ["", "4"]))
    assert (one["verdict"], one["score"]) == ("partial", 0.75)
    assert one["cells"][1][0]["verdict"] == "unreadable"
    assert one["cells"][1][0]["feedback"][0]["code"] == "blank"


@pytest.mark.parametrize("case", of("matrix.no_cell_feedback"))
def test_credit_is_proportional_and_wrong_cells_are_named(case, client):
    one = graded(client, NEAR, HALVES, matrix(["1/2", "0"], ["1/4", "0.8"]))
    assert (one["verdict"], one["score"]) == ("partial", 0.75)
    assert {"code": "wrong_cells", "message": "Wrong: row 2 column 2."} in one["feedback"]
    assert one["cells"][1][1]["verdict"] == "incorrect"


@pytest.mark.parametrize("case", of("matrix.broadcast"))
def test_nothing_is_broadcast(case, client):
    key = json.loads(case["answer_key"])
    typed = json.loads(case["student_input"])
    rows = key if isinstance(key[0], list) else [key]
    one = graded(client, CELLS, matrix(*rows), matrix(*([[typed]] if typed != [] else [])))
    assert (one["verdict"], one["score"], codes(one)) == ("incorrect", 0, ["wrong_shape"])
    alone = graded(client, CELLS, matrix(*rows), text("0.5"))
    assert (alone["verdict"], codes(alone)) == ("unreadable", ["wrong_kind"])


# Credit and feedback


@pytest.mark.parametrize("case", of("feedback.misconception"))
def test_a_moved_decimal_point_is_named_unless_another_slip_fits_as_well(case, client):
    rule, key, answer = rule_of(case), text(case["answer_key"]), text(case["student_input"])
    one = graded(client, rule, key, answer)
    assert one["verdict"] == "incorrect"
    assert one["misconception"]["code"] == "decimal_point_moved"
    better = {"code": "times_ten", "message": "Ten heads share it.", "answer": answer}
    told = graded(client, rule, key, answer, misconceptions=[better])["misconception"]
    assert told["code"] == "times_ten"
    two = [better, {"code": "another", "message": "Or so.", "answer": answer}]
    assert "misconception" not in graded(client, rule, key, answer, misconceptions=two)


def stepwise(client, steps):
    item = {"question": "calculator", "answer": {"kind": "steps", "steps": steps}}
    reply = client.post("/v1/quiz/grade", json={"items": [item]})
    return {step["name"]: step for step in reply.get_json()["items"][0]["steps"]}


@pytest.mark.parametrize("case", of("credit.ecf_exploit"))
def test_a_trivial_first_part_carries_no_credit_into_the_second(case, client):
    """In the lecture's calculator only the last query has scores other than 0: 4 and 4."""
    zeros = [["0"] * 4] * 4
    steps = stepwise(client, {"scores": zeros, "scaled": zeros})
    assert not steps["scaled"]["carried"]
    assert (steps["scores"]["score"], steps["scaled"]["score"]) == (0, 0)
    slip = [*zeros[:3], ["0", "6", "4", "0"]]
    consistent = [*zeros[:3], ["0", "4.2426", "2.8284", "0"]]  # 6/√2 and 4/√2
    honest = stepwise(client, {"scores": slip, "scaled": consistent})
    assert honest["scaled"]["carried"]
    assert honest["scaled"]["score"] > steps["scaled"]["score"]


# What belongs to the sender: the service keeps nothing and calls nobody


@pytest.mark.parametrize("case", of("passback.zero_score"))
def test_a_score_of_zero_is_there_as_zero(case, client):
    one = graded(client, EXACTLY, text("1"), text("2"))
    assert (one["score"], one["verdict"], one["attempt_counts"]) == (0, "incorrect", True)
    unread = graded(client, EXACTLY, text("1"), text("?"))
    assert (unread["score"], unread["verdict"], unread["attempt_counts"]) == (
        0,
        "unreadable",
        False,
    )


@pytest.mark.parametrize("case", of("passback.timestamp", "ops.stuck_submission"))
def test_grading_again_gives_the_same_bytes_and_no_time_of_its_own(case, client):
    """Who passes a grade on keeps the time of submission, and may ask as often as it likes."""
    item = {"question": "heads-gpt3", "answer": text("9216")}
    first, again = (client.post("/v1/quiz/grade", json={"items": [item]}) for _ in range(2))
    assert first.data == again.data
    assert not re.search(r"time|date|\d{4}-\d{2}-\d{2}", first.text)


@pytest.mark.parametrize("case", of("passback.required_fields"))
def test_each_missing_member_is_named_on_its_own(case, client):
    whole = {"task": {"rule": EXACTLY, "key": text("1")}, "answer": text("1")}
    for missing, pointer in (("answer", "#/items/0/answer"), ("task", "#/items/0")):
        item = {name: part for name, part in whole.items() if name != missing}
        reply = client.post("/v1/quiz/grade", json={"items": [item]})
        assert 400 <= reply.status_code < 500
        assert [error["pointer"] for error in reply.get_json()["errors"]] == [pointer]


@pytest.mark.parametrize("case", of("secrecy.client_side"))
def test_what_a_browser_is_given_has_no_answer(case, client):
    listed = client.get("/v1/quiz")
    assert listed.status_code == 200
    named = {name for question in listed.get_json()["questions"] for name in question}
    assert not named & {"key", "answer", "explanation", "solution", "misconceptions", "seed"}
    shown = client.get("/v1/quiz/heads-gpt3").text
    assert not re.search("9[^0-9]?216", shown)


@pytest.mark.parametrize("case", of("author.rule_unavailable"))
def test_a_margin_can_be_had_for_a_key_in_scientific_notation(case, client):
    key = case["student_input"]
    for margin, typed in (("1e21", "6.03e23"), ("0.01×10^23", "6.01×10²³")):
        rule = {"kind": "absolute", "tolerance": margin}
        assert graded(client, rule, text(key), text(key))["verdict"] == "correct"
        assert graded(client, rule, text(key), text(typed))["verdict"] == "correct"
        assert graded(client, rule, text(key), text("6.04e23"))["verdict"] == "incorrect"


def test_every_case_is_put_to_the_service():
    """A class that no test above names is one of numbers, all of which are put as they are."""
    source = Path(__file__).read_text("utf-8").partition("# Cases that are no number")[2]
    tested = set(
        re.findall(r'"((?:parse|compare|credit|matrix|feedback|[a-z]+)\.[a-z_]+)"', source)
    )
    scalar = [param.values[0] for param in SCALARS]
    assert [case for case in CASES if case["class"] not in tested and case not in scalar] == []
