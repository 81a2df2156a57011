"""Old answers under two rules: what changes, what does not, and who may ask."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quiz_apps import TEACHER, drawn, quiz_client, text
from refusals import assert_problem

from service.engine.grading.grade import question_subject
from service.engine.grading.regrade import regrade

REGRADE = "/v1/quiz/regrade"
CLIENT = quiz_client()


def task(tolerance: str, key: str = "0.47") -> dict[str, Any]:
    return {"task": {"rule": {"kind": "absolute", "tolerance": tolerance}, "key": text(key)}}


def post(before: Any, after: Any, answers: list[Any], headers: Any = None, **more: Any) -> Any:
    body = {"before": before, "after": after, "answers": answers, **more}
    return CLIENT.post(REGRADE, json=body, headers=headers or {})


def regraded(before: Any, after: Any, *typed: str, **more: Any) -> Any:
    answers = [{"id": one, "answer": text(one)} for one in typed]
    response = post(before, after, answers, **more)
    assert response.status_code == 200, response.text
    return response.get_json()


def test_only_what_changes_is_listed_with_both_verdicts() -> None:
    reply = regraded(task("0.001"), task("0.01"), "0.47", "0.48", "0.46", "0.5", "x")
    assert reply["changed"] == [
        {
            "id": id,
            "before": {"verdict": "incorrect", "score": 0.0},
            "after": {"verdict": "correct", "score": 1.0},
            "direction": "up",
        }
        for id in ("0.48", "0.46")
    ]
    assert reply["counts"] == {"answers": 5, "changed": 2, "up": 2, "down": 0}


def test_the_rules_are_named_with_their_digests() -> None:
    reply = regraded(task("0.001"), task("0.01"), "1")
    assert reply["before"]["rule"] == "Within 0.001 of the exact value, the bounds included."
    assert reply["after"]["rule"] == "Within 0.01 of the exact value, the bounds included."
    assert reply["before"]["grader"]["rule_digest"] != reply["after"]["grader"]["rule_digest"]


def test_an_answer_that_cannot_be_read_is_better_off_than_a_wrong_one() -> None:
    rule = {"kind": "absolute", "tolerance": 0, "arithmetic": True}
    reads = {"task": {"rule": rule, "key": text("7")}}
    (change,) = regraded(task("0", "7"), reads, "2*4")["changed"]
    assert (change["before"]["verdict"], change["after"]["verdict"]) == ("unreadable", "incorrect")
    assert change["direction"] == "down"
    (change,) = regraded(reads, task("0", "7"), "2*4")["changed"]
    assert change["direction"] == "up"


TYPED = st.lists(
    st.one_of(
        st.decimals(0, 1, places=2).map(str), st.sampled_from(["x", "1/2", "0,5", "", "47 %"])
    ),
    min_size=1,
    max_size=30,
)
RULES = st.one_of(
    st.decimals(0, 1, places=2).map(lambda size: {"kind": "absolute", "tolerance": str(size)}),
    st.decimals(0, 1, places=2).map(lambda size: {"kind": "relative", "tolerance": str(size)}),
    st.integers(1, 3).map(lambda n: {"kind": "significant_figures", "figures": n}),
    st.integers(0, 2).map(lambda n: {"kind": "decimal_places", "places": n, "written_so": True}),
)


def ways(*rules: Any) -> list[Any]:
    return [{"task": {"rule": rule, "key": text("0.47")}} for rule in rules]


@given(TYPED, RULES)
def test_by_the_same_rule_nothing_changes(typed: list[str], rule: Any) -> None:
    reply = regraded(*ways(rule, rule), *typed)
    assert reply["changed"] == []
    assert reply["counts"] == {"answers": len(typed), "changed": 0, "up": 0, "down": 0}


@given(TYPED, RULES, RULES)
def test_exchanging_the_rules_turns_every_direction(typed: list[str], one: Any, two: Any) -> None:
    there, back = regraded(*ways(one, two), *typed), regraded(*ways(two, one), *typed)
    other = {"up": "down", "down": "up"}
    assert back["changed"] == [
        {
            "id": change["id"],
            "before": change["after"],
            "after": change["before"],
            "direction": other[change["direction"]],
        }
        for change in there["changed"]
    ]
    assert (there["counts"]["up"], there["counts"]["down"]) == (
        back["counts"]["down"],
        back["counts"]["up"],
    )


@given(TYPED, RULES, RULES)
def test_the_verdicts_are_those_of_grading(typed: list[str], one: Any, two: Any) -> None:
    changed = {change["id"]: change for change in regraded(*ways(one, two), *typed)["changed"]}

    def graded(way: Any) -> list[tuple[str, float]]:
        items = [{**way, "answer": text(one)} for one in typed]
        found = CLIENT.post("/v1/quiz/grade", json={"items": items}).get_json()["items"]
        return [(item["verdict"], item["score"]) for item in found]

    old, new = (graded(way) for way in ways(one, two))
    for name, before, after in zip(typed, old, new, strict=True):
        if before == after:
            assert name not in changed
        else:
            assert tuple(changed[name]["before"].values()) == before
            assert tuple(changed[name]["after"].values()) == after


def test_a_wider_tolerance_takes_from_nobody() -> None:
    typed = [f"0.{n:02d}" for n in range(100)]
    counts = regraded(task("0.05"), task("0.2"), *typed)["counts"]
    assert counts == {"answers": 100, "changed": 30, "up": 30, "down": 0}


# Questions of the bank

QUESTION = {"question": "heads-gpt3"}
OTHER_RULE = {**QUESTION, "rule": {"kind": "relative", "tolerance": "10 %"}}


def test_each_answer_may_name_the_variant_that_it_is_for() -> None:
    def variant(seed: int) -> int:
        prompt = CLIENT.get(f"/v1/quiz/heads-gpt3?seed={seed}").get_json()["prompt"]
        n, m = (int(word) for word in prompt.split() if word.isdigit())
        return n * m

    answers = [
        {"id": str(seed), "seed": seed, "answer": text(str(variant(seed) + 1))}
        for seed in range(1, 20)
    ]
    reply = post(QUESTION, OTHER_RULE, answers, TEACHER).get_json()
    assert reply["counts"] == {"answers": 19, "changed": 19, "up": 19, "down": 0}


def token() -> dict[str, Any]:
    return {"token": drawn(CLIENT, questions=["heads-gpt3"], seed=0)[0]["token"]}


@pytest.mark.parametrize("about", [QUESTION, token()], ids=["a question", "a token"])
@pytest.mark.parametrize("exchanged", [False, True])
def test_another_rule_for_a_key_that_is_not_the_callers_takes_a_credential(
    about: Any, exchanged: bool
) -> None:
    pair = [about, {**about, "rule": OTHER_RULE["rule"]}]
    if exchanged:
        pair.reverse()
    answers = [{"id": "a", "answer": text("9217")}]
    response = post(*pair, answers)
    assert_problem(
        response,
        401,
        None,
        "A rule of one's own for a key that is not takes a teacher's credential."
        " Send it as Authorization: Bearer and the credential.",
    )
    assert post(*pair, answers, TEACHER).get_json()["counts"]["changed"] == 1


def test_questions_as_they_are_and_tasks_with_their_keys_take_none() -> None:
    answers = [{"id": "a", "answer": text("9217")}]
    assert post(QUESTION, token(), answers).status_code == 200
    own = {**task("0"), "rule": {"kind": "integer"}}
    assert post(task("0"), own, answers).status_code == 200


def test_exercises_are_regraded_too() -> None:
    steps = {"kind": "steps", "steps": {"scores": [["0"] * 4] * 3 + [["0", "4", "4", "0"]]}}
    exercise = {"question": "calculator"}
    reply = post(exercise, exercise, [{"id": "a", "answer": steps}]).get_json()
    assert reply["counts"] == {"answers": 1, "changed": 0, "up": 0, "down": 0}


# Refusals

ANSWER = {"id": "a", "answer": text("1")}
STEPS = {"id": "a", "answer": {"kind": "steps", "steps": {"scroes": [["1"]]}}}
REFUSED = {
    "nothing to grade by": ({}, QUESTION, ANSWER, "#/before"),
    "a question that is not there": (QUESTION, {"question": "x"}, ANSWER, "#/after/question"),
    "a token that is none": ({"token": "x"}, QUESTION, ANSWER, "#/before/token"),
    "a rule for another kind of answer": (
        task("0"),
        {**task("0"), "rule": {"kind": "choice"}},
        ANSWER,
        "#/after/rule",
    ),
    "a rule that needs a computed key": (
        task("0"),
        {**task("0"), "rule": {"kind": "derived", "decimals": 2}},
        ANSWER,
        "#/after/rule",
    ),
    "a tolerance that is none": (task("x"), task("0"), ANSWER, "#/before/task/rule/tolerance"),
    "another tolerance that is none": (
        task("0"),
        {**task("0"), "rule": {"kind": "absolute", "tolerance": "x"}},
        ANSWER,
        "#/after/rule/tolerance",
    ),
    "an answer without an id": (QUESTION, QUESTION, {"answer": text("1")}, "#/answers/0/id"),
    "steps for one answer": (QUESTION, QUESTION, STEPS, "#/answers/0/answer/kind"),
    "steps that are not there": (
        {"question": "calculator"},
        {"question": "calculator"},
        STEPS,
        "#/answers/0/answer/steps",
    ),
    "a seed where there is no question": (
        task("0"),
        task("1"),
        {**ANSWER, "seed": 3},
        "#/answers/0/seed",
    ),
    "an exercise with one rule": (
        {"question": "calculator"},
        {"question": "calculator", "rule": {"kind": "integer"}},
        ANSWER,
        "#/after/rule",
    ),
}


@pytest.mark.parametrize(("before", "after", "answer", "pointer"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_regraded_is_refused_with_its_place(
    before: Any, after: Any, answer: Any, pointer: str
) -> None:
    response = post(before, after, [answer], TEACHER)
    assert response.status_code == 422, response.text
    assert [error["pointer"] for error in response.get_json()["errors"]] == [pointer]


def test_a_long_reply_comes_in_parts_and_is_the_same_each_time() -> None:
    answers = [{"id": str(i), "answer": text(f"0.{i:04d}")} for i in range(5_000)]
    parts = list(post(task("0.001"), task("0.1"), answers).iter_encoded())
    assert len(parts) > 2
    assert b"".join(parts) == post(task("0.001"), task("0.1"), answers).data


def test_the_engine_compares_any_two_subjects() -> None:
    one, two = question_subject("heads-gpt3", 0), question_subject("heads-gpt3", 3)
    key = text("9216")
    same, other = regrade([(one, one, key), (one, two, key)])
    assert same is None
    assert other is not None
    assert (other.place, other.direction) == (1, "down")
