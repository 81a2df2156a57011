"""reveal: what a teacher sees, and nobody else."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from quiz_apps import CREDENTIAL, TEACHER, drawn, quiz_client, text
from refusals import assert_problem

from service.app import create_app

GRADE = "/v1/quiz/grade"
CLIENT = quiz_client()
OTHER = "another-one-2wD9cN5vB7mK1jH4"


def ask(
    client: FlaskClient = CLIENT,
    headers: dict[str, str] = TEACHER,
    typed: str = "96",
    **about: Any,
) -> Any:
    item = {**(about or {"question": "heads-gpt3"}), "answer": text(typed)}
    return client.post(GRADE, json={"items": [item], "reveal": True}, headers=headers)


def revealed(**about: Any) -> Any:
    response = ask(**about)
    assert response.status_code == 200, response.text
    return response.get_json()["items"][0]


def notes(item: Any) -> dict[str, str]:
    return {note["code"]: note["message"] for note in item["feedback"]}


def test_a_teacher_sees_the_answer_why_and_the_way_to_it() -> None:
    item = revealed()
    assert notes(item)["answer"] == "The answer is 9216."
    assert "9,216" in notes(item)["explanation"]
    assert item["solution"]["steps"][-1]["value"] == [[9216.0]]
    assert item["verdict"] == "incorrect"


def test_no_cache_keeps_what_holds_a_key_or_a_token() -> None:
    draw = CLIENT.post("/v1/quiz/draw", json={"questions": ["heads-gpt3"]})
    for response in (ask(), draw):
        assert response.headers.getlist("Cache-Control") == ["no-store"]


def test_of_a_token_too() -> None:
    (question,) = drawn(CLIENT, questions=["heads-gpt3"], seed=0)
    assert notes(revealed(token=question["token"]))["answer"] == "The answer is 9216."


def test_of_a_task_of_ones_own_the_answer_alone() -> None:
    task = {"rule": {"kind": "integer"}, "key": text("7"), "title": "Days"}
    item = revealed(task=task)
    assert notes(item)["answer"] == "The answer is 7."
    assert item["title"] == "Days"
    assert "solution" not in item


def test_of_an_exercise_the_first_wrong_value_and_the_trace() -> None:
    answer = {"kind": "steps", "steps": {"scores": [["0"] * 4] * 4}}
    body = {"items": [{"question": "calculator", "answer": answer}], "reveal": True}
    item = CLIENT.post(GRADE, json=body, headers=TEACHER).get_json()["items"][0]
    assert item["steps"][0]["first_wrong"]["value"] == 4.0
    assert item["solution"]["steps"][-1]["name"] == "output"


def test_without_reveal_a_teacher_sees_what_all_see() -> None:
    body = {"items": [{"question": "heads-gpt3", "answer": text("96")}]}
    assert CLIENT.post(GRADE, json=body, headers=TEACHER).data == CLIENT.post(GRADE, json=body).data


# Who is no teacher

WHY = "reveal takes a teacher's credential. "
SEND = WHY + "Send it as Authorization: Bearer and the credential."
WRONG = WHY + "The one that came is not valid."
NO_TEACHERS = {
    "nobody": ({}, SEND),
    "another credential": ({"Authorization": f"Bearer {OTHER}"}, WRONG),
    "the beginning of it": ({"Authorization": f"Bearer {CREDENTIAL[:-1]}"}, WRONG),
    "it and more": ({"Authorization": f"Bearer {CREDENTIAL}x"}, WRONG),
    "in capitals": ({"Authorization": f"Bearer {CREDENTIAL.upper()}"}, WRONG),
    "another scheme": ({"Authorization": f"Basic {CREDENTIAL}"}, WRONG),
    "no scheme": ({"Authorization": CREDENTIAL}, WRONG),
    "nothing after the scheme": ({"Authorization": "Bearer"}, WRONG),
    "not ASCII": ({"Authorization": "Bearer é"}, WRONG),
}


@pytest.mark.parametrize(("headers", "sentence"), NO_TEACHERS.values(), ids=NO_TEACHERS)
def test_nobody_else_sees_it(headers: dict[str, str], sentence: str) -> None:
    response = ask(headers=headers)
    assert_problem(response, 401, None, sentence)
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="teachers"'
    assert "9216" not in response.text


def test_where_there_are_no_teachers_the_problem_says_so() -> None:
    response = ask(create_app({}).test_client())
    assert_problem(
        response, 401, None, WHY + "This service has none: its operator sets TEACHER_CREDENTIALS."
    )


def test_an_empty_credential_opens_nothing() -> None:
    client = create_app({"TEACHER_CREDENTIALS": " , "}).test_client()
    assert ask(client, headers={"Authorization": "Bearer "}).status_code == 401


@pytest.mark.parametrize("credential", [CREDENTIAL, OTHER])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_each_of_several_credentials_opens_it(credential: str, scheme: str) -> None:
    client = quiz_client(TEACHER_CREDENTIALS=f"{CREDENTIAL},{OTHER}")
    assert ask(client, headers={"Authorization": f"{scheme} {credential}"}).status_code == 200


@pytest.mark.parametrize(
    "credential", ["short", "a" * 40, "abcdefgh" * 2, "pässwörter-und-mehr-davon"]
)
def test_what_can_be_guessed_stops_the_start_and_is_not_printed(credential: str) -> None:
    with pytest.raises(ValueError, match="TEACHER_CREDENTIALS: number 2") as refused:
        create_app({"TEACHER_CREDENTIALS": f"{CREDENTIAL} {credential}"})
    assert "token_urlsafe" in str(refused.value)
    assert credential not in str(refused.value)


def test_a_browser_may_send_a_credential() -> None:
    headers = {"Origin": "https://lms.example", "Access-Control-Request-Method": "POST"}
    allowed = CLIENT.options(GRADE, headers=headers).headers["Access-Control-Allow-Headers"]
    assert "Authorization" in allowed.split(", ")
