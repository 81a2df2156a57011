"""Tokens: what they hide, what they stand for, and which are refused."""

import base64
from typing import Any

import pytest
from cryptography.fernet import Fernet
from flask.testing import FlaskClient
from quiz_apps import CREDENTIAL, KEY, OTHER_KEY, TEACHER, batch, drawn, quiz_client, text
from refusals import assert_problem

from service.api.quiz.secrets import DEVELOPMENT_CREDENTIAL, DEVELOPMENT_KEY
from service.api.quiz.tokens import Sealed, Tokens
from service.app import create_app
from service.engine.errors import EngineError

GRADE = "/v1/quiz/grade"
DRAW = "/v1/quiz/draw"
NOT_VALID = "This token is not valid here: ask for the question again."
EXPIRED = "This token has expired: ask for the question again."

CLIENT = quiz_client()


def token_of(client: FlaskClient = CLIENT, **wanted: Any) -> str:
    return str(drawn(client, questions=["heads-gpt3"], **wanted)[0]["token"])


def grade(token: str, typed: str = "1", client: FlaskClient = CLIENT, **more: Any) -> Any:
    item = {"token": token, "answer": text(typed), **more}
    return client.post(GRADE, json={"items": [item]})


def assert_refused(response: Any, sentence: str = NOT_VALID) -> None:
    assert_problem(response, 422, "#/items/0/token", sentence)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**53 - 1])
def test_a_token_stands_for_the_variant_of_its_seed(seed: int) -> None:
    (question,) = drawn(CLIENT, questions=["dot-product"], seed=seed)
    posed = CLIENT.get(f"/v1/quiz/dot-product?seed={seed}").get_json()
    assert {k: v for k, v in question.items() if k not in ("token", "expires")} == posed
    for typed in ("1", "5", "-7", "11"):
        by_id = {"question": "dot-product", "seed": seed, "answer": text(typed)}
        told = grade(question["token"], typed).get_json()
        assert told["items"][0].pop("drawn_by") == "teacher"
        assert told == CLIENT.post(GRADE, json={"items": [by_id]}).get_json()


def test_a_set_without_a_seed_is_another_each_time() -> None:
    prompts = {
        question["prompt"]
        for _ in range(20)
        for question in drawn(CLIENT, questions=["heads-gpt3"])
    }
    assert len(prompts) > 1


def test_a_set_without_a_seed_never_has_the_lectures_own_numbers() -> None:
    own = CLIENT.get("/v1/quiz/heads-gpt3").get_json()["prompt"]
    sets = [drawn(CLIENT, questions=["heads-gpt3"])[0]["prompt"] for _ in range(20)]
    assert own not in sets


def test_a_token_and_the_question_around_it_hold_neither_seed_nor_id_in_the_clear() -> None:
    seed = 8_123_456_789_012_345
    (question,) = drawn(CLIENT, questions=["heads-gpt3"], seed=seed, learner="u-4711")
    raw = base64.urlsafe_b64decode(question["token"])
    for secret in (str(seed), f"{seed:014x}"):
        assert secret not in str(question)
        assert secret.encode() not in raw
    assert b"heads-gpt3" not in raw
    assert b"u-4711" not in raw
    assert "seed" not in question


def test_the_length_of_a_token_tells_nothing_of_its_seed() -> None:
    assert len(token_of(seed=0)) == len(token_of(seed=2**53 - 1))


def test_the_same_request_gives_another_token() -> None:
    assert token_of(seed=3) != token_of(seed=3)


# Refusals


@pytest.mark.parametrize("place", [0, 1, 8, 15, 16, 40, -45, -30, -5, -2])
def test_a_token_with_one_character_changed_is_refused(place: int) -> None:
    token = token_of()
    changed = "A" if token[place] != "A" else "B"
    edges = token[:place], token[place + 1 :] if place != -1 else ""
    assert_refused(grade(changed.join(edges)))


