"""A preview says how texts are read; it knows no question."""

import pytest
from refusals import assert_is_problem, assert_problem


def previewed(client, *texts, **more):
    response = client.post("/v1/quiz/read", json={"texts": list(texts), **more})
    assert response.status_code == 200, response.text
    return response.get_json()["readings"]


def test_a_reading_has_a_value_a_normal_form_and_latex(client):
    assert previewed(client, "3 1/7") == [
        {
            "text": "3 1/7",
            "value": 22 / 7,
            "normal_form": "22/7",
            "latex": r"\frac{22}{7}",
            "alternatives": [],
        }
    ]


def test_two_readings_and_no_locale_are_a_problem_that_shows_both(client):
    (reading,) = previewed(client, "9,216")
    assert reading["value"] is None
    assert reading["problem"]["code"] == "ambiguous"
    assert [(one["value"], one["because"]) for one in reading["alternatives"]] == [
        (9.216, "comma before the decimals"),
        (9216, "comma between thousands"),
    ]


@pytest.mark.parametrize(("locale", "value"), [("en", 9216), ("de", 9.216)])
def test_a_locale_settles_the_reading(client, locale, value):
    (reading,) = previewed(client, "9,216", locale=locale)
    assert reading["value"] == value
    assert "problem" not in reading


def test_digits_are_read_by_a_declared_choice(client):
    assert previewed(client, "๓.๕", locale="en-u-nu-thai")[0]["value"] == 3.5
    assert previewed(client, "๓.๕")[0]["problem"]["code"] == "digits_need_locale"


def test_a_calculation_is_read_only_if_asked_for(client):
    assert previewed(client, "96*96")[0]["problem"]["code"] == "expression"
    (reading,) = previewed(client, "96*96", arithmetic=True)
    assert (reading["value"], reading["latex"]) == (9216, r"96 \cdot 96 = 9216")


def test_what_cannot_be_read_comes_with_a_reason(client):
    codes = [one["problem"]["code"] for one in previewed(client, "1 Ω", "x = -4", "", "1e400")]
    assert codes == ["unit", "value_only", "blank", "out_of_range"]


def test_an_infinity_has_no_json_number_but_a_normal_form(client):
    (reading,) = previewed(client, "−∞")
    assert (reading["value"], reading["normal_form"]) == (None, "−∞")
    assert "problem" not in reading


def test_readings_come_in_the_order_of_the_texts(client):
    assert [one["value"] for one in previewed(client, "3", "1", "2")] == [3, 1, 2]


def test_an_unknown_locale_is_refused(client):
    response = client.post("/v1/quiz/read", json={"texts": ["1"], "locale": "xx"})
    assert_is_problem(response, 422)
    (error,) = response.get_json()["errors"]
    assert error["pointer"] == "#/locale"
    assert error["detail"].startswith("There is no locale xx; known: af, am, ar,")


def test_more_than_is_read_at_once_is_refused(client):
    response = client.post("/v1/quiz/read", json={"texts": ["x" * 40_000, "y" * 40_000]})
    assert_problem(
        response,
        422,
        "#/texts",
        "The answers count as 80,000 characters; at most 65,536 are read at once. Send fewer in one"
        " request.",
    )


def test_no_texts_are_refused(client):
    response = client.post("/v1/quiz/read", json={"texts": []})
    assert response.status_code == 422
