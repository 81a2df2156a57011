"""How much the quiz does for one request: counted before, once a task, and in turns."""

from typing import Any

import orjson
import pytest
from quiz_apps import batch, quiz_client, text
from refusals import assert_problem
from werkzeug.test import EnvironBuilder

from service.api import turns
from service.api.quiz import own as quiz_own
from service.api.quiz import regrade as quiz_regrade
from service.engine.grading.formulas import sample

CLIENT = quiz_client()
X = {"kind": "expression", "variables": {"x": [1, 2]}}
SLIPS = [{"code": f"c{i}", "message": "m", "answer": text(f"x^{i % 7}+{i}")} for i in range(50)]
FORMULA = {"rule": X, "key": text("x^9"), "misconceptions": SLIPS}
OTHER = {"rule": {**X, "tolerance": "1e-6"}, "key": text("x^9+1"), "misconceptions": SLIPS}


def regrade(*typed: str) -> dict[str, Any]:
    answers = [{"id": str(i), "answer": text(one)} for i, one in enumerate(typed)]
    return {"before": {"task": FORMULA}, "after": {"task": OTHER}, "answers": answers}


def chunks(path: str, body: Any) -> Any:
    environ = EnvironBuilder(
        path=path, method="POST", data=orjson.dumps(body), content_type="application/json"
    ).get_environ()
    return CLIENT.application(environ, lambda *_: None)


def grade(*items: Any) -> Any:
    return CLIENT.post("/v1/quiz/grade", json={"items": list(items)})


def test_a_regrade_looks_for_no_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.engine.grading.marking.answers.diagnosis", None)
    response = CLIENT.post("/v1/quiz/regrade", json=regrade("x^9", "x", "x^9+1"))
    assert response.get_json()["counts"] == {"answers": 3, "changed": 2, "up": 1, "down": 1}


def test_slips_are_tried_once_a_task_and_an_answer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated: list[str] = []
    real = sample.values

    def counted(node: Any, *rest: Any) -> Any:
        evaluated.append(str(node))
        return real(node, *rest)

    monkeypatch.setattr(sample, "values", counted)
    task = {**FORMULA, "rule": {**X, "variables": {"x": [3, 4]}}}
    items = [{"task": task, "answer": text(f"x+{100 + i}")} for i in range(30)]
    assert grade(*items).status_code == 200
    # The key, and each slip as a key of its own and where the key is; of each answer two.
    assert len(evaluated) <= 1 + 2 * 50 + 2 * 30


def test_a_task_of_many_items_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = quiz_own.task_of

    def counted(loaded: Any, locale: Any) -> Any:
        made.append(loaded)
        return real(loaded, locale)

    monkeypatch.setattr(quiz_own, "task_of", counted)
    tasks = [{"rule": {"kind": "integer"}, "key": text(str(7_000 + i % 70))} for i in range(700)]
    assert grade(*({"task": one, "answer": text("7")} for one in tasks)).status_code == 200
    assert len(made) == 70


COMPUTED = {
    "rule": {"kind": "absolute", "tolerance": "0.01"},
    "computed": {
        "operation": "attention",
        "request": {"Q": [[1]], "K": [[1], [2]], "V": [[1], [2]]},
        "step": "weights",
        "row": 0,
        "column": 0,
    },
}


def computed(q: int, step: str = "weights") -> dict[str, Any]:
    own = COMPUTED["computed"]
    assert isinstance(own, dict)
    asked = {**own, "step": step, "request": {**own["request"], "Q": [[q]]}}
    return {"task": {**COMPUTED, "computed": asked}, "answer": text("0.5")}


def test_a_batch_computes_so_many_different_keys() -> None:
    most = quiz_own.MOST_COMPUTED_IN_A_BATCH
    replies = batch(CLIENT, *(computed(i % (most + 1)) for i in range(2 * most + 2)))
    refused = [reply for reply in replies if "error" in reply]
    assert [reply["line"] for reply in refused] == [most + 1, 2 * most + 2]
    assert refused[0]["error"]["errors"][0]["pointer"] == "#/task/computed"
    assert "error" not in batch(CLIENT, computed(most))[0]  # in a batch of its own


def test_a_key_that_cannot_be_computed_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Any] = []
    real = quiz_own.task_of

    def counted(loaded: Any, locale: Any) -> Any:
        tried.append(loaded)
        return real(loaded, locale)

    monkeypatch.setattr(quiz_own, "task_of", counted)
    replies = batch(CLIENT, *(computed(1, "nowhere") for _ in range(9)))
    assert {reply["error"]["errors"][0]["pointer"] for reply in replies} == {"#/task/computed/step"}
    assert len(tried) == 1


def test_a_regrade_that_finds_nothing_still_sends_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quiz_regrade, "TURN_SECONDS", -1)
    parts = list(chunks("/v1/quiz/regrade", regrade(*["x"] * 50, "x^9", *["x"] * 50)))
    assert len(parts) > 100
    assert all(parts)
    assert orjson.loads(b"".join(parts))["counts"]["changed"] == 1


def test_a_regrade_ends_when_nobody_reads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiz_regrade, "TURN_SECONDS", -1)
    marked: list[Any] = []
    real = quiz_regrade.regrade

    def counted(asked: Any, locale: Any) -> Any:
        for one in real(asked, locale):
            marked.append(one)
            yield one

    monkeypatch.setattr(quiz_regrade, "regrade", counted)
    reply = chunks("/v1/quiz/regrade", regrade(*["x"] * 500))
    for _ in range(3):
        next(reply)
    reply.close()
    assert len(marked) == 3


def test_grading_gives_way_between_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", -1)
    taken: list[float] = []
    real = turns.Turns._take

    def counted(self: Any, patience: float) -> bool:
        taken.append(patience)
        return real(self, patience)

    monkeypatch.setattr(turns.Turns, "_take", counted)
    items = [{"question": "dot-product", "answer": text(str(i))} for i in range(40)]
    assert grade(*items).status_code == 200
    assert len(taken) >= 40


def test_words_are_as_long_as_their_normal_form() -> None:
    words = {"rule": {"kind": "short_text"}, "key": text("q")}
    reply = grade({"task": words, "answer": text("\ufdfa" * 12)}).get_json()["items"][0]
    assert (reply["verdict"], reply["feedback"][0]["code"]) == ("unreadable", "too_long")
    many = {"rule": {"kind": "short_text", "accepted": ["\ufdfa" * 12]}, "key": text("q")}
    sentence = "An answer has at most 200 characters."
    response = grade({"task": many, "answer": text("q")})
    assert_problem(response, 422, "#/items/0/task/rule/accepted/0", sentence)


def test_what_is_put_in_many_places_is_found_at_once() -> None:
    order = {"kind": "choice", "choices": ["a", "b"] * 30_000}
    choices = [{"id": name, "text": name} for name in "ab"]
    task = {
        "rule": {"kind": "ordering"},
        "key": {"kind": "choice", "choices": ["a", "b"]},
        "choices": choices,
    }
    reply = grade({"task": task, "answer": order}).get_json()["items"][0]
    assert reply["feedback"][0] == {
        "code": "repeated_choice",
        "message": "'a' was put in two places.",
    }