MADE_LONGER = {
    "a line feed": lambda token: token + "\n",
    "a blank inside": lambda token: token[:20] + " " + token[20:],
    "a foreign character inside": lambda token: token[:20] + "!" + token[20:],
    "a character short": lambda token: token[:-1],
    "padded": lambda token: token + "====",
    "cut": lambda token: token[:-4],
    "nothing": lambda token: "",
    "no token": lambda token: "heads-gpt3",
    "not ASCII": lambda token: "é" + token,
    "very long": lambda token: token * 400,
    "twice": lambda token: token + token,
}


@pytest.mark.parametrize("change", MADE_LONGER.values(), ids=MADE_LONGER)
def test_what_is_not_exactly_a_token_is_refused(change: Any) -> None:
    assert_refused(grade(change(token_of())))


def test_a_token_of_another_service_is_refused() -> None:
    assert_refused(grade(token_of(quiz_client(QUIZ_SECRETS=OTHER_KEY))))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"heads-gpt3",
        b"{}",
        b'["reset a password","heads-gpt3",0,9999999999,"","anyone","00000000000000"]',
        b'["attention-service quiz 1","heads-gpt3",0,9999999999,"","00000000000000"]',
        b'["attention-service quiz 3","heads-gpt3",0,9999999999,"","anyone","00000000000000"]',
        b'["attention-service quiz 2","heads-gpt3"]',
        b'["attention-service quiz 2","heads-gpt3",0,9999999999,"","00000000000000"]',
        b'["attention-service quiz 2","heads-gpt3",0,9999999999,"","anyone","x"]',
    ],
)
def test_what_our_key_encrypted_for_another_purpose_is_refused(text: bytes) -> None:
    assert_refused(grade(Fernet(KEY).encrypt(text).decode()))


def test_a_token_for_a_question_that_is_gone_is_refused() -> None:
    tokens = CLIENT.application.config["SECRETS"].tokens
    assert_refused(grade(tokens.seal(Sealed("gone", 1, 9_999_999_999))))


def test_a_token_for_one_learner_serves_no_other() -> None:
    token = token_of(learner="u-7")
    assert grade(token, learner="u-7").status_code == 200
    assert_refused(grade(token, learner="u-8"))
    assert_refused(grade(token))
    assert_refused(grade(token_of(), learner="u-7"))


def test_a_seed_beside_a_token_is_refused() -> None:
    sentence = "A seed goes with a question; leave it out."
    assert_problem(grade(token_of(), seed=3), 422, "#/items/0/seed", sentence)


def test_in_a_batch_a_bad_token_is_an_error_of_its_line() -> None:
    good, bad = batch(
        CLIENT,
        {"id": "a", "token": token_of(), "answer": text("1")},
        {"id": "b", "token": "x", "answer": text("1")},
    )
    assert good["verdict"] in ("correct", "incorrect")
    assert (bad["id"], bad["line"], bad["error"]["status"]) == ("b", 2, 422)
    assert bad["error"]["errors"] == [{"pointer": "#/token", "detail": NOT_VALID}]


# Who draws

BY_TEACHERS: dict[str, tuple[dict[str, Any], str]] = {
    "for a learner": ({"learner": "alice"}, "learner"),
    "a variant": ({"seed": 1}, "seed"),
    "the lecture's own numbers": ({"seed": 0}, "seed"),
    "for long": ({"expires_in": 86_401}, "An expires_in of more than a day"),
    "all of it": ({"learner": "alice", "seed": 0, "expires_in": 31_622_400}, "learner"),
}


@pytest.mark.parametrize(("wanted", "what"), BY_TEACHERS.values(), ids=BY_TEACHERS)
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer no-credential-of-ours"}])
def test_whose_a_token_is_which_variant_and_how_long_a_teacher_says(
    wanted: dict[str, Any], what: str, headers: dict[str, str]
) -> None:
    body = {"questions": ["dot-product"], **wanted}
    refused = CLIENT.post(DRAW, json=body, headers=headers)
    why = (
        "The one that came is not valid."
        if headers
        else ("Send it as Authorization: Bearer and the credential.")
    )
    assert_problem(refused, 401, None, f"{what} takes a teacher's credential. {why}")
    assert "token" not in refused.get_json()
    assert CLIENT.post(DRAW, json=body, headers=TEACHER).status_code == 200


