"""What a student is told never depends on the key, but for the verdict itself."""

from fractions import Fraction
from typing import Any

import orjson
import pytest
from quiz_apps import batch, quiz_client, text

from service.api.quiz.posed import posed
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.grade import grade_subject, question_subject
from service.engine.grading.pool import POOL, find_posed
from service.engine.grading.questions.reveal import key_in_words
from service.engine.grading.questions.wording import plain

CLIENT = quiz_client()
SEEDS = range(60)
every_question = pytest.mark.parametrize("id", POOL)

# By kind of input, answers that are right for no variant of any question.
NEVER_RIGHT: dict[str, list[dict[str, Any]]] = {
    "text": [
        text("-987654321.5"),
        text("1e-9"),
        text("987654321987"),
        {"kind": "number", "number": 3e-9},
    ],
    "matrix": [
        {"kind": "matrix", "matrix": [["987.5", "-987.5"]]},
        {"kind": "matrix", "matrix": [["?"]]},
    ],
    "tensor": [{"kind": "tensor", "heads": [[["987.5"]]]}],
    "choice": [{"kind": "choice", "choices": []}, {"kind": "choice", "choices": ["zz"]}],
    "ordering": [{"kind": "choice", "choices": []}],
    "short_text": [text("zzzz")],
    "expression": [text("987654321"), text("?")],
    "steps": [{"kind": "steps", "steps": {}}],
}


@every_question
def test_a_wrong_answer_is_told_the_same_whatever_the_key(id: str) -> None:
    """Of all variants with the same rule and shape, the reply has the same bytes."""
    replies: dict[Any, set[bytes]] = {}
    for seed in SEEDS:
        shown = posed(find_posed(id, seed))
        for place, answer in enumerate(NEVER_RIGHT[shown["input"]]):
            report, score = grade_subject(question_subject(id, seed), answer)
            if "misconception" in report or score:
                continue
            replies.setdefault((place, shown["rule"], shape_told(report)), set()).add(
                orjson.dumps(report)
            )
    assert replies
    assert all(len(bytes_) == 1 for bytes_ in replies.values())


def shape_told(report: Any) -> str:
    """A shape that is asked for is no secret: the prompt says it."""
    return "".join(
        n["message"] for n in report["feedback"] if n["code"] in ("wrong_shape", "unknown_choice")
    )


@every_question
def test_no_question_and_no_wrong_answer_shows_the_key_or_why(id: str) -> None:
    for seed in SEEDS:
        question = find_posed(id, seed)
        if isinstance(question, Exercise):
            continue
        shown = orjson.dumps(posed(question))
        told = [
            orjson.dumps(grade_subject(question_subject(id, seed), answer)[0])
            for answer in NEVER_RIGHT[posed(question)["input"]]
        ]
        secrets = [plain(question.explanation).encode()]
        if isinstance(question.task.key, Fraction | float):
            secrets += [key_in_words(question.task.key).encode()]
        for secret in secrets:
            if len(secret) > 3:  # a digit or two are anywhere
                assert not any(secret in one for one in told), (seed, secret)
        assert secrets[0] not in shown
        assert b"solution" not in shown.replace(b"solutions", b"")


@every_question
def test_the_reply_to_a_wrong_answer_has_no_more_members_than_these(id: str) -> None:
    kind = posed(find_posed(id, 1))["input"]
    report, _ = grade_subject(question_subject(id, 1), NEVER_RIGHT[kind][0])
    assert set(report) <= {
        *("question", "verdict", "score", "maximum", "attempt_counts", "rule", "reading"),
        *("cells", "heads", "steps", "misconception", "feedback", "grader"),
    }


RULES: list[dict[str, Any]] = [
    {"kind": "integer"},
    {"kind": "absolute", "tolerance": "0.5"},
    {"kind": "relative", "tolerance": "1 %"},
    {"kind": "significant_figures", "figures": 3},
    {"kind": "decimal_places", "places": 1, "written_so": True},
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["kind"])
def test_near_or_far_above_or_below_a_miss_is_a_miss(rule: Any) -> None:
    keys = ["41", "43", "50", "-42", "1000000"]
    told = batch(
        CLIENT,
        *({"task": {"rule": rule, "key": text(key)}, "answer": text("42")} for key in keys),
    )
    assert {one["verdict"] for one in told} == {"incorrect"}
    without = [{k: v for k, v in one.items() if k != "misconception"} for one in told]
    assert all(one == without[0] for one in without)


@pytest.mark.parametrize("bounds", [{"lowest": 43}, {"highest": 41}, {"lowest": 50, "highest": 60}])
def test_outside_a_range_is_outside(bounds: Any) -> None:
    other = {"kind": "range", "lowest": 1000}
    told = batch(
        CLIENT,
        {"task": {"rule": {"kind": "range", **bounds}, "key": text("55")}, "answer": text("42")},
        {"task": {"rule": other, "key": text("1001")}, "answer": text("42")},
    )
    assert told[0] == told[1]


def test_a_digest_of_the_rule_says_nothing_of_bounds_or_accepted_words() -> None:
    def digest(rule: Any, key: str) -> str:
        task = {"rule": rule, "key": text(key)}
        return str(batch(CLIENT, {"task": task, "answer": text("x")})[0]["grader"]["rule_digest"])

    words = {"kind": "short_text", "accepted": ["softmax"]}
    assert digest(words, "softmax") == digest({**words, "accepted": ["mask"]}, "mask")
    assert digest({"kind": "absolute", "tolerance": 1}, "5") == (
        digest({"kind": "absolute", "tolerance": 1}, "6")
    )
    assert digest({"kind": "absolute", "tolerance": 1}, "5") != (
        digest({"kind": "absolute", "tolerance": 2}, "5")
    )
