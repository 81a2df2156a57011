"""Grading over HTTP: verdicts and readings, what is refused, and what is never told."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from refusals import assert_is_problem, assert_problem

GRADE = "/v1/quiz/grade"
KEYS = {
    "dot-product": {"kind": "text", "text": "1"},
    "masked-weights": {"kind": "matrix", "matrix": [["0.5", "0.5", "0"]]},
    "why-scale": {"kind": "choice", "choices": ["c"]},
    "why-mask": {"kind": "choice", "choices": ["b"]},
    "heads-gpt3": {"kind": "text", "text": "9216"},
    "context-doubling": {"kind": "number", "number": 4},
}
WRONG = {
    "dot-product": {"kind": "text", "text": "5"},
    "masked-weights": {"kind": "matrix", "matrix": [["0.3", "0.3", "0.4"]]},
    "why-scale": {"kind": "choice", "choices": ["a"]},
    "why-mask": {"kind": "choice", "choices": ["d"]},
    "heads-gpt3": {"kind": "text", "text": "96"},
    "context-doubling": {"kind": "number", "number": 2},
}

TASK = {"rule": {"kind": "integer"}, "key": {"kind": "text", "text": "7"}}

questions = pytest.mark.parametrize("question", KEYS)


def text(question: str, typed: str, **more: Any) -> dict[str, Any]:
    return {"question": question, "answer": {"kind": "text", "text": typed}, **more}


def grade(client: FlaskClient, *items: Any, **more: Any) -> Any:
    response = client.post(GRADE, json={"items": list(items), **more})
    assert response.status_code == 200, response.text
    return response.get_json()


def graded(client: FlaskClient, item: Any, **more: Any) -> Any:
    (one,) = grade(client, item, **more)["items"]
    return one


@questions
def test_the_right_answer_is_correct(client: FlaskClient, question: str) -> None:
    one = graded(client, {"question": question, "answer": KEYS[question]})
    assert (one["verdict"], one["score"], one["maximum"]) == ("correct", 1, 1)
    assert one["attempt_counts"] is True


@questions
def test_a_wrong_answer_is_incorrect_and_costs_an_attempt(
    client: FlaskClient, question: str
) -> None:
    one = graded(client, {"question": question, "answer": WRONG[question]})
    assert (one["verdict"], one["score"], one["attempt_counts"]) == ("incorrect", 0, True)


SECRETS = {
    "heads-gpt3": ("9216", "9,216"),
    "masked-weights": ("0.5", "1/2"),
    "why-scale": ("variance", "choice c", "'c'"),
    "why-mask": ("predict", "choice b", "'b'"),
}


@pytest.mark.parametrize("question", SECRETS)
def test_a_wrong_answer_is_not_told_the_right_one(client: FlaskClient, question: str) -> None:
    response = client.post(
        GRADE, json={"items": [{"question": question, "answer": WRONG[question]}]}
    )
    assert not any(secret in response.text for secret in SECRETS[question])


READINGS = {
    "plain": ("9216", 9216, "9216"),
    "a space": ("9 216", 9216, "9216"),
    "a narrow space": ("9\u202f216", 9216, "9216"),
    "an apostrophe": ("9'216", 9216, "9216"),
    "a power": ("9.216×10^3", 9216, "9216"),
    "a raised power": ("9.216 · 10³", 9216, "9216"),
    "a product of integers": ("18432/2", 9216, "9216"),
    "blanks around it": ("  9216 ", 9216, "9216"),
}


@pytest.mark.parametrize(("typed", "value", "normal"), READINGS.values(), ids=READINGS)
def test_an_answer_says_how_it_was_read(
    client: FlaskClient, typed: str, value: int, normal: str
) -> None:
    one = graded(client, text("heads-gpt3", typed))
    assert one["verdict"] == "correct"
    assert one["reading"]["text"] == typed
    assert (one["reading"]["value"], one["reading"]["normal_form"]) == (value, normal)


UNREADABLE = {
    "nothing": "",
    "blanks": "   ",
    "words": "nine thousand or so",
    "two numbers": "9216 9217",
    "not a number": "NaN",
    "a formula": "96*96+",
    "markup": "<b>9216</b>",
    "half a fraction": "1/",
    "a division by zero": "1/0",
}


@pytest.mark.parametrize("typed", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_costs_no_attempt(client: FlaskClient, typed: str) -> None:
    one = graded(client, text("heads-gpt3", typed))
    assert (one["verdict"], one["score"], one["attempt_counts"]) == ("unreadable", 0, False)


def test_a_comma_without_a_locale_is_ambiguous_and_both_readings_are_said(
    client: FlaskClient,
) -> None:
    one = graded(client, text("heads-gpt3", "9,216"))
    assert (one["verdict"], one["feedback"][0]["code"]) == ("unreadable", "ambiguous")
    assert {other["normal_form"] for other in one["reading"]["alternatives"]} == {"9216", "9.216"}


LOCALES = {
    "en": ("9,216", "correct"),
    "en_US": ("9,216", "correct"),
    "de": ("9.216", "correct"),
    "de-CH": ("9'216", "correct"),
    "fr": ("9\u00a0216", "correct"),
    "ar": ("٩٢١٦", "correct"),
}


@pytest.mark.parametrize(("locale", "typed", "verdict"), [(k, *v) for k, v in LOCALES.items()])
def test_a_declared_locale_settles_the_marks(
    client: FlaskClient, locale: str, typed: str, verdict: str
) -> None:
    assert graded(client, text("heads-gpt3", typed), locale=locale)["verdict"] == verdict


def test_in_german_a_comma_is_before_the_decimals(client: FlaskClient) -> None:
    one = graded(client, text("heads-gpt3", "9,216"), locale="de")
    assert (one["verdict"], one["reading"]["value"]) == ("incorrect", 9.216)


# Matrices


def matrix(*rows: list[Any]) -> dict[str, Any]:
    return {"question": "masked-weights", "answer": {"kind": "matrix", "matrix": list(rows)}}


def test_each_cell_has_a_verdict_of_its_own(client: FlaskClient) -> None:
    one = graded(client, matrix(["1/2", "0.4", "?"]))
    verdicts = [[cell["verdict"] for cell in row] for row in one["cells"]]
    assert verdicts == [["correct", "incorrect", "unreadable"]]
    assert (one["verdict"], one["score"]) == ("partial", pytest.approx(1 / 3))


@pytest.mark.parametrize("cell", ["50%", "0.5", ".5", 0.5, "1/2", "5e-1"])
def test_a_cell_is_text_or_a_number(client: FlaskClient, cell: Any) -> None:
    assert graded(client, matrix([cell, cell, 0]))["verdict"] == "correct"


@pytest.mark.parametrize(
    ("cell", "verdict"), [("0.505", "correct"), ("0.5051", "partial"), ("0.495", "correct")]
)
def test_the_bounds_of_a_tolerance_are_inclusive_in_decimals(
    client: FlaskClient, cell: str, verdict: str
) -> None:
    assert graded(client, matrix([cell, "0.5", "0"]))["verdict"] == verdict


SHAPES = {
    "a column": ([["0.5"], ["0.5"], ["0"]], "transposed"),
    "a row too many": ([["0.5", "0.5", "0"]] * 2, None),
    "a cell too few": ([["0.5", "0.5"]], None),
    "ragged": ([["0.5", "0.5", "0"], ["0.5"]], None),
    "a lone cell": ([["0.5"]], None),
}


@pytest.mark.parametrize(("rows", "code"), SHAPES.values(), ids=SHAPES)
def test_the_shape_is_compared_before_the_values(
    client: FlaskClient, rows: Any, code: str | None
) -> None:
    one = graded(client, matrix(*rows))
    assert one["verdict"] in ("incorrect", "unreadable")
    assert one["score"] == 0
    assert "cells" not in one
    assert code in (None, one["feedback"][0]["code"])


# Choices and kinds


@pytest.mark.parametrize(
    ("chosen", "code"), [(["b", "c"], "several_choices"), (["z"], "unknown_choice"), ([], "blank")]
)
def test_a_choice_that_is_none_is_unreadable(
    client: FlaskClient, chosen: list[str], code: str
) -> None:
    answer = {"kind": "choice", "choices": chosen}
    one = graded(client, {"question": "why-mask", "answer": answer})
    assert (one["verdict"], one["feedback"][0]["code"]) == ("unreadable", code)
    assert one["attempt_counts"] is False


def test_an_answer_of_another_kind_is_unreadable_and_not_wrong(client: FlaskClient) -> None:
    one = graded(client, text("why-mask", "b"))
    assert (one["verdict"], one["feedback"][0]["code"]) == ("unreadable", "wrong_kind")


# Several answers


def test_scores_add_up_and_a_zero_stays_a_zero(client: FlaskClient) -> None:
    reply = grade(client, text("dot-product", "1"), text("dot-product", "2"), matrix([0.5, 1, 1]))
    assert [item["score"] for item in reply["items"]] == [1, 0, pytest.approx(1 / 3)]
    assert reply["score"]["maximum"] == 3
    assert reply["score"]["given"] == pytest.approx(4 / 3)
    assert reply["score"]["scaled"] == pytest.approx(4 / 9)


def test_an_answer_is_graded_alike_whatever_stands_beside_it(client: FlaskClient) -> None:
    items = [{"question": name, "answer": answer} for name, answer in KEYS.items()]
    items += [{"question": name, "answer": answer} for name, answer in WRONG.items()]
    alone = [graded(client, item) for item in items]
    assert grade(client, *items)["items"] == alone
    assert grade(client, *items[::-1])["items"] == alone[::-1]


def test_a_thousand_answers_are_graded_at_once(client: FlaskClient) -> None:
    reply = grade(client, *[text("dot-product", "1")] * 1_000)
    assert reply["score"] == {"given": 1000, "maximum": 1000, "scaled": 1}


def test_a_thousand_and_one_are_too_many(client: FlaskClient) -> None:
    response = client.post(GRADE, json={"items": [text("dot-product", "1")] * 1_001})
    assert_problem(response, 422, "#/items", "This must have from 1 to 1,000 members, not 1,001.")


# Variants


@pytest.mark.parametrize("seed", [None, 0])
def test_without_a_seed_the_numbers_are_the_lectures(client: FlaskClient, seed: int | None) -> None:
    assert graded(client, text("dot-product", "1", seed=seed))["verdict"] == "correct"


def test_some_seed_makes_another_variant(client: FlaskClient) -> None:
    verdicts = {graded(client, text("dot-product", "1", seed=n))["verdict"] for n in range(1, 9)}
    assert "incorrect" in verdicts


# Refusals


def steps(question: str) -> dict[str, Any]:
    return {"question": question, "answer": {"kind": "steps", "steps": {"weights": [["1"]]}}}


REFUSED = {
    "an unknown question": (
        text("dot-produkt", "1"),
        "question",
        "There is no question 'dot-produkt'. Did you mean 'dot-product'?",
    ),
    "steps where one answer is due": (
        steps("dot-product"),
        "answer/kind",
        "This question is answered at once, not in steps.",
    ),
    "no answer": ({"question": "dot-product"}, "answer", "answer is missing."),
    "a kind that is none": (
        {"question": "dot-product", "answer": {"kind": "essay", "text": "1"}},
        "answer/kind",
        "This must be one of text, number, choice, matrix, tensor, steps.",
    ),
    "a number as text": (
        {"question": "dot-product", "answer": {"kind": "text", "text": 1}},
        "answer/text",
        "This must be a string, not a number.",
    ),
    "text as a number": (
        {"question": "dot-product", "answer": {"kind": "number", "number": "1"}},
        "answer/number",
        "This must be a number, not a string.",
    ),
    "a member of another kind": (
        {"question": "dot-product", "answer": {"kind": "text", "text": "1", "number": 1}},
        "answer/number",
        "Unknown field number. Known: kind, text.",
    ),
    "a text without end": (
        text("dot-product", "1" * 10_001),
        "answer/text",
        "This must have at most 10,000 characters, not 10,001.",
    ),
    "a boolean in a cell": (
        matrix(["1", True]),
        "answer/matrix/0/1",
        "A cell is text or a number, not a boolean.",
    ),
    "null in a cell": (
        matrix(["1"], [None]),
        "answer/matrix/1/0",
        "A cell is text or a number, not null.",
    ),
    "a matrix of too many cells": (
        matrix(*[["1"] * 64] * 65),
        "answer/matrix",
        "The matrix has 4,160 cells; at most 4,096 are read.",
    ),
    "a negative seed": (
        text("dot-product", "1", seed=-1),
        "seed",
        "This must be from 0 to 9,007,199,254,740,991.",
    ),
}


@pytest.mark.parametrize(("item", "place", "sentence"), REFUSED.values(), ids=REFUSED)
def test_an_item_that_cannot_be_graded_is_refused_with_its_place(
    client: FlaskClient, item: Any, place: str, sentence: str
) -> None:
    response = client.post(GRADE, json={"items": [text("dot-product", "1"), item]})
    assert_problem(response, 422, f"#/items/1/{place}", sentence)


@pytest.mark.parametrize(
    "about", [{}, {"question": "dot-product", "token": "x"}, {"token": "x", "task": TASK}]
)
def test_an_item_is_about_one_thing(client: FlaskClient, about: Any) -> None:
    item = {"answer": {"kind": "text", "text": "1"}, **about}
    sentence = "An item has one of question, token and task."
    assert_problem(client.post(GRADE, json={"items": [item]}), 422, "#/items/0", sentence)


def test_an_unknown_locale_is_refused_with_the_known_ones(client: FlaskClient) -> None:
    response = client.post(GRADE, json={"items": [text("dot-product", "1")], "locale": "xx"})
    assert_is_problem(response, 422)
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == "#/locale"
    assert error["detail"].startswith("There is no locale xx; known: ")
    assert ", de, de-ch, " in error["detail"]


# The questions themselves


MEMBERS = {
    *("id", "title", "chapter", "difficulty", "prompt", "prompt_markdown", "prompt_latex"),
    *("input", "answer_kinds", "rule", "choices", "hints", "axes", "givens", "steps"),
}


def test_the_questions_are_listed_without_their_keys(client: FlaskClient) -> None:
    questions = client.get("/v1/quiz").get_json()["questions"]
    ids = [question["id"] for question in questions]
    assert ids[:3] == ["dot-product", "masked-weights", "why-scale"]
    assert len(ids) == len(set(ids)) >= 36
    assert all(set(question) <= MEMBERS for question in questions)


def test_a_filter_leaves_what_fits(client: FlaskClient) -> None:
    every = client.get("/v1/quiz").get_json()["questions"]
    fitting = client.get("/v1/quiz?chapter=heads&difficulty=1").get_json()["questions"]
    assert fitting == [
        one for one in every if one["chapter"]["id"] == "heads" and one["difficulty"] == 1
    ]
    assert fitting


def test_a_count_draws_by_the_seed_and_keeps_the_order(client: FlaskClient) -> None:
    def ids(query: str) -> list[str]:
        return [one["id"] for one in client.get(f"/v1/quiz{query}").get_json()["questions"]]

    every, sets = ids(""), [ids(f"?count=5&seed={seed}") for seed in range(1, 9)]
    assert all(len(one) == 5 and one == sorted(one, key=every.index) for one in sets)
    assert len({tuple(one) for one in sets}) > 1
    assert ids("?count=5&seed=1") == sets[0]


def test_a_chapter_that_is_not_there_is_refused_with_those_that_are(client: FlaskClient) -> None:
    response = client.get("/v1/quiz?chapter=head")
    assert_is_problem(response, 422)
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == "#/chapter"
    assert error["detail"].startswith("There is no chapter 'head'; there are embeddings, ")


def test_more_questions_than_fit_cannot_be_drawn(client: FlaskClient) -> None:
    response = client.get("/v1/quiz?chapter=heads&count=900")
    assert_is_problem(response, 422)
    assert "so 900 cannot be drawn" in response.get_json()["detail"]


def test_a_question_offers_its_choices_by_the_ids_that_an_answer_names(client: FlaskClient) -> None:
    question = client.get("/v1/quiz/why-mask").get_json()
    assert question["input"] == "choice"
    assert [choice["id"] for choice in question["choices"]] == ["a", "b", "c", "d"]
    answers = [
        {"question": "why-mask", "answer": {"kind": "choice", "choices": [choice["id"]]}}
        for choice in question["choices"]
    ]
    graded = client.post("/v1/quiz/grade", json={"items": answers}).get_json()["items"]
    assert sorted(item["verdict"] for item in graded) == ["correct"] + ["incorrect"] * 3


def test_a_seed_draws_a_variant_that_is_graded_with_the_same_seed(client: FlaskClient) -> None:
    prompt = client.get("/v1/quiz/dot-product?seed=3").get_json()["prompt"]
    q, k = re.findall(r"\((\S+), (\S+)\)", prompt.replace("−", "-"))
    key = int(q[0]) * int(k[0]) + int(q[1]) * int(k[1])
    item = {"question": "dot-product", "seed": 3, "answer": {"kind": "number", "number": key}}
    graded = client.post("/v1/quiz/grade", json={"items": [item]}).get_json()["items"][0]
    assert graded["verdict"] == "correct"
    assert prompt != client.get("/v1/quiz/dot-product").get_json()["prompt"]


@pytest.mark.parametrize(
    ("id", "hint"),
    [
        ("two-head", "Did you mean 'two-heads'?"),
        ("dot-produkt", "Did you mean 'dot-product'?"),
        ("zzz", "The list of questions has all 74."),
    ],
)
def test_a_question_that_is_not_there_is_refused_with_the_nearest(
    client: FlaskClient, id: str, hint: str
) -> None:
    response = client.get(f"/v1/quiz/{id}")
    assert response.status_code == 404
    assert response.get_json()["detail"] == f"There is no question '{id}'. {hint}"


def test_a_draw_keeps_the_order_that_was_asked_for(client: FlaskClient) -> None:
    asked = ["why-mask", "calculator", "dot-product"]
    drawn = client.post("/v1/quiz/draw", json={"questions": asked}).get_json()
    assert [one["id"] for one in drawn["questions"]] == asked


@pytest.mark.parametrize(
    ("body", "pointer", "sentence"),
    [
        (
            {"questions": ["why-mask", "why-scale", "why-mask"]},
            "#/questions/2",
            "why-mask is here twice.",
        ),
        (
            {"questions": ["dot-product"], "chapter": "masking"},
            "#/questions",
            "None of these is of this chapter and difficulty.",
        ),
    ],
    ids=["twice", "none fits"],
)
def test_a_draw_of_nothing_sensible_is_refused(
    client: FlaskClient, body: dict[str, Any], pointer: str, sentence: str
) -> None:
    assert_problem(client.post("/v1/quiz/draw", json=body), 422, pointer, sentence)


def test_a_seed_that_is_no_number_is_refused(client: FlaskClient) -> None:
    response = client.get("/v1/quiz?seed=x")
    assert_problem(response, 422, "#/seed", 'This must be a whole number in digits, not "x".')


def test_a_seed_draws_the_same_variants_in_the_list(client: FlaskClient) -> None:
    listed = client.get("/v1/quiz?seed=3").get_json()["questions"]
    assert listed[0] == client.get("/v1/quiz/dot-product?seed=3").get_json()
    assert listed[0] != client.get("/v1/quiz").get_json()["questions"][0]


def test_more_exercises_than_a_turn_takes_belong_into_a_batch(client: FlaskClient) -> None:
    item = {"question": "masked-table", "answer": {"kind": "steps", "steps": {}}}
    assert client.post(GRADE, json={"items": [item] * 100}).status_code == 200
    response = client.post(GRADE, json={"items": [item] * 101})
    sentence = "At most 100 exercises are graded in one request; /v1/quiz/grade/batch takes more."
    assert_problem(response, 422, "#/items/100", sentence)


def test_only_so_many_keys_are_computed_in_one_request(client: FlaskClient) -> None:
    def item(n: int) -> Any:
        request = {"Q": [[n]], "K": [[1]], "V": [[1]]}
        key = {"operation": "attention", "request": request, "step": "head"}
        rule = {"kind": "cells", "each": {"kind": "integer"}}
        return {"task": {"rule": rule, "computed": key}, **matrix(["1"])}

    def post(*numbers: int) -> Any:
        items = [{k: v for k, v in item(n).items() if k != "question"} for n in numbers]
        return client.post(GRADE, json={"items": items})

    assert post(1, 2, 3, 4, 1, 2).status_code == 200
    response = post(1, 2, 3, 4, 5)
    assert_problem(
        response,
        422,
        "#/items",
        "5 keys are to be computed; at most 4 are in one request. Send more in a batch.",
    )