def test_where_there_are_no_teachers_nobody_draws_for_a_learner() -> None:
    client = create_app({"QUIZ_SECRETS": KEY}).test_client()
    assert client.post(DRAW, json={"learner": "alice"}).status_code == 401
    assert client.post(DRAW, json={"expires_in": 86_400}).status_code == 200


def test_a_verdict_says_whether_a_teacher_drew_its_token() -> None:
    by_id = {"question": "heads-gpt3", "answer": text("1")}
    items = [
        {"id": "a", "token": token_of(), "answer": text("1")},
        {"id": "b", "token": token_of(headers={}), "answer": text("1")},
        {"id": "c", "token": token_of(learner="u-7"), "learner": "u-7", "answer": text("1")},
        {"id": "d", **by_id},
    ]
    one_by_one = batch(CLIENT, *items)
    at_once = CLIENT.post(GRADE, json={"items": items}).get_json()["items"]
    for told in (one_by_one, at_once):
        said = [(one["id"], one.get("drawn_by")) for one in told]
        assert said == [("a", "teacher"), ("b", "anyone"), ("c", "teacher"), ("d", None)]


def test_a_token_tells_nobody_who_drew_it() -> None:
    assert len(token_of()) == len(token_of(headers={}))


# Expiry


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_good_until_it_expires_and_not_a_second_longer() -> None:
    client, clock = quiz_client(), Clock()
    secrets = client.application.config["SECRETS"]
    client.application.config["SECRETS"] = secrets._replace(
        tokens=Tokens(secrets.tokens.keys, clock)
    )
    (question,) = drawn(client, questions=["heads-gpt3"], expires_in=60)
    assert question["expires"] == "2027-01-15T08:01:00Z"
    clock.now += 59.9
    assert grade(question["token"], client=client).status_code == 200
    clock.now += 0.1
    assert_refused(grade(question["token"], client=client), EXPIRED)


def test_a_token_lasts_a_day_unless_it_is_said_otherwise() -> None:
    tokens = CLIENT.application.config["SECRETS"].tokens
    left = tokens.open(token_of()).expires - tokens.now()
    assert 24 * 3600 - 60 < left <= 24 * 3600


# Keys


def test_old_tokens_are_taken_while_their_key_is_still_there() -> None:
    old = token_of(quiz_client(QUIZ_SECRETS=OTHER_KEY))
    rotated = quiz_client(QUIZ_SECRETS=f"{KEY}, {OTHER_KEY}")
    assert grade(old, client=rotated).status_code == 200


def test_new_tokens_are_made_with_the_first_key() -> None:
    rotated = quiz_client(QUIZ_SECRETS=f"{KEY} {OTHER_KEY}")
    assert grade(token_of(rotated)).status_code == 200
    assert_refused(grade(token_of(rotated), client=quiz_client(QUIZ_SECRETS=OTHER_KEY)))


def test_without_a_key_there_are_no_tokens_and_everything_else() -> None:
    client = create_app({}).test_client()
    for response in (client.post("/v1/quiz/draw", json={}), grade("x", client=client)):
        assert response.status_code == 503
        assert "QUIZ_SECRETS" in response.get_json()["detail"]
    assert client.get("/v1/quiz/heads-gpt3").status_code == 200
    by_id = {"question": "heads-gpt3", "answer": text("9216")}
    assert client.post(GRADE, json={"items": [by_id]}).status_code == 200


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, ["QUIZ_SECRETS is not set: the quiz makes and takes no tokens."]),
        (
            {"ENVIRONMENT": "development"},
            [
                "QUIZ_SECRETS is not set: tokens are made with a key that everybody knows.",
                "TEACHER_CREDENTIALS is not set: everybody knows known-to-all",
            ],
        ),
        ({"QUIZ_SECRETS": KEY}, []),
        (
            {"QUIZ_SECRETS": KEY, "TEACHER_CREDENTIALS": CREDENTIAL, "ENVIRONMENT": "development"},
            [],
        ),
    ],
)
def test_a_start_without_secrets_is_logged_once(
    caplog: pytest.LogCaptureFixture, environment: dict[str, str], said: list[str]
) -> None:
    create_app(environment)
    for message, beginning in zip(caplog.messages, said, strict=True):
        assert message.startswith(beginning)


WEAK = {
    "a password": "correct horse battery staple",
    "too short": base64.urlsafe_b64encode(bytes(range(31))).decode(),
    "too long": base64.urlsafe_b64encode(bytes(range(33))).decode(),
    "one byte again and again": base64.urlsafe_b64encode(b"k" * 32).decode(),
    "two words": base64.urlsafe_b64encode(b"secretsecretsecretsecretsecretse").decode(),
    "not URL-safe": base64.b64encode(b"\xff\xfe" + bytes(range(30))).decode(),
    "without padding": KEY.rstrip("="),
    "not ASCII": KEY[:-2] + "é=",
}


@pytest.mark.parametrize("key", WEAK.values(), ids=WEAK)
@pytest.mark.parametrize("environment", ["", "development"])
def test_what_is_no_key_stops_the_start_with_the_way_to_make_one(
    key: str, environment: str
) -> None:
    with pytest.raises(ValueError, match=r"QUIZ_SECRETS: key [12]") as refused:
        create_app({"QUIZ_SECRETS": f"{KEY} {key}", "ENVIRONMENT": environment})
    assert "urlsafe_b64encode(os.urandom(32))" in str(refused.value)
    assert key not in str(refused.value)


def test_the_key_that_everybody_knows_serves_development_alone() -> None:
    with pytest.raises(ValueError, match="the key that everybody knows"):
        create_app({"QUIZ_SECRETS": DEVELOPMENT_KEY})
    create_app({"QUIZ_SECRETS": DEVELOPMENT_KEY, "ENVIRONMENT": "development"})


def test_the_credential_that_everybody_knows_serves_development_alone() -> None:
    known = {"TEACHER_CREDENTIALS": DEVELOPMENT_CREDENTIAL}
    with pytest.raises(ValueError, match="the one that everybody knows"):
        create_app(known)
    create_app({**known, "ENVIRONMENT": "development"})


def test_in_development_the_known_credential_draws_for_a_learner_and_no_other_does() -> None:
    client = create_app({"ENVIRONMENT": "development"}).test_client()
    known = {"Authorization": f"Bearer {DEVELOPMENT_CREDENTIAL}"}
    assert client.post(DRAW, json={"learner": "u-7"}, headers=known).status_code == 200
    for headers in ({}, TEACHER):
        assert client.post(DRAW, json={"learner": "u-7"}, headers=headers).status_code == 401


def test_with_a_credential_of_ones_own_the_known_one_opens_nothing() -> None:
    client = quiz_client(ENVIRONMENT="development")
    known = {"Authorization": f"Bearer {DEVELOPMENT_CREDENTIAL}"}
    assert client.post(DRAW, json={"learner": "u-7"}, headers=known).status_code == 401


def test_what_is_longer_than_any_token_is_not_even_decrypted() -> None:
    class NotCalled:
        def decrypt(self, token: str) -> bytes:
            raise AssertionError("decrypted")

    with pytest.raises(EngineError, match="not valid"):
        Tokens(NotCalled()).open("A" * 4096)  # type: ignore[arg-type]


def test_the_longest_name_of_a_learner_fits() -> None:
    token = token_of(learner="\N{GRINNING FACE}" * 200)
    assert grade(token, learner="\N{GRINNING FACE}" * 200).status_code == 200
